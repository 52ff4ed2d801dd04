import type { Named } from '../../operator/engine/api/index.ts';
import type { KubeObject } from '../../operator/kube/index.ts';
import { SimulationError, listed } from './errors.ts';

/**
 * Names an object: `Deployment` where there is one of the kind, `Deployment/web`, or `Deployment/NAMESPACE/web` where there
 * are two of that name.
 */
export type ObjectName = string;

/** An object as it is named. */
export const shortName = ({ kind, metadata: { name } }: KubeObject): string => `${kind}/${name}`;

export const longName = ({ kind, metadata: { name, namespace } }: KubeObject): string =>
  namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;

/** The resource that a life is about: `WebApp default/web`. */
export const titleOf = ({ kind, namespace, name }: Pick<Named, 'kind' | 'namespace' | 'name'>): string =>
  `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;

interface Parts {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

function partsOf(name: ObjectName): Parts {
  const [kind = '', second, third, more] = typeof name === 'string' ? name.split('/') : [];
  if (kind === '' || second === '' || third === '' || more !== undefined) {
    throw new SimulationError(
      `an object is named by KIND, KIND/NAME or KIND/NAMESPACE/NAME, as in Deployment/web (got ${JSON.stringify(name)})`,
    );
  }
  return third === undefined ? { kind, name: second } : { kind, namespace: second, name: third };
}

/** Whether a name means an object. */
export function isNamed(of: ObjectName, { kind, namespace, name }: Required<Parts>): boolean {
  const parts = partsOf(of);
  return (
    parts.kind.toLowerCase() === kind.toLowerCase() &&
    (parts.namespace ?? namespace) === namespace &&
    (parts.name ?? name) === name
  );
}

/** The objects that a name means. */
export const objectsNamed = (name: ObjectName, objects: readonly KubeObject[]): readonly KubeObject[] =>
  objects.filter(({ kind, metadata }) =>
    isNamed(name, { kind, namespace: metadata.namespace ?? '', name: metadata.name }),
  );

/**
 * The one object that a name means.
 *
 * @throws SimulationError where there is none, or more than one
 */
export function objectNamed(name: ObjectName, objects: readonly KubeObject[]): KubeObject {
  const found = objectsNamed(name, objects);
  const [object] = found;
  if (object === undefined) {
    throw new SimulationError(`there is no ${name}; there are: ${listed(objects.map(shortName))}`);
  }
  if (found.length === 1) return object;
  const isClear = new Set(found.map(shortName)).size === found.length;
  throw new SimulationError(
    `there are ${found.length} of ${name}, so say which: ${listed(found.map(isClear ? shortName : longName))}`,
  );
}
