import { expect, test } from 'vitest';
import type { Row, Table } from '../../../../../cli/top/types.ts';
import { groupsOf, partsOf } from '../../../../../cli/ui/page/model/gpus.ts';

const row = (namespace: string, name: string, more: Partial<Row> = {}): Row => ({
  namespace,
  kind: 'ModelServing',
  name,
  phase: 'Ready',
  ...more,
});

const table: Table = {
  resources: [
    row('ml', 'llama', {
      ready: 1,
      desired: 2,
      gpus: 16,
      gpusWaiting: 8,
      gpuUtilisation: 71,
      gpusIdle: 0,
      running: 12,
      waiting: 3,
      tokensPerSecond: 1234.5,
      incomplete: true,
    }),
    row('ml', 'mistral', { gpus: 1, tokensPerSecond: 45.67 }),
    row('vision', 'resnet', { kind: 'DistributedTraining', phase: '' }),
  ],
  namespaces: [{ namespace: 'ml', gpus: 17, gpusWaiting: 8 }, { namespace: 'vision' }],
  notes: [],
};

test('resources stand below their namespace, with its sums', () => {
  const [ml, vision] = groupsOf(table, '');
  expect(ml).toMatchObject({ namespace: 'ml', sums: { gpus: '17 (8 waiting)' }, rows: { length: 2 } });
  expect(ml?.rows[0]).toEqual({
    key: 'ml/ModelServing/llama',
    resource: { kind: 'ModelServing', namespace: 'ml', name: 'llama' },
    phase: 'Ready',
    replicas: '1/2',
    gpus: '16 (8 waiting)',
    used: 71,
    idle: '0',
    running: '12+',
    waiting: '3+',
    tokens: '1235+',
  });
  expect(ml?.rows[1]).toMatchObject({ replicas: '–', used: undefined, idle: '–', tokens: '45.7' });
  expect(vision?.rows[0]).toMatchObject({ phase: '–', gpus: '–' });
});

test.each([
  ['', ['ml', 'vision']],
  ['llama', ['ml']],
  ['distributedtraining', ['vision']],
  ['nobody', []],
])('the filter %j leaves the namespaces %j', (filter, namespaces) => {
  expect(groupsOf(table, filter).map(({ namespace }) => namespace)).toEqual(namespaces);
});

test('the GPUs of the nodes are parts of a whole', () => {
  expect(partsOf({ total: 32, ours: 16, others: 4, free: 8, closed: 4 })).toMatchObject([
    { id: 'ours', count: 16, x: 0, width: 50 },
    { id: 'others', count: 4, x: 50, width: 12.5 },
    { id: 'free', count: 8, x: 62.5, width: 25 },
    { id: 'closed', count: 4, x: 87.5, width: 12.5 },
  ]);
  expect(partsOf({ total: 0, ours: 0, others: 0, free: 0, closed: 0 }).every(({ width }) => width === 0)).toBe(true);
});
