import { expect, test } from 'vitest';
import { loopbackOf } from '../../../cluster/index.ts';
import { simulatedNodes } from '../../../cluster/nodes.ts';

test('GPU nodes look as a GPU operator leaves them, and one more node takes what needs no GPU', () => {
  const [cpu, first, ...others] = simulatedNodes({
    nodes: 3,
    cpuNodes: 1,
    gpusPerNode: 8,
    gpuProduct: 'NVIDIA-L4',
    kubeletPort: 1,
  });
  expect(others).toHaveLength(2);
  expect(first?.metadata.labels).toMatchObject({
    'nvidia.com/gpu.present': 'true',
    'nvidia.com/gpu.count': '8',
    'nvidia.com/gpu.product': 'NVIDIA-L4',
    'nvidia.com/gpu.memory': '23034',
  });
  expect(first?.spec['taints']).toEqual([{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }]);
  expect(first?.status['allocatable']).toMatchObject({ 'nvidia.com/gpu': '8' });
  expect(cpu?.spec['taints']).toEqual([]);
  expect(cpu?.status['allocatable']).not.toHaveProperty(['nvidia.com/gpu']);
});

test('every node has a range of pod addresses of its own, all in 10.128.0.0/9', () => {
  const nodes = simulatedNodes({ nodes: 600, cpuNodes: 1, gpusPerNode: 1, gpuProduct: 'x', kubeletPort: 1 });
  const ranges = nodes.map(({ spec }) => spec['podCIDR'] as string);
  expect(new Set(ranges).size).toBe(601);
  expect(ranges.every((range) => Number(range.split('.')[1]) >= 128)).toBe(true);
});

test('the loopback address of a pod keeps what tells pods apart', () => {
  expect(loopbackOf('10.128.3.254')).toBe('127.128.3.254');
  expect(() => loopbackOf('192.168.0.1')).toThrow('192.168.0.1 is no address of a simulated pod');
});
