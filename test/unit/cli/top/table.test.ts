import { describe, expect, test } from 'vitest';
import { tableText } from '../../../../cli/top/print.ts';
import { tableOf } from '../../../../cli/top/table.ts';
import type { EngineReading, Figures, Observed, TopPod, TopResource } from '../../../../cli/top/types.ts';

const llama: TopResource = {
  kind: 'ModelServing',
  namespace: 'models',
  name: 'llama',
  label: 'model-serving',
  phase: 'Running',
  ready: 2,
  desired: 3,
};
const resnet: TopResource = {
  kind: 'DistributedTraining',
  namespace: 'vision',
  name: 'resnet',
  label: 'distributed-training',
  phase: 'Running',
};

const podOf = (resource: TopResource, name: string, more: Partial<TopPod> = {}): TopPod => ({
  namespace: resource.namespace,
  name,
  isOurs: true,
  label: resource.label,
  instance: resource.name,
  gpus: 2,
  node: 'gpu-0',
  ...more,
});

const metrics = { port: 8000, path: '/metrics' };
const serving = (name: string) => podOf(llama, name, { metrics });

const seen = (more: Partial<Observed>): Observed => ({
  resources: [llama],
  engines: new Map(),
  utilisation: new Map(),
  notes: [],
  ...more,
});

const busy: EngineReading = { running: 3, waiting: 1, tokensPerSecond: 40 };

describe('the figures of a resource', () => {
  const cases: readonly [string, Partial<Observed>, Figures][] = [
    ['are unknown where pods may not be listed', {}, {}],
    ['are no GPUs where it has no pods', { pods: [] }, { gpus: 0, gpusWaiting: 0 }],
    [
      'are the GPUs of pods that run and that wait for a node',
      { pods: [serving('a'), { ...podOf(llama, 'b'), node: undefined } as unknown as TopPod] },
      { gpus: 4, gpusWaiting: 2 },
    ],
    [
      'leave out pods of others, and of a namesake of another kind',
      {
        pods: [
          podOf(llama, 'a', { isOurs: false }),
          podOf(llama, 'b', { label: 'agent-service' }),
          podOf(llama, 'c', { namespace: 'other' }),
        ],
      },
      { gpus: 0, gpusWaiting: 0 },
    ],
    [
      'are the sums of what its engines tell',
      {
        pods: [serving('a'), serving('b')],
        engines: new Map([
          ['models/a', busy],
          ['models/b', busy],
        ]),
      },
      { gpus: 4, gpusWaiting: 0, running: 6, waiting: 2, tokensPerSecond: 80 },
    ],
    [
      'are marked where an engine did not answer',
      { pods: [serving('a'), serving('b')], engines: new Map([['models/a', busy]]) },
      { gpus: 4, gpusWaiting: 0, ...busy, incomplete: true },
    ],
    [
      'leave out what an engine does not tell',
      { pods: [serving('a')], engines: new Map([['models/a', { waiting: 0 }]]) },
      { gpus: 2, gpusWaiting: 0, waiting: 0 },
    ],
    [
      'are the average use of its GPUs, and those that did nothing',
      {
        pods: [serving('a'), serving('b')],
        utilisation: new Map([
          ['models/a', [90, 0]],
          ['models/b', [45, 0]],
        ]),
      },
      { gpus: 4, gpusWaiting: 0, gpuUtilisation: 34, gpusIdle: 2 },
    ],
  ];
  test.each(cases)('%s', (_, observed, figures) => {
    const { kind, namespace, name, phase, ready, desired } = llama;
    const table = tableOf(seen(observed));
    expect(table.resources).toEqual([{ kind, namespace, name, phase, ready, desired, ...figures }]);
    expect(table.namespaces).toEqual([{ namespace, ...figures }]);
  });
});

test('the table has what asks for most GPUs first, sums by namespace, the nodes, and what is not known', () => {
  const small = { ...llama, name: 'small', phase: '' };
  const table = tableOf(
    seen({
      resources: [small, llama, resnet],
      pods: [
        serving('a'),
        serving('b'),
        podOf(small, 's', { gpus: 1, metrics }),
        podOf(resnet, 'r', { gpus: 8 }),
        { ...podOf(resnet, 'w', { gpus: 8 }), node: undefined } as unknown as TopPod,
      ],
      engines: new Map([
        ['models/a', { ...busy, tokensPerSecond: 51.25 }],
        ['models/s', busy],
      ]),
      utilisation: new Map([
        ['models/a', [91, 89]],
        ['vision/r', Array.from({ length: 8 }, () => 0)],
      ]),
      nodes: { total: 32, ours: 13, others: 4, free: 7, closed: 8 },
      notes: ['1 of 3 engines tell no requests and tokens: no answer in time'],
    }),
  );
  expect(tableText(table, true)).toBe(
    `\
NAMESPACE  RESOURCE                    PHASE    REPLICAS  GPUS            GPU%  IDLE  RUNNING  WAITING  TOK/S
models     modelserving/llama          Running  2/3       4               90    0     3+       1+       51.3+
models     modelserving/small          -        2/3       1               -     -     3        1        40
models     total                                          5               90    0     6+       2+       91.3+
vision     distributedtraining/resnet  Running  -         16 (8 waiting)  0     8     -        -        -
vision     total                                          16 (8 waiting)  0     8     -        -        -
GPUs of the nodes: 32. Trunnion's resources hold 13, other pods 4; 7 are free, 8 on nodes that take no pods.
note: 1 of 3 engines tell no requests and tokens: no answer in time
`,
  );
  expect(tableText(table, false)).not.toContain('total');
});

test('a cluster without resources has no table', () => {
  expect(tableText(tableOf(seen({ resources: [], pods: [] })), false)).toBe('');
});
