import { once } from '../../constructs/parts/values/index.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { Manifest, RenderedChild } from '../../constructs/workload.ts';
import { groupKind } from '../engine/api/index.ts';
import type { ChildType, Resource } from '../engine/api/index.ts';
import { liesElsewhere } from '../engine/plan/index.ts';
import type { ConstructInput, Behaviour } from './definition.ts';
import { parsed } from './parse.ts';
import { RELEASED } from './released.ts';
import { renderedBy } from './render.ts';

/** What children are rendered from. */
export interface RenderInput {
  readonly definition: Behaviour;
  readonly schema: KindSchema;
  readonly types: readonly ChildType[];
  readonly resource: Omit<Resource, 'status'>;
  /** Undefined in a static host, behind which no operator is. */
  readonly state: object | undefined;
}

/**
 * The children of a resource.
 *
 * @throws SpecError where the spec can't work; Error where the construct makes what the kind does not say that it makes
 */
export function renderChildren({ definition, schema, types, resource, state }: RenderInput): readonly RenderedChild[] {
  const isReleased = state !== undefined && Object.hasOwn(state, RELEASED);
  const children = placed(made(definition, schema, resource, withoutMark(state)), resource, types);
  checkTypes(children, schema, types);
  if (!isReleased) return children;
  return children.filter(({ manifest }) => !liesElsewhere(manifest.metadata.namespace, resource));
}

/** A state as reconcile gave it. */
function withoutMark(state: object | undefined): State | undefined {
  if (state === undefined) return undefined;
  const { [RELEASED]: _, ...given } = state as State;
  return given;
}

type State = Readonly<Record<string, unknown>>;

/** What the construct makes, as it makes it. */
export const made = (
  { construct }: Pick<Behaviour, 'construct'>,
  schema: KindSchema,
  resource: Omit<Resource, 'status'>,
  state: State | undefined,
): readonly RenderedChild[] =>
  renderedBy(resource.metadata.name, (scope) => construct(scope, new Input(schema, resource, state)));

/** A construct that parses the spec itself doesn't have it parsed twice. */
class Input implements ConstructInput<never, State> {
  readonly resource: Omit<Resource<never>, 'status'>;
  readonly state: State;
  readonly #spec: () => unknown;

  constructor(schema: KindSchema, resource: Omit<Resource, 'status'>, state: State | undefined) {
    this.resource = resource as Omit<Resource<never>, 'status'>;
    // A construct that is as well for static hosts tells by its absence which host it is in.
    this.state = state as State;
    this.#spec = once(() => parsed(schema, resource));
  }

  get name(): string {
    return this.resource.metadata.name;
  }

  get namespace(): string {
    return this.resource.metadata.namespace ?? '';
  }

  get labels() {
    return this.resource.metadata.labels ?? {};
  }

  get annotations() {
    return this.resource.metadata.annotations ?? {};
  }

  get spec(): never {
    return this.#spec() as never;
  }
}

/** A child whose construct names no namespace lies in that of its resource. */
function placed(
  children: readonly RenderedChild[],
  { metadata: { namespace } }: Omit<Resource, 'status'>,
  types: readonly ChildType[],
): readonly RenderedChild[] {
  const unscoped = new Set(
    types.filter(({ scope }) => scope === 'Cluster').map(({ group, kind }) => `${group}/${kind}`),
  );
  return children.map((child) => {
    const { manifest } = child;
    if (namespace === undefined || manifest.metadata.namespace !== undefined) return child;
    if (unscoped.has(groupKind(manifest))) return child;
    return { ...child, manifest: inNamespace(manifest, namespace) };
  });
}

const inNamespace = (manifest: Manifest, namespace: string): Manifest => ({
  ...manifest,
  metadata: { ...manifest.metadata, namespace },
});

/** The operator has rights to the types that the kind names, and watches these. */
function checkTypes(children: readonly RenderedChild[], { kind }: KindSchema, types: readonly ChildType[]): void {
  const known = new Set(types.map(({ group, kind: child }) => `${group}/${child}`));
  const unknown = children.filter(({ manifest }) => !known.has(groupKind(manifest)));
  if (unknown.length === 0) return;
  const names = [...new Set(unknown.map(({ manifest: { apiVersion, kind: child } }) => `${apiVersion}/${child}`))];
  throw new TypeError(
    `the construct of ${kind} makes ${names.join(', ')}, and the operator neither watches these nor has a right to them: name them in children, or give an example that makes them`,
  );
}
