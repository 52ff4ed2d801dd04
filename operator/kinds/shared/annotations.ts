import { isAllowed, notAllowed, type AllowedAnnotations } from '../../../constructs/parts/annotations/index.ts';
import { SpecError, type Problem } from '../../../constructs/schema/error.ts';
import type { RenderedChild } from '../../../constructs/workload.ts';
import type { CommonStatus, Kind, Resource } from '../../engine/api/index.ts';

/**
 * A kind that refuses annotations which no administrator allows. Who may make a workload need not be somebody who may
 * make an Ingress, and the operator makes one for him: so it puts on it what the administrator would have him write.
 */
export const judged = (kind: Kind, allowed: AllowedAnnotations): Kind => ({
  ...kind,
  reconcile: (snapshot, now) =>
    kind.reconcile({ ...snapshot, resource: withoutRefusedMemory(snapshot.resource, allowed) }, now),
  render: (resource, state) => {
    const refused = notAllowed(resource.spec, allowed);
    const children = renderBeside(kind, resource, state, refused);
    if (refused.length > 0) throw new SpecError(subjectOf(resource), refused, 'AnnotationNotAllowed');
    return children;
  },
});

/** Renders; what is wrong beside the annotations is told together with them. */
function renderBeside(
  kind: Kind,
  resource: Omit<Resource, 'status'>,
  state: unknown,
  refused: readonly Problem[],
): readonly RenderedChild[] {
  try {
    return kind.render(resource, state);
  } catch (error) {
    if (!(error instanceof SpecError) || refused.length === 0) throw error;
    throw new SpecError(subjectOf(resource), [...error.problems, ...refused]);
  }
}

/**
 * A status may remember a spec whose pods still serve, and no admission has seen that one. Where it isn't allowed, it is
 * forgotten, as if nothing served.
 */
function withoutRefusedMemory(resource: Resource, allowed: AllowedAnnotations): Resource {
  const { served, ...status }: CommonStatus & { readonly served?: { readonly spec?: unknown } } = resource.status ?? {};
  return served === undefined || isAllowed(served.spec, allowed) ? resource : { ...resource, status };
}

const subjectOf = ({ kind, metadata: { name, namespace = '' } }: Omit<Resource, 'status'>): string =>
  `${kind} ${namespace}/${name}`;
