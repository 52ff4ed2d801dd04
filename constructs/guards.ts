import type { Child, Manifest } from './workload.ts';

/** The kinds that say who a pod is and whom it may talk to. */
const GUARDS: ReadonlySet<string> = new Set(['ServiceAccount', 'NetworkPolicy']);

/**
 * The children that must be there before one that makes pods: its ServiceAccounts and NetworkPolicies. Where one of them
 * can't be made, since the name is taken by somebody else's, the pods would run as that other account, or open to the
 * network; so they don't run.
 */
export const guardsOf = (manifest: Manifest, earlier: readonly Child[]): readonly string[] =>
  makesPods(manifest) ? earlier.filter(({ object }) => GUARDS.has(object.kind)).map(({ id }) => id) : [];

function makesPods({ spec }: Manifest): boolean {
  const { template } = (spec ?? {}) as { readonly template?: { readonly spec?: { readonly containers?: unknown } } };
  return template?.spec?.containers !== undefined;
}
