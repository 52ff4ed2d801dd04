import type { ModelServingSpecInput } from '../../../../constructs/index.ts';
import type { Container, PodTemplate } from '../../../../constructs/parts/objects/kube.ts';
import { childOf, podOf, templateOf } from './render.ts';

/** What a user says of pods. */
export type Patch = NonNullable<ModelServingSpecInput['podTemplate']>;

/** The pod of the fetch Job. */
export const jobPod = (spec: ModelServingSpecInput): PodTemplate => templateOf(childOf('fetch', spec).manifest);

/** The container that fetches: the Job's, or the server's init container. */
export function fetchOf(spec: ModelServingSpecInput): Container {
  const isJob = spec.storage?.accessMode !== undefined;
  const containers = isJob ? jobPod(spec).spec.containers : podOf(spec).initContainers;
  const found = containers?.find(({ name }) => name === 'fetch');
  if (!found) throw new Error('there is no container that fetches');
  return found;
}

/** A spec with a patch of its pods. */
export const on = (base: ModelServingSpecInput, podTemplate: Patch): ModelServingSpecInput => ({
  ...base,
  podTemplate,
});

/** A patch of the container that serves. */
export const server = (fields: object): Patch => ({ spec: { containers: [{ name: 'server', ...fields }] } });

/** The certificate of a CA, in a ConfigMap, and where servers see it. */
export const ca = { name: 'ca', configMap: { name: 'corporate-ca' } };
export const caMount = { name: 'ca', mountPath: '/etc/corporate', readOnly: true };
