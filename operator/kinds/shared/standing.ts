import { conditionOf } from '../../engine/conditions.ts';
import type { Ask } from '../../engine/asks.ts';
import type { Snapshot } from '../../engine/kind.ts';
import type { Finding } from './finding.ts';

/** Reasons that are found out by asking, and what is asked for each. */
const FOUND_BY: Readonly<Record<string, readonly Ask['type'][]>> = {
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
 * What a condition says that was found out by asking, as long as there is no answer yet: an operator that starts anew
 * has not looked yet, and must not take back what was found out before. Of another generation it may be no longer true.
 *
 * @param type - of the condition
 * @param asks - those whose answers it is made from
 */
export function standing({ resource, facts }: Snapshot, type: string, asks: readonly Ask[]): Finding | undefined {
  const before = conditionOf(resource.status?.conditions, type);
  if (before?.status !== 'False' || before.observedGeneration !== resource.metadata.generation) return undefined;
  const isOpen = asks.some(
    (ask) => FOUND_BY[before.reason]?.includes(ask.type) === true && facts[ask.id] === undefined,
  );
  return isOpen ? { reason: before.reason, message: before.message, stuck: true } : undefined;
}
