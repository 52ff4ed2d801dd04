import { conditionOf } from '../../engine/api/index.ts';
import type { Query, Snapshot } from '../../engine/api/index.ts';
import type { Diagnosis } from './diagnosis-text.ts';

/** Reasons that are found out by asking, and what is asked for each. */
const FOUND_BY: Readonly<Record<string, readonly Query['type'][]>> = {
  ReferenceMissing: ['secret', 'configMap'],
  KedaNotInstalled: ['served'],
  GatewayApiNotInstalled: ['served'],
  CiliumNotInstalled: ['served'],
  VolcanoNotInstalled: ['served'],
  KueueNotInstalled: ['served'],
  PodsForbidden: ['events'],
  QuotaExceeded: ['events'],
};

/**
 * What a condition says that was found out by asking, as long as there is no answer yet: an operator that starts again
 * has not looked yet, and must not take back what was found out before. Of another generation it may be no longer true.
 *
 * @param type - of the condition
 * @param asks - those whose answers it is made from
 */
export function carriedOver(
  { resource, answers }: Snapshot,
  type: string,
  queries: readonly Query[],
): Diagnosis | undefined {
  const before = conditionOf(resource.status?.conditions, type);
  if (before?.status !== 'False' || before.observedGeneration !== resource.metadata.generation) return undefined;
  const isOpen = queries.some(
    (query) => FOUND_BY[before.reason]?.includes(query.type) === true && answers[query.id] === undefined,
  );
  return isOpen ? { reason: before.reason, message: before.message, stuck: true } : undefined;
}
