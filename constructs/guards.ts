import type { PlainObject } from './schema/json.ts';

/** The kinds that say who a pod is and whom it may talk to. */
const GUARDS: ReadonlySet<string> = new Set(['ServiceAccount', 'NetworkPolicy']);

/** What is known of a child that was added before. */
interface Earlier {
  readonly id: string;
  readonly object: { readonly kind: string };
}

/**
 * The children that must be there before one that makes pods: its ServiceAccounts and NetworkPolicies. Where one of them
 * can't be made, since the name is taken by somebody else's, the pods would run as that other account, or open to the
 * network; so they don't run.
 */
export const guardsOf = (manifest: PlainObject, earlier: readonly Earlier[]): readonly string[] =>
  makesPods(manifest) ? earlier.filter(({ object }) => GUARDS.has(object.kind)).map(({ id }) => id) : [];

function makesPods({ spec }: PlainObject): boolean {
  const { template } = (spec ?? {}) as { readonly template?: { readonly spec?: { readonly containers?: unknown } } };
  return template?.spec?.containers !== undefined;
}
