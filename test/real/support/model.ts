import { expect } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { LIGHT_WITH_PYTHON } from '../images/debian.ts';
import { LIGHT } from '../images/programs.ts';
import { logOfJob, RESTRICTED_CONTAINER, RESTRICTED_POD } from './pods.ts';

/** A small model of the volume `weights`, which the light engine serves. */
export const lightModel = {
  model: { uri: 'pvc://weights/tiny' },
  engine: { type: 'vllm', image: LIGHT_WITH_PYTHON.name },
  resources: { gpu: 0, cpu: '100m', memory: '256Mi' },
  drain: { timeoutSeconds: 30 },
  replicas: 1,
} satisfies ModelServingSpecInput;

/** A namespace whose pods must keep to the level `restricted` of Pod Security. */
export async function restrictedNamespace(client: KubeClient, name: string): Promise<void> {
  await client.create(TYPES.namespace, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  });
}

/** The volume `weights`, which somebody has filled with two models, `tiny` and `other`. */
export async function fillVolume(client: KubeClient, namespace: string): Promise<void> {
  await client.create(TYPES.persistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'weights', namespace },
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
  });
  const script = `for (const name of ['tiny', 'other']) {
    fs.mkdirSync('/weights/' + name);
    fs.writeFileSync('/weights/' + name + '/config.json', '{}');
  }`;
  const filler = {
    name: 'fill',
    image: LIGHT.name,
    command: ['node', '-e', script],
    securityContext: RESTRICTED_CONTAINER,
    volumeMounts: [{ name: 'weights', mountPath: '/weights' }],
  };
  const volumes = [{ name: 'weights', persistentVolumeClaim: { claimName: 'weights' } }];
  const spec = { restartPolicy: 'Never', securityContext: RESTRICTED_POD, containers: [filler], volumes };
  await client.create(TYPES.job, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'fill', namespace },
    spec: { template: { spec } },
  });
  expect(await logOfJob(client, namespace, 'fill')).toBe('');
}
