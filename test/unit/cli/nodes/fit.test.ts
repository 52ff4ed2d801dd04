import { describe, expect, it, test } from 'vitest';
import { misfits } from '../../../../cli/nodes/fit.ts';
import { needsOfPod, needsOfSpec } from '../../../../cli/nodes/needs.ts';
import { nodesOf } from '../../../../cli/nodes/list.ts';
import { ApiError, type KubeClient } from '../../../../operator/kube/index.ts';
import { live, pod } from '../support/objects.ts';

const node = (name: string, allocatable: object, { labels = {}, cordoned = false } = {}) =>
  live('v1', 'Node', name, { metadata: { labels }, spec: { unschedulable: cordoned }, status: { allocatable } });

const GPU = { 'nvidia.com/gpu': '8', cpu: '95690m', memory: '1207959552Ki', 'ephemeral-storage': '94477937300' };
const nodes = [
  node('gpu-0', GPU, { labels: { 'nvidia.com/gpu.product': 'NVIDIA-L4' } }),
  node('gpu-1', { ...GPU, 'nvidia.com/gpu': '4', memory: '512Gi' }),
  node('cpu-0', { cpu: '192', memory: '2Ti' }),
];

const serving = (spec: object) => live('trunnion.dev/v1alpha1', 'ModelServing', 'llama', { spec });
const lacks = (resources: object, all = nodes, spec: object = {}) =>
  misfits(needsOfSpec(serving({ ...spec, resources })), all);

describe('what of a spec fits no node', () => {
  test.each([
    ['memory', { memory: '9000Gi' }, ['spec.resources.memory 9000Gi fits no node: the largest has 2048Gi']],
    ['CPUs', { cpu: 500 }, ['spec.resources.cpu 500 fits no node: the largest has 192']],
    ['GPUs', { gpu: 64 }, ['spec.resources.gpu 64 fits no node: the largest has 8 × nvidia.com/gpu']],
    [
      'memory beside GPUs: of the nodes that have these',
      { gpu: 8, memory: '1500Gi' },
      ['spec.resources.memory 1500Gi fits no node with 8 × nvidia.com/gpu: the largest has 1152Gi'],
    ],
    [
      'CPUs beside a product: of the nodes that have it',
      { gpu: 1, gpuProduct: 'NVIDIA-L4', cpu: '96' },
      ['spec.resources.cpu 96 fits no node with nvidia.com/gpu.product=NVIDIA-L4: the largest has 95.69'],
    ],
    [
      'all of it',
      { gpu: 16, cpu: 500, memory: '9000Gi' },
      [
        'spec.resources.gpu 16 fits no node: the largest has 8 × nvidia.com/gpu',
        'spec.resources.cpu 500 fits no node: the largest has 192',
        'spec.resources.memory 9000Gi fits no node: the largest has 2048Gi',
      ],
    ],
    [
      'a resource that no node has',
      { gpu: 1, gpuResource: 'amd.com/gpu' },
      [
        'No node has amd.com/gpu at all (spec.resources.gpu 1): is the GPU operator or device plugin installed? Where an autoscaler begins such nodes at zero, there is none yet.',
      ],
    ],
    ['nothing: all fits', { gpu: 8, cpu: '95690m', memory: '1152Gi' }, []],
    ['nothing: it says nothing', {}, []],
  ])('is reported: %s', (_, resources, reported) => {
    expect(lacks(resources)).toEqual(reported);
  });

  it('is reported by the nodes that are not cordoned', () => {
    const cordoned = nodes.map((each) => node(each.metadata.name, GPU, { cordoned: each.metadata.name !== 'cpu-0' }));
    expect(lacks({ gpu: 16 }, cordoned)).toEqual([
      'spec.resources.gpu 16 fits no node: the largest has 8 × nvidia.com/gpu',
    ]);
    const allCordoned = nodes.map((each) => node(each.metadata.name, GPU, { cordoned: true }));
    expect(lacks({ gpu: 16 }, allCordoned)).toEqual([]);
    // The GPU is there, on a node that is being looked after: nothing needs to be installed.
    const one = [node('gpu-0', GPU, { cordoned: true }), node('cpu-0', { cpu: '8' })];
    expect(lacks({ gpu: 1 }, one)).toEqual(['spec.resources.gpu 1 fits no node: the largest has 0 × nvidia.com/gpu']);
  });

  it('is reported by all nodes where none has the labels: what lacks is another thing', () => {
    expect(lacks({ memory: '1Gi' }, nodes, { nodeSelector: { pool: 'none' } })).toEqual([]);
    expect(lacks({ memory: '9000Gi' }, nodes, { nodeSelector: { pool: 'none' } })).toEqual([
      'spec.resources.memory 9000Gi fits no node: the largest has 2048Gi',
    ]);
  });

  it('is never told as if it fitted: what a node has is rounded down', () => {
    expect(lacks({ memory: '1152Gi' }, [node('a', { memory: '1207959551Ki' })])).toEqual([
      'spec.resources.memory 1152Gi fits no node: the largest has 1151.9Gi',
    ]);
    expect(lacks({ memory: '1Gi' }, [node('a', { memory: '900Mi' })])).toEqual([
      'spec.resources.memory 1Gi fits no node: the largest has 900Mi',
    ]);
  });

  it('is not told of a cluster without nodes, nor of a kind of somebody else', () => {
    expect(lacks({ memory: '9000Gi' }, [])).toEqual([]);
    const other = live('ml.example.com/v1', 'Job', 'x', { spec: { resources: { memory: '9000Gi' } } });
    expect(misfits(needsOfSpec(other), nodes)).toEqual([]);
  });
});

describe('what of a pod fits no node', () => {
  const container = (requests: object, more: object = {}) => ({ name: 'server', resources: { requests }, ...more });
  const of = (spec: object, resources: object = {}) =>
    misfits(needsOfPod(pod('llama-x', {}, { spec }), serving({ resources })), nodes);

  it('is reported by the field of the spec, where that is more than any node has', () => {
    expect(of({ containers: [container({ memory: '9000Gi' })] }, { memory: '9000Gi' })).toEqual([
      'spec.resources.memory 9000Gi fits no node: the largest has 2048Gi',
    ]);
  });

  it('is told of the pod, where another container makes it too large', () => {
    const containers = [container({ memory: '2000Gi' }), container({ memory: '100Gi' })];
    expect(of({ containers }, { memory: '2000Gi' })).toEqual([
      'pod llama-x: memory 2100Gi fits no node: the largest has 2048Gi',
    ]);
  });

  it('counts init containers one after the other, sidecars beside all, and what the state takes', () => {
    const init = (memory: string, more: object = {}) => container({ memory }, more);
    const always = { restartPolicy: 'Always' };
    expect(of({ initContainers: [init('1500Gi'), init('1500Gi')], containers: [container({})] })).toEqual([]);
    expect(of({ initContainers: [init('1500Gi'), init('1500Gi', always)], containers: [init('600Gi')] })).toEqual([
      'pod llama-x: memory 2100Gi fits no node: the largest has 2048Gi',
    ]);
    expect(of({ containers: [init('2000Gi')], overhead: { memory: '100Gi' } })).toHaveLength(1);
  });

  it('is told of local disk as well, and of what no spec of ours says', () => {
    const containers = [container({ 'ephemeral-storage': '1Ti', 'rdma/hca': '1' })];
    expect(of({ containers })).toEqual([
      'pod llama-x: ephemeral-storage 1024Gi fits no node: the largest has 87.9Gi',
      'No node has rdma/hca at all (pod llama-x: rdma/hca 1): is its device plugin installed? Where an autoscaler begins such nodes at zero, there is none yet.',
    ]);
  });

  it('of another pod than that of the spec leaves the fields of the spec alone', () => {
    expect(of({ containers: [container({ memory: '1Gi' })] }, { memory: '9000Gi', gpu: 64 })).toEqual([]);
  });
});

describe('the nodes of a cluster', () => {
  const pages = (count: number): Pick<KubeClient, 'list'> => {
    let page = 0;
    return {
      list: async () => {
        page += 1;
        return { metadata: page < count ? { continue: String(page) } : {}, items: [nodes[0]] as never };
      },
    };
  };

  it('are read page by page', async () => {
    expect(await nodesOf(pages(3))).toHaveLength(3);
  });

  it('are left out where there are too many, or the caller may not list them', async () => {
    expect(await nodesOf(pages(1_000))).toBeUndefined();
    const list = () => Promise.reject(new ApiError(403, { message: 'nodes is forbidden' }));
    expect(await nodesOf({ list })).toBeUndefined();
  });
});
