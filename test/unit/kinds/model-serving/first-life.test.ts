import { describe, expect, it } from 'vitest';
import type { ModelServingSpec } from '../../../../constructs/model-serving/spec.ts';
import {
  RUNNING,
  START,
  URI,
  claim,
  container,
  decide,
  deployment,
  ends,
  fetcher,
  job,
  resourceOf,
  runningChildren,
  conditionOf,
  server,
  service,
  shared,
  single,
} from './support.ts';

type Row = readonly [
  what: string,
  observed: Omit<Parameters<typeof decide>[0], 'resource'>,
  phase: string,
  weights: string,
  available: string,
  progressing: string,
];

const starting = (spec: ModelServingSpec) => server(spec, { containers: [container('server', RUNNING)] });

const byJob: readonly Row[] = [
  ['nothing', {}, 'Pending', 'False FetchPending', 'False FetchingWeights', 'True FetchingWeights'],
  [
    'a volume that waits for its first pod',
    { children: [claim(URI, 'Pending'), job(URI, 'running', { createdAt: START })] },
    'Pending',
    'False VolumePending',
    'False FetchingWeights',
    'True FetchingWeights',
  ],
  [
    'a Job without its pod yet',
    { children: [claim(URI), job(URI, 'running', { createdAt: START })] },
    'Pending',
    'False FetchPending',
    'False FetchingWeights',
    'True FetchingWeights',
  ],
  [
    'a fetcher that runs',
    { children: [claim(URI), job(URI)], pods: [fetcher(URI)] },
    'Downloading',
    'False Downloading',
    'False FetchingWeights',
    'True FetchingWeights',
  ],
  [
    'a fetcher that is done, in a Job that is not yet',
    { children: [claim(URI), job(URI)], pods: [fetcher(URI, { terminated: ends(0) })] },
    'Downloading',
    'False Downloading',
    'False FetchingWeights',
    'True FetchingWeights',
  ],
  [
    'a complete Job',
    { children: [claim(URI), job(URI, 'Complete')] },
    'Pending',
    'True Fetched',
    'False Pending',
    'True Pending',
  ],
  [
    'a server that starts',
    {
      children: [claim(URI), job(URI, 'Complete'), deployment({ ready: 0 }), service()],
      pods: [starting(shared)],
    },
    'Deploying',
    'True Fetched',
    'False Deploying',
    'True Deploying',
  ],
  [
    'a server that is ready',
    { children: runningChildren(shared), pods: [server(shared)] },
    'Running',
    'True Fetched',
    'True Available',
    'True Complete',
  ],
];

const byServer: readonly Row[] = [
  [
    'a volume that waits for its first pod',
    { children: [claim(URI, 'Pending', { createdAt: START }), deployment({ ready: 0 }), service()] },
    'Pending',
    'False VolumePending',
    'False FetchingWeights',
    'True FetchingWeights',
  ],
  [
    'an init container that fetches',
    {
      children: [claim(URI), deployment({ ready: 0 }), service()],
      pods: [server(single, { phase: 'Pending', containers: [container('fetch', { init: true, ...RUNNING })] })],
    },
    'Downloading',
    'False Downloading',
    'False FetchingWeights',
    'True FetchingWeights',
  ],
  [
    'an init container that has fetched',
    {
      children: [claim(URI), deployment({ ready: 0 }), service()],
      pods: [
        server(single, {
          containers: [
            container('fetch', { init: true, ready: true, terminated: ends(0) }),
            container('server', RUNNING),
          ],
        }),
      ],
    },
    'Deploying',
    'True Fetched',
    'False Deploying',
    'True Deploying',
  ],
  [
    'a server that is ready',
    { children: runningChildren(single), pods: [server(single)] },
    'Running',
    'True Fetched',
    'True Available',
    'True Complete',
  ],
];

const check = (spec: ModelServingSpec, [, observed, ...expected]: Row) => {
  const { status, state } = decide({ resource: resourceOf(spec), ...observed });
  const conditions = ['WeightsReady', 'Available', 'Progressing'].map((type) => conditionOf(status, type));
  expect([status.phase, ...conditions]).toEqual(expected);
  expect(conditionOf(status, 'Accepted')).toBe('True Accepted');
  expect(conditionOf(status, 'Ready')?.startsWith('True')).toBe(status.phase === 'Running');
  expect(state.serving).toBeUndefined();
};

describe('the first life, where a Job fetches', () => {
  it.each(byJob)('%s', (...row) => check(shared, row));
});

describe('the first life, where the server fetches', () => {
  it.each(byServer)('%s', (...row) => check(single, row));
});
