import { describe, expect, test } from 'vitest';
import { gpuTest, nodeGpus, topPodOf } from '../../../../cli/top/pods.ts';
import { live, pod, READY_POD, UNSCHEDULABLE_POD } from '../support/objects.ts';

const isGpu = gpuTest(new Set(['example.com/npu']));

const labels = {
  'app.kubernetes.io/part-of': 'trunnion',
  'app.kubernetes.io/name': 'model-serving',
  'app.kubernetes.io/instance': 'llama',
};
const annotations = { 'prometheus.io/port': '8000', 'prometheus.io/path': '/metrics' };
const asking = (limits: Record<string, string>, nodeName?: string) => ({
  containers: [{ name: 'server', resources: { limits } }],
  ...(nodeName !== undefined && { nodeName }),
});

test.each([
  ['nvidia.com/gpu', true],
  ['nvidia.com/gpu.shared', true],
  ['nvidia.com/mig-1g.10gb', true],
  ['amd.com/gpu', true],
  ['gpu.intel.com/i915', true],
  ['example.com/npu', true],
  ['nvidia.com/hostdev', false],
  ['gpu.intel.com/i915_monitoring', false],
  ['rdma/hca', false],
  ['memory', false],
])('whether %s is a GPU: %s', (device, expected) => {
  expect(isGpu(device)).toBe(expected);
});

describe('a pod', () => {
  test('that is ready has its GPUs, its node and where its metrics are', () => {
    const spec = asking({ 'nvidia.com/gpu': '2', 'example.com/npu': '1', 'nvidia.com/hostdev': '4' }, 'gpu-0');
    expect(topPodOf(pod('a', READY_POD, { spec, metadata: { labels, annotations } }), isGpu)).toEqual({
      namespace: 'models',
      name: 'a',
      isOurs: true,
      label: 'model-serving',
      instance: 'llama',
      gpus: 3,
      node: 'gpu-0',
      metrics: { port: 8000, path: '/metrics' },
    });
  });

  test('that waits has no node, and its metrics are not asked for', () => {
    const found = topPodOf(
      pod('a', UNSCHEDULABLE_POD, { spec: asking({ 'nvidia.com/gpu': '1' }), metadata: { labels, annotations } }),
      isGpu,
    );
    expect(found).toMatchObject({ gpus: 1 });
    expect(found).not.toHaveProperty('node');
    expect(found).not.toHaveProperty('metrics');
  });

  test.each(['0', '65536', '-1', 'http', '8000/x', ''])('is not asked at the port %j', (port) => {
    const metadata = { labels, annotations: { 'prometheus.io/port': port } };
    expect(topPodOf(pod('a', READY_POD, { spec: asking({}), metadata }), isGpu)).not.toHaveProperty('metrics');
  });

  test.each(['Succeeded', 'Failed'])('that %s holds nothing', (phase) => {
    expect(topPodOf(pod('a', { phase }, { spec: asking({ 'nvidia.com/gpu': '1' }) }), isGpu)).toBeUndefined();
  });

  test('of nobody known is of others', () => {
    expect(topPodOf(pod('a', READY_POD, { spec: asking({ 'nvidia.com/gpu': '1' }) }), isGpu)).toMatchObject({
      isOurs: false,
    });
  });
});

test('the GPUs of nodes are held by us and others, or free, unless the node takes no pods', () => {
  const node = (name: string, gpus: string, spec = {}, ready = 'True') =>
    live('v1', 'Node', name, {
      spec,
      status: { allocatable: { 'nvidia.com/gpu': gpus, cpu: '8' }, conditions: [{ type: 'Ready', status: ready }] },
    });
  const on = (nodeName: string, gpus: string, metadata = {}) => {
    const found = topPodOf(
      pod(nodeName, READY_POD, { spec: asking({ 'nvidia.com/gpu': gpus }, nodeName), metadata }),
      isGpu,
    );
    return found === undefined ? [] : [found];
  };
  const nodes = [
    node('a', '8'),
    node('b', '8', { unschedulable: true }),
    node('c', '4', {}, 'False'),
    node('cpu', '0'),
    node('shrunk', '1'),
  ];
  const pods = [on('a', '3', { labels }), on('a', '1'), on('b', '2'), on('shrunk', '2')].flat();
  expect(nodeGpus(nodes, pods, isGpu)).toEqual({ total: 21, ours: 3, others: 5, free: 4, closed: 10 });
});
