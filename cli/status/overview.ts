import type { Kind, Resource } from '../../operator/engine/api/index.ts';
import type { KubeClient } from '../../operator/kube/index.ts';
import { inLines } from '../output.ts';
import type { Denied } from '../kube/denied.ts';
import { liveResources } from '../live.ts';
import { age, tableLines } from '../layout.ts';
import type { PrintOptions } from './print.ts';
import { primaryCondition } from './primary-condition.ts';

/** A resource in a line. */
export interface Summary {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly phase: string;
  /** What its most telling condition says. */
  readonly message: string;
  /** In ISO 8601. */
  readonly createdAt: string;
}

/**
 * All resources of a namespace.
 *
 * @param namespace - undefined for all of them
 */
export async function resourcesIn(
  client: KubeClient,
  kinds: readonly Kind[],
  namespace: string | undefined,
): Promise<{ readonly resources: readonly Summary[]; readonly denied: readonly Denied[] }> {
  const { resources, denied } = await liveResources(client, kinds, namespace);
  return { resources: resources.map(({ resource }) => summaryOf(resource)), denied };
}

/** A resource in a line. */
export const summaryOf = ({ kind, metadata, status }: Resource): Summary => ({
  kind,
  namespace: metadata.namespace ?? '',
  name: metadata.name,
  phase: status?.phase ?? '',
  message: primaryCondition(status?.conditions ?? [])?.message ?? '',
  createdAt: metadata.creationTimestamp,
});

/** Resources as a table; on a terminal a line each, which is cut where it is too long. */
export const overviewText = (resources: readonly Summary[], { now, width }: PrintOptions): string =>
  `${tableLines(
    ['NAMESPACE', 'RESOURCE', 'PHASE', 'AGE', 'SAYS'],
    inLines(resources).map(({ kind, namespace, name, phase, message, createdAt }) => [
      namespace,
      `${kind.toLowerCase()}/${name}`,
      phase || '-',
      age(createdAt, now),
      message,
    ]),
  )
    .map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line))
    .join('\n')}\n`;
