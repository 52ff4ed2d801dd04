import { expect, it } from 'vitest';
import { editsOf } from '../../../operator/kube/apply/edits.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../../operator/kube/client/types.ts';

const manifest = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'llama', labels: { app: 'llama' } },
  spec: {
    replicas: 2,
    template: {
      spec: {
        containers: [
          {
            name: 'server',
            image: 'vllm:1',
            args: ['--a', '--b'],
            resources: { limits: { cpu: '2' } },
            ports: [{ name: 'http', containerPort: 8000, protocol: 'TCP' }],
          },
        ],
      },
    },
  },
};

const edited = (
  change: (object: typeof manifest) => void,
  ...managedFields: readonly ManagedFieldsEntry[]
): KubeObject => {
  const object = structuredClone(manifest);
  change(object);
  return {
    ...object,
    metadata: {
      ...object.metadata,
      uid: 'u',
      resourceVersion: '2',
      creationTimestamp: '2026-01-01T00:00:00Z',
      managedFields,
    },
  };
};

const by = (manager: string, fieldsV1: object, subresource?: string): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  fieldsV1: { ...fieldsV1 },
  ...(subresource !== undefined && { subresource }),
});

const inServer = (fields: object): object => ({
  'f:spec': { 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"server"}': { '.': {}, ...fields } } } } },
});

const [first] = manifest.spec.template.spec.containers;
type Container = NonNullable<typeof first>;
const server = ({ spec }: typeof manifest): Container => spec.template.spec.containers[0] as Container;

it.each<[string, KubeObject, readonly object[]]>([
  ['nothing', edited(() => {}), []],
  [
    'a field that another manager holds at another value',
    edited((object) => (object.spec.replicas = 5), by('kubectl-edit', { 'f:spec': { 'f:replicas': {} } })),
    [{ path: 'spec.replicas', value: 5, manager: 'kubectl-edit' }],
  ],
  [
    'the same by the subresource scale',
    edited((object) => (object.spec.replicas = 5), by('kubectl-scale', { 'f:spec': { 'f:replicas': {} } }, 'scale')),
    [{ path: 'spec.replicas', value: 5, manager: 'kubectl-scale' }],
  ],
  [
    'a field of a container',
    edited((object) => (server(object).image = 'vllm:2'), by('kubectl-set', inServer({ 'f:image': {} }))),
    [{ path: 'spec.template.spec.containers[server].image', value: 'vllm:2', manager: 'kubectl-set' }],
  ],
  [
    'a list that is held as a whole',
    edited((object) => (server(object).args = ['--c']), by('kubectl-edit', inServer({ 'f:args': {} }))),
    [{ path: 'spec.template.spec.containers[server].args', value: ['--c'], manager: 'kubectl-edit' }],
  ],
  [
    'a label that was removed',
    edited((object) => Reflect.deleteProperty(object.metadata.labels, 'app')),
    [{ path: 'metadata.labels.app', value: undefined }],
  ],
  [
    'a container that was removed',
    edited((object) => (object.spec.template.spec.containers = [])),
    [{ path: 'spec.template.spec.containers[server]', value: undefined }],
  ],
  [
    'no field that is not of the manifest',
    edited(
      ({ metadata }) => Object.assign(metadata.labels, { team: 'search' }),
      by('kubectl-label', { 'f:metadata': { 'f:labels': { 'f:team': {} } } }),
    ),
    [],
  ],
  [
    'no field that another manager holds at the same value, or at another notation of it',
    edited(
      (object) => (server(object).resources.limits.cpu = '2000m'),
      by('other', inServer({ 'f:image': {}, 'f:resources': { 'f:limits': { 'f:cpu': {} } } })),
    ),
    [],
  ],
  [
    'no field that admission changed, which the API server notes for the manager of the request',
    edited((object) => (server(object).image = 'mirror/vllm:1'), by('trunnion', inServer({ 'f:image': {} }))),
    [],
  ],
  [
    'no status',
    edited(
      (object) => (object.spec.replicas = 5),
      by('kube-controller-manager', { 'f:spec': { 'f:replicas': {} } }, 'status'),
    ),
    [],
  ],
])('finds %s', (_, live, edits) => {
  expect(editsOf(live, manifest, (manager) => manager === 'trunnion')).toEqual(edits);
});
