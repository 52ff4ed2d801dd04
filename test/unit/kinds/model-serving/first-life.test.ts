import { describe, expect, it } from 'vitest';
import type { ModelServingSpec } from '../../../../constructs/model-serving/spec.ts';
import type { ObservedChild } from '../../../../operator/engine/observed.ts';
import {
  MINUTE,
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
  log,
  resourceOf,
  runningChildren,
  runningStatus,
  said,
  sentence,
  server,
  service,
  shared,
  single,
  unschedulable,
  withUri,
} from './support.ts';

const SECOND = 's3://models/second/';

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
  const { status, runtime } = decide({ resource: resourceOf(spec), ...observed });
  const conditions = ['WeightsReady', 'Available', 'Progressing'].map((type) => said(status, type));
  expect([status.phase, ...conditions]).toEqual(expected);
  expect(said(status, 'Accepted')).toBe('True Accepted');
  expect(said(status, 'Ready')?.startsWith('True')).toBe(status.phase === 'Running');
  expect(runtime.serving).toBeUndefined();
};

describe('the first life, where a Job fetches', () => {
  it.each(byJob)('%s', (...row) => check(shared, row));
});

describe('the first life, where the server fetches', () => {
  it.each(byServer)('%s', (...row) => check(single, row));
});

describe('the first life', () => {
  it.each([
    ['pvc://claim/llama', 'True ExistingClaim'],
    ['oci://registry.example.com/llama:1', 'True ImageVolume'],
  ])('fetches nothing from %s', (uri, weights) => {
    const { storage: _, ...rest } = shared;
    const spec = withUri(rest, uri);
    const { status } = decide({ resource: resourceOf(spec), children: [deployment({ ready: 0 }), service()] });
    expect(said(status, 'WeightsReady')).toBe(weights);
    expect(status.phase).toBe('Deploying');
  });

  it('reads the progress of a download from the fetcher, whose log it asks for', () => {
    const observed = { resource: resourceOf(shared), children: [claim(URI), job(URI)], pods: [fetcher(URI)] };
    const ask = decide(observed).asks.find(({ type }) => type === 'podLog');
    expect(ask).toMatchObject({ pod: 'llama-fetch-1', container: 'fetch', everySeconds: 10 });
    const facts = {
      [ask?.id ?? '']: log({ bytes: 10, totalBytes: 100 }, { bytes: 20, totalBytes: 100 }, { words: 1 }),
    };
    expect(decide({ ...observed, facts }).status.weights).toEqual({ uri: URI, bytes: 20, totalBytes: 100 });
  });

  it('keeps the progress that it knew while the log can not be read', () => {
    const { status } = decide({
      resource: resourceOf(shared, { status: { weights: { uri: URI, bytes: 20, totalBytes: 100 } } }),
      children: [claim(URI), job(URI)],
      pods: [fetcher(URI)],
      facts: { 'progress/llama-fetch-1': { at: START, type: 'unknown', message: 'no route to host' } },
    });
    expect(status.weights).toEqual({ uri: URI, bytes: 20, totalBytes: 100 });
  });

  it('takes the revision from the last words of the fetcher', () => {
    const words = JSON.stringify({ revision: '5f0c', bytes: 100, totalBytes: 100 });
    const { status } = decide({
      resource: resourceOf(shared),
      children: [claim(URI), job(URI, 'Complete')],
      pods: [fetcher(URI, { terminated: ends(0, words) })],
    });
    expect(status.weights).toEqual({
      uri: URI,
      revision: '5f0c',
      bytes: 100,
      totalBytes: 100,
      claimUID: claim(URI).uid,
    });
  });

  it('reports endpoint, replicas, selector and images once it runs', () => {
    expect(runningStatus(shared)).toMatchObject({
      endpoint: 'http://llama.models.svc:8000/v1',
      replicas: 1,
      readyReplicas: 1,
      selector: expect.stringContaining('app.kubernetes.io/instance=llama'),
      engine: {
        type: 'vllm',
        image: expect.stringContaining('vllm'),
        pinned: true,
        fetcherImage: expect.stringContaining('node'),
      },
      served: { spec: shared },
      observedGeneration: 1,
    });
  });

  it('names no endpoint before there is one', () => {
    const { status } = decide({ resource: resourceOf(shared), children: [claim(URI), job(URI)] });
    expect(status.endpoint).toBeUndefined();
  });

  it('tells a volume that is not bound for long, and looks again when that is due', () => {
    const children = [claim(URI, 'Pending', { createdAt: START })];
    const early = decide({ resource: resourceOf(shared), children });
    expect(early.wakeAt).toBe(START + 2 * MINUTE);
    const late = decide({ resource: resourceOf(shared), children }, START + 2 * MINUTE);
    expect(said(late.status, 'WeightsReady')).toBe('False VolumeNotBound');
    expect(late.status.phase).toBe('Failed');
    expect(late.wakeAt).toBeUndefined();
  });

  it.each([
    '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
    'persistentvolumeclaim "x" not found',
  ])('has not failed while the scheduler says of a new volume: %s', (words) => {
    const pods = [fetcher(URI, {}, unschedulable(words))];
    for (const phase of ['Pending', 'Bound'] as const) {
      const children = [claim(URI, phase, { createdAt: START }), job(URI)];
      const early = decide({ resource: resourceOf(shared), children, pods });
      expect(early.status.phase).toBe('Pending');
      expect(early.wakeAt).toBe(START + 2 * MINUTE);
      const late = decide({ resource: resourceOf(shared), children, pods }, START + 2 * MINUTE);
      expect(said(late.status, 'WeightsReady')).toBe('False VolumeNotBound');
      expect(late.status.phase).toBe('Failed');
    }
  });

  it('tells a volume without a storage class at once', () => {
    const children = [claim(URI, 'Pending', { createdAt: START, slice: { status: { phase: 'Pending' } } })];
    const { status } = decide({ resource: resourceOf(shared), children });
    expect(said(status, 'WeightsReady')).toBe('False VolumeNotBound');
    expect(sentence(status, 'WeightsReady')).toContain('storage.storageClassName');
  });

  it('takes weights that were there before for granted, but not on a volume that was made since', () => {
    const status = runningStatus(shared);
    const on = (volume: ObservedChild) =>
      decide({ resource: resourceOf(shared, { status }), children: [volume, job(URI)], pods: [fetcher(URI)] }).status;
    expect(said(on(claim(URI)), 'WeightsReady')).toBe('True Fetched');
    const another = on(claim(URI, 'Bound', { uid: 'another' }));
    expect(said(another, 'WeightsReady')).toBe('False Downloading');
    expect(another.weights?.claimUID).toBeUndefined();
  });

  it('knows that a new model is there, also where it was not looked at before it was', () => {
    const next = withUri(shared, SECOND);
    const status = runningStatus(shared);
    const volume = claim(SECOND, 'Bound', { createdAt: START + MINUTE });
    const observed = { resource: resourceOf(next, { status }), children: [volume, job(SECOND, 'Complete')] };
    const fetched = decide(observed, START + 2 * MINUTE).status;
    const later = decide({ resource: resourceOf(next, { status: fetched }), children: [volume] }, START + 3 * MINUTE);
    expect(said(later.status, 'WeightsReady')).toBe('True Fetched');
  });

  it('counts a service that was scaled to zero as running and not available', () => {
    const { status } = decide({
      resource: resourceOf({ ...shared, replicas: 0 }),
      children: [claim(URI), job(URI, 'Complete'), deployment({ desired: 0 }), service()],
    });
    expect(status.phase).toBe('Running');
    expect(said(status, 'Available')).toBe('False ScaledToZero');
    expect(said(status, 'Ready')).toBe('False ScaledToZero');
  });

  it('stays Running with fewer replicas than asked for, and says why it is not ready', () => {
    const down = server(shared, {
      name: 'llama-server-2',
      containers: [
        container('server', {
          waiting: { reason: 'CrashLoopBackOff', message: '' },
          lastTerminated: ends(3, 'bad flag'),
        }),
      ],
    });
    const { status } = decide({
      resource: resourceOf({ ...shared, replicas: 2 }),
      children: [claim(URI), job(URI, 'Complete'), deployment({ desired: 2, ready: 1 }), service()],
      pods: [server(shared), down],
    });
    expect(status.phase).toBe('Running');
    expect(said(status, 'Available')).toBe('True Degraded');
    expect(said(status, 'Ready')).toBe('False Degraded');
    expect(sentence(status, 'Ready')).toMatch(/1 of 2 .*bad flag/);
  });
});
