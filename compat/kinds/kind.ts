import type * as z from 'zod';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import { typeOf } from '../../operator/kinds/shared/type.ts';
import { defineKind } from '../../operator/runtime/index.ts';
import { figuresOf, refusedStatus } from '../../operator/engine/api/index.ts';
import type { BareStatus, Resource, ResourceType } from '../../operator/engine/api/index.ts';
import { addRendered } from './objects.ts';
import { asOurs, equivalentOf } from './equivalent.ts';
import { rememberedIn, statusInWords, waitingStatus } from './status.ts';
import type { CompatStatus } from './status.ts';
import type { Translation } from './translation.ts';

/** What reconcile leads to: the resource of ours, and what only time can tell of it; none while there is nothing to run. */
export interface CompatState {
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
 * the equivalent of.
 */
export function compatKind(translation: Translation) {
  const { kind, theirs } = translation;
  return defineKind<z.ZodType, z.ZodType, CompatState>({
    schema: theirs,
    optional: true,
    label: kind.label,
    children: kind.childTypes,
    ...(kind.finalizer !== undefined && { finalizer: kind.finalizer }),
    ...(kind.permissions && { permissions: kind.permissions }),
    ...(kind.computations && { computations: kind.computations }),
    ...(kind.secrets && { secrets: kind.secrets }),
    ...(translation.refersTo && { refersTo: translation.refersTo }),
    figures: { ...figuresOf(kind), statusOf: rememberedIn },
    ...(kind.updatedField !== undefined && { updatedField: kind.updatedField }),
    references: (resource) => translation.references?.(resource) ?? [],
    reconcile: (snapshot) => {
      const { now, related } = snapshot;
      const resource: Resource = snapshot.resource;
      const equivalent = equivalentOf(translation, resource, related);
      if (equivalent.spec === undefined) {
        const missing = equivalent.missing ?? {
          reason: 'Pending',
          message: 'It is not known yet what to run.',
          stuck: false,
        };
        return { state: {}, ...waitingStatus(translation, resource, missing), release: true };
      }
      const ours = asOurs(translation, resource, equivalent.spec);
      const result = kind.reconcile({ ...snapshot, resource: ours, related: {} }, now);
      return {
        ...result,
        state: { ours: renderable(ours), state: result.state },
        ...statusInWords(translation, resource, result, equivalent),
      };
    },
    construct: (scope, input) => {
      const { ours, state }: CompatState = input.state;
      const { spec } = ours ?? equivalentOf(translation, input.resource, {});
      if (typeof spec !== 'object' || spec === null) return;
      const resource = ours ?? asOurs(translation, input.resource, spec);
      addRendered(scope, kind.render(resource, ours === undefined ? {} : state));
    },
    refuse: (resource, message, seen: BareStatus<CompatStatus> | undefined, refusal = 'InvalidSpec') => {
      const status = rememberedIn(resource);
      const asSeen = seen && { status: { ...seen.status.workload }, conditions: seen.conditions };
      const shell: Resource = { ...resource, ...(status && { status }) };
      return statusInWords(translation, resource, refusedStatus(kind, shell, { message, refusal }, asSeen), {});
    },
  });
}
