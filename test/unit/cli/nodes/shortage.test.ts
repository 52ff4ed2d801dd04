import { describe, expect, test } from 'vitest';
import { nodesInUse, shortageOf } from '../../../../cli/nodes/shortage.ts';
import type { KubeObject } from '../../../../operator/kube/index.ts';
import { live, pod } from '../support/objects.ts';

const GPUS = { 'nvidia.com/gpu': '8', cpu: '96', memory: '1152Gi' };
const node = (name: string, { allocatable = GPUS, ...spec }: { allocatable?: object; [field: string]: unknown } = {}) =>
  live('v1', 'Node', name, { spec, status: { allocatable } });
const cordoned = (name: string) =>
  node(name, { unschedulable: true, taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] });
const tainted = (name: string, key: string, value?: string) =>
  node(name, { taints: [{ key, effect: 'NoSchedule', ...(value !== undefined && { value }) }] });

const waiting = (message: string, { gpu = 4, ...spec }: { gpu?: number; [field: string]: unknown } = {}): KubeObject =>
  pod(
    'llama-a',
    { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] },
    { spec: { containers: [{ name: 'server', resources: { limits: { 'nvidia.com/gpu': gpu } } }], ...spec } },
  );
const user = (namespace: string, name: string, gpu: number, labels: object = {}, phase = 'Running') =>
  pod(
    name,
    { phase },
    {
      metadata: { namespace, labels },
      spec: { containers: [{ name: 'server', resources: { limits: { 'nvidia.com/gpu': gpu } } }] },
    },
  );
const ofTrunnion = (instance: string) => ({
  'app.kubernetes.io/part-of': 'trunnion',
  'app.kubernetes.io/instance': instance,
});

const resource = live('trunnion.dev/v1alpha1', 'ModelServing', 'llama', { spec: { resources: { gpu: 4 } } });
const NONE = '0/2 nodes are available: 2 node(s) were unschedulable.';
const FULL = '0/2 nodes are available: 2 Insufficient nvidia.com/gpu.';

describe('why a pod finds no node is told by what the nodes are', () => {
  test.for<readonly [string, KubeObject, readonly KubeObject[], readonly KubeObject[] | undefined, readonly string[]]>([
    [
      'one is cordoned',
      waiting(NONE),
      [cordoned('gpu-0'), node('cpu-0', { allocatable: { cpu: '8' } })],
      undefined,
      ['gpu-0 could hold it and is cordoned: kubectl uncordon gpu-0'],
    ],
    [
      'many are cordoned',
      waiting(NONE),
      ['gpu-0', 'gpu-1', 'gpu-2', 'gpu-3'].map(cordoned),
      undefined,
      ['gpu-0, gpu-1, gpu-2 and 1 more could hold it and are cordoned: kubectl uncordon gpu-0'],
    ],
    [
      'one is tainted',
      waiting(NONE),
      [tainted('gpu-0', 'team', 'search')],
      undefined,
      [
        'gpu-0 could hold it and has the taint team=search:NoSchedule: name it in spec.tolerations, or remove it: kubectl taint node gpu-0 team=search:NoSchedule-',
      ],
    ],
    [
      'one is not ready',
      waiting(NONE),
      [tainted('gpu-0', 'node.kubernetes.io/not-ready')],
      undefined,
      [
        'gpu-0 could hold it and has the taint node.kubernetes.io/not-ready:NoSchedule: kubectl describe node gpu-0 tells why, and it goes by itself',
      ],
    ],
    [
      'a taint is tolerated, by its key',
      waiting(NONE, { tolerations: [{ key: 'team', operator: 'Exists' }] }),
      [tainted('gpu-0', 'team', 'search')],
      undefined,
      [],
    ],
    [
      'a taint is tolerated, by its value',
      waiting(NONE, { tolerations: [{ key: 'team', value: 'search' }] }),
      [tainted('gpu-0', 'team', 'search')],
      undefined,
      [],
    ],
    [
      'one is too small',
      waiting(FULL, { gpu: 16 }),
      [node('gpu-0')],
      [],
      ['pod llama-a: nvidia.com/gpu 16 fits no node: the largest has 8 × nvidia.com/gpu'],
    ],
    [
      'others hold the GPUs',
      waiting(FULL),
      [node('gpu-0')],
      [
        user('prod', 'qwen-x', 2, ofTrunnion('qwen')),
        user('prod', 'qwen-y', 2, ofTrunnion('qwen')),
        user('lab', 'notebook', 3),
        user('lab', 'done', 8, {}, 'Succeeded'),
        user('lab', 'without', 0),
      ],
      ['nvidia.com/gpu in use: prod/qwen 4, lab/notebook 3'],
    ],
    ['others hold them, and may not be looked at', waiting(FULL), [node('gpu-0')], undefined, []],
  ])('%s', ([, homeless, nodes, neighbours, sentences]) => {
    expect(shortageOf(homeless, { resource, nodes, neighbours })).toEqual(sentences);
  });
});

test('only nodes that could hold the pod are looked at for who holds what it lacks', () => {
  const nodes = [node('gpu-0'), node('cpu-0', { allocatable: { cpu: '8' } })];
  expect(nodesInUse([waiting(FULL)], nodes).map(({ metadata }) => metadata.name)).toEqual(['gpu-0']);
  expect(nodesInUse([waiting(NONE)], nodes)).toEqual([]);
});
