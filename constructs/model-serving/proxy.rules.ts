import { parseProxy, PROXY_VARIABLES } from '../parts/weights/index.ts';
import type { Problem } from '../schema/error.ts';

/** The one sentence about a value that names no proxy. What was there is never told: it may hold a password. */
const MESSAGE =
  'must name an HTTP proxy, since the fetch of the weights goes through it, for instance http://USER:PASSWORD@proxy.example:3128, with % in the user or password as %25 and a backslash as %5C';

type Json = Readonly<Record<string, unknown>>;

/**
 * Proxies that a fetch can't go through, where their names stand in the spec itself. What a Secret or another variable gives is
 * seen by the fetch alone, which says the same.
 *
 * @param spec - may be ill-formed
 */
export function proxyProblems(spec: unknown): readonly Problem[] {
  const { model, env, engine, podTemplate } = object(spec);
  const { uri } = object(model);
  if (typeof uri !== 'string' || /^(?:pvc|oci):/.test(uri)) return [];
  const pod = object(object(podTemplate)['spec']);
  return [
    ...inVariables(env, 'spec.env'),
    ...inVariables(object(engine)['env'], 'spec.engine.env'),
    ...inContainer(pod, 'containers', 'server'),
    ...inContainer(pod, 'initContainers', 'fetch'),
  ];
}

const inContainer = (pod: Json, field: 'containers' | 'initContainers', name: string): readonly Problem[] =>
  list(pod[field]).flatMap((each, index) => {
    const container = object(each);
    return container['name'] === name
      ? inVariables(container['env'], `spec.podTemplate.spec.${field}[${index}].env`)
      : [];
  });

const inVariables = (env: unknown, path: string): readonly Problem[] =>
  list(env).flatMap((each, index) => {
    const { name, value } = object(each);
    if (typeof value !== 'string' || value.trim() === '' || value.includes('$(')) return [];
    if (!PROXY_VARIABLES.some((variable) => variable === name)) return [];
    return parseProxy(value.replaceAll('$$', () => '$')) ? [] : [{ path: `${path}[${index}].value`, message: MESSAGE }];
  });

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
