import type { Resource } from '../../operator/engine/api/index.ts';
import { conditionOf } from '../../operator/engine/api/index.ts';
import type { KnownResource } from '../resources.ts';

/** What a file tells of what one of its resources refers to. */
interface Resolution {
  /** For `render`: what the operator would find out, were all of the file applied. */
  readonly state: unknown;
  /** What was not found; what follows from it is left out. */
  readonly missing: readonly string[];
}

/** Looks up what a resource refers to among those of the same file, as the operator does in the cluster. */
export function resolve({ kind, resource }: KnownResource, file: readonly Resource[], source: string): Resolution {
  const wanted = kind.references?.(resource) ?? [];
  if (wanted.length === 0) return { state: {}, missing: [] };
  const { namespace } = resource.metadata;
  const related: Readonly<Record<string, Resource>> = Object.fromEntries(
    file
      .filter((other) => other.metadata.namespace === namespace)
      .map((other) => [`${other.kind}/${other.metadata.name}`, other]),
  );
  const absent = wanted
    .filter((id) => related[id] === undefined)
    .map((id) => `${source} has no ${id} in ${namespace}.`);
  const snapshot = { resource, children: [], pods: [], related, answers: {}, failures: [] };
  const { state, conditions } = kind.reconcile(snapshot, 0);
  const resolved = conditionOf(conditions, 'ResolvedRefs');
  const unresolved = absent.length === 0 && resolved?.status === 'False' ? [resolved.message] : [];
  return { state, missing: [...absent, ...unresolved] };
}
