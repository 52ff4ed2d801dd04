import type { KindSchema } from '../../../constructs/schema/kind.ts';
import type { Kind, Resource, ResourceType } from '../../engine/api/index.ts';
import { typeOf } from '../shared/type.ts';
import { asOurs, equalOf } from './equal.ts';
import { rememberedIn, statusInWords, waitingStatus } from './status.ts';
import type { Translation } from './translation.ts';

/** What reconcile leads to: the resource of ours, and what only time can tell of it; none while there is nothing to run. */
export interface ExistingRuntime {
  readonly ours?: Resource;
  readonly state?: unknown;
}

/** What of a resource is rendered: it must look the same as long as that is. */
function renderable({ apiVersion, kind, metadata, spec }: Resource): Resource {
  const { name, namespace = '', uid, creationTimestamp, annotations } = metadata;
  const kept = { name, namespace, uid, creationTimestamp, resourceVersion: '', ...(annotations && { annotations }) };
  return { apiVersion, kind, metadata: kept, spec };
}

/** The type of a kind that others specified, as a cluster may have it. */
export const optionalType = (schema: KindSchema): ResourceType & { readonly optional: true } => ({
  ...typeOf(schema),
  optional: true,
});

/**
 * A kind that others specified, run by one of ours: the same construct and the same reconcile, on the resource that it is
 * the equal of.
 */
export function existingKind(translation: Translation): Kind<Resource, ExistingRuntime> {
  const { kind, theirs } = translation;
  return {
    type: optionalType(theirs),
    label: kind.label,
    childTypes: kind.childTypes,
    ...(kind.finalizer !== undefined && { finalizer: kind.finalizer }),
    ...(kind.permissions && { permissions: kind.permissions }),
    ...(kind.computations && { computations: kind.computations }),
    ...(translation.refersTo && { refersTo: translation.refersTo }),
    figures: { ...kind.figures, statusOf: rememberedIn },
    references: (resource) => translation.references?.(resource) ?? [],
    reconcile: (snapshot, now) => {
      const { resource, related } = snapshot;
      const equal = equalOf(translation, resource, related);
      if (equal.spec === undefined) {
        const missing = equal.missing ?? {
          reason: 'Pending',
          message: 'It is not known yet what to run.',
          stuck: false,
        };
        return { state: {}, status: waitingStatus(translation, resource, missing, now), queries: [], release: true };
      }
      const ours = asOurs(translation, resource, equal.spec);
      const decision = kind.reconcile({ ...snapshot, resource: ours, related: {} }, now);
      return {
        ...decision,
        state: { ours: renderable(ours), state: decision.state },
        status: statusInWords(translation, resource, decision.status, equal, now),
      };
    },
    render: (resource, decided) => {
      if ('ours' in decided && decided.ours) return kind.render(decided.ours, decided.state);
      const { spec } = equalOf(translation, resource, {});
      return spec === undefined ? [] : kind.render(asOurs(translation, resource, spec), {});
    },
    refuse: (resource, problems, now, seen, refusal) => {
      const status = rememberedIn(resource);
      const asSeen = seen && rememberedIn({ ...resource, status: seen });
      const shell: Resource = { ...resource, ...(status && { status }) };
      const refused = kind.refuse(shell, problems, now, asSeen, refusal);
      return statusInWords(translation, resource, refused, {}, now);
    },
  };
}
