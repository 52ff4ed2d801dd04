import type { ResourceType } from '../../operator/kube/index.ts';
import { FaultsError } from './error.ts';
import { leasesIn, type World } from './world.ts';

/** What the worlds of a campaign expect of each other. */
export interface Company {
  readonly types: readonly ResourceType[];
  /** Whether there is one world at a time. */
  readonly isAlone: boolean;
}

/**
 * Finds an operator that reaches beyond its namespace while others run in theirs.
 *
 * @throws FaultsError with what to do
 */
export function checkFit({ proxy, namespace }: Pick<World, 'proxy' | 'namespace'>, { types, isAlone }: Company): void {
  if (isAlone) return;
  const wide = proxy.log.find(
    ({ exchange: { verb, group, resource, namespace: where } }) =>
      (verb === 'list' || verb === 'watch') &&
      where === undefined &&
      types.some((type) => type.group === group && type.plural === resource),
  );
  if (wide !== undefined) {
    throw new FaultsError(
      `the operator lists or watches ${wide.exchange.resource} of all namespaces, and the campaign runs several operators at once, each in a namespace of its own. Let it work in the namespace of WATCH_NAMESPACE alone, or set scope: 'Cluster', which runs one plan at a time.`,
    );
  }
  const lease = leasesIn(proxy.log).find((each) => each.namespace !== namespace);
  if (lease === undefined) return;
  throw new FaultsError(
    `the operator takes the Lease ${lease.namespace}/${lease.name}, and the campaign runs several operators at once, of which only one could hold it. Switch leader election off, put the Lease into the namespace of POD_NAMESPACE, or set parallel: 1.`,
  );
}
