import { App, Chart } from 'cdk8s';
import { AgentService, type AgentServiceSpecInput, type Manifest } from '../constructs/index.ts';
import { agentService as kind } from '../operator/kinds/agent-service/index.ts';
import type { KubeClient } from '../operator/kube/index.ts';
import { apiVersionOf, type KubeObject, type ResourceType } from '../operator/kube/index.ts';
import { pooled } from './pool.ts';

/** How many requests each subject has under way at once. */
export const AT_ONCE = 20;

/** Nothing has to be waited for but the objects themselves: no weights, no accelerator, nothing referred to. */
export const spec: AgentServiceSpecInput = {
  image: 'registry.example.com/agent:1.0.0',
  model: 'gpt-4o',
  replicas: 1,
  resources: { cpu: '100m', memory: '64Mi' },
};

export const RESOURCE: ResourceType = kind.type;

export const CHILD_TYPES: readonly ResourceType[] = kind.childTypes;

/** The name of a resource, and of its Deployment. */
export const nameOf = (index: number): string => `agent-${index}`;

/** The objects that the construct gives. */
export function objectsOf(index: number, namespace: string): readonly Manifest[] {
  const chart = new Chart(new App(), 'bench');
  const props = { name: nameOf(index), namespace, spec };
  return new AgentService(chart, 'agent', props).render().map(({ manifest }) => manifest);
}

/** The objects of `count` resources. */
export const objectsOfAll = (count: number, namespace: string): readonly (readonly Manifest[])[] =>
  Array.from({ length: count }, (_, index) => objectsOf(index, namespace));

function typeOf({ apiVersion, kind: name }: Manifest): ResourceType {
  const type = CHILD_TYPES.find((one) => apiVersionOf(one) === apiVersion && one.kind === name);
  if (type === undefined) throw new Error(`${apiVersion} ${name} is no child of ${RESOURCE.kind}`);
  return type;
}

/** A custom resource, as a user creates it. */
export const createResource = (client: KubeClient, namespace: string, index: number): Promise<KubeObject> =>
  client.create(RESOURCE, {
    apiVersion: apiVersionOf(RESOURCE),
    kind: RESOURCE.kind,
    metadata: { name: nameOf(index), namespace },
    spec,
  });

/** Writes the objects of one resource, one after the other. */
export async function createObjects(client: KubeClient, objects: readonly Manifest[] = []): Promise<void> {
  for (const manifest of objects) await client.create(typeOf(manifest), manifest);
}

/** Writes all objects of some resources, and nothing else: as quick as it can be done. */
export const writeObjects = (client: KubeClient, objects: readonly (readonly Manifest[])[]): Promise<void> =>
  pooled(objects.length, AT_ONCE, (index) => createObjects(client, objects[index]));

/** Writes `count` custom resources; the rest is the operator's. */
export const writeResources = (client: KubeClient, namespace: string, count: number): Promise<void> =>
  pooled(count, AT_ONCE, (index) => createResource(client, namespace, index));
