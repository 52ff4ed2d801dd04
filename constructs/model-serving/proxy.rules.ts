import { parseProxy, PROXY_VARIABLES } from '../parts/weights/index.ts';
import type { Problem } from '../schema/error.ts';
import { objectIn, type PlainObject } from '../schema/json.ts';

/** The one sentence about a value that names no proxy. What was there is never told: it may hold a password. */
const MESSAGE =
  'must name an HTTP proxy, since the fetch of the weights goes through it, for instance http://USER:PASSWORD@proxy.example:3128, with % in the user or password as %25 and a backslash as %5C';

/**
 * Proxies that a fetch can't go through, where their names stand in the spec itself. What a Secret or another variable gives is
 * seen by the fetch alone, which says the same.
 *
 * @param spec - may be ill-formed
 */
export function proxyProblems(spec: unknown): readonly Problem[] {
  const { model, env, engine, podTemplate } = objectIn(spec);
  const { uri } = objectIn(model);
  if (typeof uri !== 'string' || /^(?:pvc|oci):/.test(uri)) return [];
  const pod = objectIn(objectIn(podTemplate)['spec']);
  return [
    ...inVariables(env, 'spec.env'),
    ...inVariables(objectIn(engine)['env'], 'spec.engine.env'),
    ...inContainer(pod, 'containers', 'server'),
    ...inContainer(pod, 'initContainers', 'fetch'),
  ];
}

const inContainer = (pod: PlainObject, field: 'containers' | 'initContainers', name: string): readonly Problem[] =>
  list(pod[field]).flatMap((each, index) => {
    const container = objectIn(each);
    return container['name'] === name
      ? inVariables(container['env'], `spec.podTemplate.spec.${field}[${index}].env`)
      : [];
  });

const inVariables = (env: unknown, path: string): readonly Problem[] =>
  list(env).flatMap((each, index) => {
    const { name, value } = objectIn(each);
    if (typeof value !== 'string' || value.trim() === '' || value.includes('$(')) return [];
    if (!PROXY_VARIABLES.some((variable) => variable === name)) return [];
    return parseProxy(value.replaceAll('$$', () => '$')) ? [] : [{ path: `${path}[${index}].value`, message: MESSAGE }];
  });

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
