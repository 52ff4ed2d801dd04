import { identityFor, type Identity, type Kind, type Resource } from '../../operator/engine/api/index.ts';
import { apiVersionOf } from '../../operator/kube/index.ts';
import { timeOf } from './duration.ts';
import { Life } from './life.ts';
import type { RunOptions } from './run.ts';
import { copied, exampleOf, storedSpec } from './spec.ts';

/** A kind, as `defineKind` makes it: its examples tell how users write a spec, without what has a default. */
export type SimulatedKind<R extends Resource, State, Written> = Kind<R, State> & {
  readonly examples?: readonly Written[];
};

/** How a life begins. */
export interface SimulateOptions<Written = unknown> {
  /**
   * The spec, as a user writes it.
   *
   * @default - the first of the examples of the kind
   */
  readonly spec?: Written;
  /** @default 'example' */
  readonly name?: string;
  /** @default 'default' */
  readonly namespace?: string;
  /** @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
  /**
   * When it begins.
   *
   * @default '2026-01-01T00:00:00Z'
   */
  readonly now?: number | string | Date;
  /**
   * Who the operator is: by this its field manager, labels and annotations are named.
   *
   * @default - `simulated-operator`, in the domain of the group of the kind
   */
  readonly identity?: Identity;
  /**
   * Kinds that the cluster does not serve, such as `HTTPRoute`.
   *
   * @default - it serves all
   */
  readonly notServed?: readonly string[];
}

/**
 * Begins a life of a resource with no cluster: the resource is created, and its operator has not looked yet. The passes
 * are those of the engine, on an API server in memory; what users and controllers do, the test says.
 *
 * @throws SimulationError where the CRD of the kind would refuse the spec
 */
export const simulate = <R extends Resource, State, Written = R['spec']>(
  kind: SimulatedKind<R, State, Written>,
  options: SimulateOptions<NoInfer<Written>> = {},
): Life<R, Written> => new Life<R, Written>(runOptions(kind, options));

/** What a run is made from. */
export function runOptions<R extends Resource, State, Written>(
  kind: SimulatedKind<R, State, Written>,
  options: SimulateOptions<Written>,
): RunOptions<R> {
  const { spec, name = 'example', namespace = 'default', labels, annotations, now, notServed = [] } = options;
  const { type } = kind;
  const { identity = identityFor({ name: 'simulated-operator', domain: type.group }) } = options;
  const subject = { name, namespace: type.scope === 'Cluster' ? '' : namespace };
  const metadata = {
    name,
    ...(subject.namespace !== '' && { namespace: subject.namespace }),
    ...(labels !== undefined && { labels }),
    ...(annotations !== undefined && { annotations }),
  };
  const written = copied(spec ?? exampleOf(kind), 'the spec');
  const stored = storedSpec(kind, { ...subject, spec: written });
  return {
    kind: kind,
    identity,
    subject,
    resource: { apiVersion: apiVersionOf(type), kind: type.kind, metadata, spec: stored },
    now: timeOf(now ?? '2026-01-01T00:00:00Z'),
    notServed,
  };
}
