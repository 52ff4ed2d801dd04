import { hash } from 'node:crypto';
import { objectIn, type PlainObject } from '../../../constructs/schema/json.ts';
import { groupKind } from '../../../operator/engine/api/index.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';

/** A template of pods. */
interface Template {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>>; readonly annotations?: object };
  readonly spec?: PlainObject;
}

/** What makes pods: how many, and by which template. */
export interface PodSource {
  readonly object: KubeObject;
  readonly replicas: number;
  readonly template: Template;
  /** Tells its template from others. */
  readonly revision: string;
}

/** The types that make pods, each with how many it wants by its spec. */
const REPLICAS: Readonly<Record<string, (spec: PlainObject) => number>> = {
  'apps/DaemonSet': () => 1,
  'apps/Deployment': (spec) => numberAt(spec, 'replicas'),
  'apps/ReplicaSet': (spec) => numberAt(spec, 'replicas'),
  'apps/StatefulSet': (spec) => numberAt(spec, 'replicas'),
  'batch/Job': (spec) => (spec['suspend'] === true ? 0 : Math.min(numberAt(spec, 'parallelism'), completionsOf(spec))),
};

const numberAt = (spec: PlainObject, name: string): number => (typeof spec[name] === 'number' ? spec[name] : 1);

/** How many pods of a Job have to succeed: without a number, one of each that may run at once. */
export const completionsOf = (spec: PlainObject): number =>
  typeof spec['completions'] === 'number' ? spec['completions'] : numberAt(spec, 'parallelism');

/** What makes pods of an object; undefined where nothing does. */
export function podSourceOf(object: KubeObject): PodSource | undefined {
  const count = REPLICAS[groupKind(object)];
  if (count === undefined) return undefined;
  const spec = objectIn(object['spec']);
  const template = objectIn(spec['template']) as Template;
  const revision = hash('sha256', JSON.stringify(template), 'hex').slice(0, 8);
  return { object, replicas: count(spec), template, revision };
}
