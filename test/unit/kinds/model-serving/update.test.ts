import { describe, expect, it } from 'vitest';
import {
  OTHER_URI,
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
  runningStatus,
  conditionOf,
  messageOf,
  server,
  service,
  shared,
  single,
  withUri,
  RUNNING,
} from './support.ts';

const next = withUri(shared, OTHER_URI);
const third = withUri(shared, 's3://models/third/');
const running = runningStatus(shared);
const edited = (spec = next, status = running) => resourceOf(spec, { status, generation: 2 });

const newServer = (spec = next) =>
  server(spec, { name: 'llama-server-2', createdAt: START, containers: [container('server', RUNNING)] });

describe('another model, where a Job fetches it', () => {
  const downloading = {
    resource: edited(),
    children: [...runningChildren(shared), claim(OTHER_URI), job(OTHER_URI)],
    pods: [server(shared), fetcher(OTHER_URI)],
  };

  it('is downloaded while the one before serves on', () => {
    const { state, status } = decide(downloading);
    expect(state.serving).toEqual(shared);
    expect(status.phase).toBe('Updating');
    expect(conditionOf(status, 'Available')).toBe('True Available');
    expect(conditionOf(status, 'WeightsReady')).toBe('False Downloading');
    expect(conditionOf(status, 'Progressing')).toBe('True FetchingWeights');
    expect(status.weights?.uri).toBe(OTHER_URI);
    expect(status.served?.spec).toEqual(shared);
    expect(status.endpoint).toBe(running.endpoint);
  });

  it('is taken up once it is there, while the pods of the one before are still told apart', () => {
    const children = [...runningChildren(shared), claim(OTHER_URI), job(OTHER_URI, 'Complete')];
    const { state, status } = decide({ ...downloading, children });
    expect(state.serving).toBeUndefined();
    expect(conditionOf(status, 'WeightsReady')).toBe('True Fetched');
    expect(status.phase).toBe('Updating');
    expect(status.served?.spec).toEqual(shared);
  });

  it('is what serves once the last pod of the one before is gone', () => {
    const { status } = decide({
      resource: edited(),
      children: [claim(OTHER_URI), job(OTHER_URI, 'Complete'), deployment(), service()],
      pods: [server(next)],
    });
    expect(status.phase).toBe('Running');
    expect(status.served?.spec).toEqual(next);
  });

  it('that fails to download leaves the one before in service, and says so', () => {
    const children = [...runningChildren(shared), claim(OTHER_URI), job(OTHER_URI, 'Failed')];
    const pods = [server(shared), fetcher(OTHER_URI, { terminated: ends(66, 'there is nothing there') })];
    const { state, status } = decide({ resource: edited(), children, pods });
    expect(state.serving).toEqual(shared);
    expect(status.phase).toBe('Updating');
    expect(conditionOf(status, 'Available')).toBe('True Available');
    expect(conditionOf(status, 'Ready')).toBe('False DownloadFailed');
    expect(messageOf(status, 'Progressing')).toContain('there is nothing there');
  });

  it('that does not start leaves the one before in service, and says so', () => {
    const crashing = server(next, {
      name: 'llama-server-2',
      createdAt: START,
      containers: [container('server', { restarts: 1, lastTerminated: ends(3, 'unknown architecture'), ...RUNNING })],
    });
    const children = [
      claim(OTHER_URI),
      job(OTHER_URI, 'Complete'),
      deployment({ replicas: 2, updated: 1, ready: 1 }),
      service(),
    ];
    const { status } = decide({ resource: edited(), children, pods: [server(shared), crashing] });
    expect(status.phase).toBe('Updating');
    expect(conditionOf(status, 'Available')).toBe('True Available');
    expect(conditionOf(status, 'Progressing')).toBe('False CrashLoop');
  });

  it('taken back during the download ends the update', () => {
    const before = decide(downloading).status;
    const { state, status } = decide({ ...downloading, resource: edited(shared, before) });
    expect(state.serving).toBeUndefined();
    expect(status.phase).toBe('Running');
    expect(status.weights?.uri).toBe(URI);
  });

  it('taken back while it rolls goes back at once, since its own fetch is still there', () => {
    const { state, status } = decide({
      resource: edited(shared, { ...running, phase: 'Updating' }),
      children: [
        ...runningChildren(shared).filter(({ kind }) => kind !== 'Deployment'),
        deployment({ replicas: 2, updated: 1, ready: 1 }),
      ],
      pods: [server(shared), newServer()],
    });
    expect(state.serving).toBeUndefined();
    expect(status.phase).toBe('Updating');
    expect(status.served?.spec).toEqual(shared);
  });

  it('gives way to a third, while the first still serves', () => {
    const { state, status } = decide({ ...downloading, resource: edited(third, decide(downloading).status) });
    expect(state.serving).toEqual(shared);
    expect(status.weights).toEqual({ uri: third.model.uri });
    expect(conditionOf(status, 'WeightsReady')).toBe('False FetchPending');
  });

  it('brings other changes of the pods with it, and replicas at once', () => {
    const { state } = decide({ ...downloading, resource: edited({ ...next, replicas: 3 }) });
    expect(state.serving?.replicas).toBe(1);
    expect(state.serving?.model.uri).toBe(URI);
  });

  it('keeps the one before serving though somebody deleted the Deployment', () => {
    const { state } = decide({
      ...downloading,
      children: downloading.children.filter(({ kind }) => kind !== 'Deployment'),
    });
    expect(state.serving).toEqual(shared);
  });

  it('is downloaded first even where the one before had failed to start', () => {
    const status = decide({ resource: resourceOf(shared), children: runningChildren(shared) }).status;
    expect(decide({ ...downloading, resource: edited(next, status), pods: [] }).state.serving).toEqual(shared);
  });
});

describe('another model, where the server fetches it', () => {
  const wanted = withUri(single, OTHER_URI);
  const before = runningStatus(single);

  it('rolls at once with a surge, and the pod before serves while the new one fetches', () => {
    const fetching = server(wanted, {
      name: 'llama-server-2',
      createdAt: START,
      phase: 'Pending',
      containers: [container('fetch', { init: true, ...RUNNING }), container('server')],
    });
    const { state, status } = decide({
      resource: edited(wanted, before),
      children: [claim(URI), claim(OTHER_URI), deployment({ replicas: 2, updated: 1, ready: 1 }), service()],
      pods: [server(single), fetching],
    });
    // The construct keeps the volume of `serving`, and surges, since the pods share no volume.
    expect(state.serving).toEqual(single);
    expect(status.phase).toBe('Updating');
    expect(conditionOf(status, 'WeightsReady')).toBe('False Downloading');
    expect(conditionOf(status, 'Available')).toBe('True Available');
  });

  it('is not there because the pod before has fetched its own', () => {
    const { status } = decide({
      resource: edited(wanted, before),
      children: runningChildren(single),
      pods: [server(single)],
    });
    expect(conditionOf(status, 'WeightsReady')).toBe('False FetchPending');
  });

  it('lets the volume before go once its last pod is gone', () => {
    const { state, status } = decide({
      resource: edited(wanted, before),
      children: [claim(URI), claim(OTHER_URI), deployment(), service()],
      pods: [server(wanted)],
    });
    expect(state.serving).toBeUndefined();
    expect(status.phase).toBe('Running');
  });
});

describe('an update without a surge', () => {
  it('is announced in advance', () => {
    expect(messageOf(runningStatus(single), 'Progressing')).toMatch(/ReadWriteOnce.*before the new one starts/);
    expect(messageOf(runningStatus({ ...shared, rollout: { maxSurge: 0 } }), 'Progressing')).toContain(
      'rollout.maxSurge',
    );
    expect(messageOf(running, 'Progressing')).not.toContain('stops');
  });

  it('is reported while the endpoint is away', () => {
    const { status } = decide({
      resource: edited({ ...single, engine: { type: 'vllm', args: ['--x'] } }, runningStatus(single)),
      children: [claim(URI), deployment({ replicas: 1, updated: 1, ready: 0 }), service()],
      pods: [server(single, { containers: [container('server', RUNNING)] })],
    });
    expect(status.phase).toBe('Deploying');
    expect(conditionOf(status, 'Progressing')).toBe('True SurgeImpossible');
  });

  it('is not what a crash is called', () => {
    const { status } = decide({
      resource: resourceOf(single, { status: runningStatus(single) }),
      children: [claim(URI), deployment({ ready: 0 }), service()],
      pods: [server(single, { containers: [container('server', RUNNING)] })],
    });
    expect(conditionOf(status, 'Progressing')).toBe('True Deploying');
  });
});

describe('images', () => {
  it('stay as they were first chosen, whatever the defaults of this operator', () => {
    const status = { ...running, engine: { type: 'vllm', image: 'vllm:old', pinned: true, fetcherImage: 'node:old' } };
    const observed = {
      resource: resourceOf(shared, { status }),
      children: runningChildren(shared),
      pods: [server(shared)],
    };
    const result = decide(observed);
    expect(result.state.images).toEqual({ engine: 'vllm:old', fetcher: 'node:old' });
    expect(result.status.engine).toEqual(status.engine);
  });

  it('of the fetcher are what the operator is set to, until one is chosen; then a newer operator restarts nothing', () => {
    const observed = { children: runningChildren(shared), pods: [server(shared)] };
    const set = { fetcherImage: 'registry.example.com/trunnion-operator:0.1.0' };
    const first = decide({ ...observed, resource: resourceOf(shared) }, START, set);
    expect(first.state.images).toEqual({ fetcher: set.fetcherImage, isFetcherBuiltIn: true });
    expect(first.status.engine).toMatchObject({ fetcherImage: set.fetcherImage, isFetcherBuiltIn: true });
    const later = { fetcherImage: 'registry.example.com/trunnion-operator:0.2.0' };
    const upgraded = decide({ ...observed, resource: resourceOf(shared, { status: first.status }) }, START, later);
    expect(upgraded.state.images).toMatchObject({ fetcher: set.fetcherImage, isFetcherBuiltIn: true });
    const before = { ...running, engine: { type: 'vllm', image: 'vllm:old', pinned: true, fetcherImage: 'node:old' } };
    const adopted = decide({ ...observed, resource: resourceOf(shared, { status: before }) }, START, later);
    expect(adopted.state.images).toEqual({ engine: 'vllm:old', fetcher: 'node:old' });
  });

  it.each([
    ['a Job fetches', shared],
    ['its own pod fetches', single],
  ])('of the fetcher of another model that %s are those of this operator, which knows all fields', (_, spec) => {
    const old = { type: 'vllm', image: 'vllm:old', pinned: true, fetcherImage: 'operator:old', isFetcherBuiltIn: true };
    const other = withUri(spec, OTHER_URI);
    const resource = resourceOf(other, { status: { ...runningStatus(spec), engine: old }, generation: 2 });
    const children = [...runningChildren(spec), claim(OTHER_URI)];
    const set = { fetcherImage: 'operator:new' };
    const before = decide({ resource, children, pods: [server(spec)] }, START, set);
    const jobs = spec === shared;
    expect(before.state.images?.fetcher).toBe(jobs ? 'operator:old' : 'operator:new');
    const fetched = [...children, ...(jobs ? [job(OTHER_URI, 'Complete')] : [])];
    const moved = resourceOf(other, { status: before.status, generation: 2 });
    const after = decide({ resource: moved, children: fetched, pods: [newServer(other)] }, START, set);
    expect(after.state.images).toMatchObject({ fetcher: 'operator:new', isFetcherBuiltIn: true });
    expect(after.status.engine).toMatchObject({ fetcherImage: 'operator:new', isFetcherBuiltIn: true });
  });

  it('are chosen again for another engine, or when the spec names one and no longer does', () => {
    const old = { type: 'vllm', image: 'vllm:old', pinned: true, fetcherImage: 'node:old' } as const;
    const observed = (spec: typeof shared, engine: typeof old | { type: 'vllm'; image: string; pinned: false }) =>
      decide({
        resource: edited(spec, { ...running, engine }),
        children: runningChildren(shared),
        pods: [server(shared)],
      });
    const sglang = observed({ ...shared, engine: { type: 'sglang' } }, old);
    expect(sglang.state.images).toEqual({ fetcher: 'node:old' });
    expect(sglang.status.engine?.image).toContain('sglang');
    const named = observed({ ...shared, engine: { type: 'vllm', image: 'mine:1' } }, old);
    expect(named.state.images).toEqual({ fetcher: 'node:old' });
    expect(named.status.engine).toMatchObject({ image: 'mine:1', pinned: false });
    const unnamed = observed(shared, { type: 'vllm', image: 'mine:1', pinned: false });
    expect(unnamed.state.images).toBeUndefined();
    expect(unnamed.status.engine).toMatchObject({ image: expect.stringContaining('vllm-openai'), pinned: true });
  });

  it('are chosen again for an engine that has another one for GPUs, when it gets its first or loses its last', () => {
    const on = (gpu: number): typeof shared => ({
      ...shared,
      engine: { type: 'tensorflow-serving' },
      resources: { ...shared.resources, gpu },
    });
    const imageOf = (before: number, now: number) => {
      const engine = { type: 'tensorflow-serving', image: 'tf:old', pinned: true } as const;
      const resource = edited(on(now), { ...runningStatus(on(before)), engine });
      return decide({ resource, children: runningChildren(on(before)), pods: [] }).status.engine?.image;
    };
    expect(imageOf(0, 1)).toMatch(/-gpu$/);
    expect(imageOf(1, 0)).not.toMatch(/-gpu$|old/);
    expect(imageOf(1, 2)).toBe('tf:old');
  });
});
