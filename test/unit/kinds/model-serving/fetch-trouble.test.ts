import { describe, expect, it } from 'vitest';
import { refusedPods } from '../../../../operator/kinds/shared/refused-pods.ts';
import { unschedulable as conditionIn } from '../../../../operator/kinds/shared/scheduling.ts';
import {
  MINUTE,
  START,
  URI,
  claim,
  container,
  decide,
  ends,
  fetcher,
  job,
  log,
  resourceOf,
  conditionOf,
  messageOf,
  server,
  shared,
  single,
  unschedulable,
} from './support.ts';

const CAUSE = 'no connection to https://huggingface.co/api/x (is this egress allowed?): Connect Timeout Error';
const RUNNING = { running: { startedAt: new Date(START).toISOString() } };

describe('a download that runs and does not get on', () => {
  const modes = [
    ['a Job', shared, [claim(URI), job(URI)], fetcher(URI)],
    [
      'the server itself',
      single,
      [claim(URI)],
      server(single, { containers: [container('fetch', { init: true, ...RUNNING })] }),
    ],
  ] as const;

  it.each(modes)('is reported with its cause, by %s', (_, spec, children, pod) => {
    const answers = {
      [`progress/${pod.name}`]: log({ message: 'fetching 3 files' }, { retrying: CAUSE, inSeconds: 4 }),
    };
    const { status } = decide({ resource: resourceOf(spec), children, pods: [pod], answers });
    expect(conditionOf(status, 'WeightsReady')).toBe('False DownloadRetrying');
    expect(messageOf(status, 'WeightsReady')).toBe(
      `The download of ${URI} does not get on: ${CAUSE}. It is being tried again; what arrived is kept.`,
    );
  });

  it.each(modes)('is told no more once something has come, by %s', (_, spec, children, pod) => {
    const answers = {
      [`progress/${pod.name}`]: log({ retrying: CAUSE, inSeconds: 4 }, { bytes: 20, totalBytes: 100 }),
    };
    const { status } = decide({ resource: resourceOf(spec), children, pods: [pod], answers });
    expect(conditionOf(status, 'WeightsReady')).toBe('False Downloading');
  });

  it('is looked at more often before anything has come', () => {
    const every = (bytes?: number) =>
      decide({
        resource: resourceOf(shared, {
          status: { weights: { uri: URI, ...(bytes !== undefined && { bytes, totalBytes: 100 }) } },
        }),
        children: [claim(URI), job(URI)],
        pods: [fetcher(URI)],
      }).queries.find(({ type }) => type === 'podLog')?.everySeconds;
    expect(every()).toBe(5);
    expect(every(20)).toBe(10);
  });

  it('tells the words of a fetcher as plain text', () => {
    const answers = { 'progress/llama-fetch-1': log({ retrying: 'a\u001B[31m\u0007b' }) };
    const observed = { resource: resourceOf(shared), children: [claim(URI), job(URI)], pods: [fetcher(URI)], answers };
    expect(messageOf(decide(observed).status, 'WeightsReady')).toContain('does not get on: a␇b. It');
  });
});

describe('a fetch that finds no node', () => {
  it.each([
    "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
    '0/3 nodes are available: 3 node(s) had untolerated taint {team: a}. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
  ])('is reported in the words that its server would be: %s', (words) => {
    const spec = { ...shared, resources: { ...shared.resources, gpuProduct: 'NVIDIA-L4' } };
    const { status } = decide({
      resource: resourceOf(spec),
      children: [claim(URI), job(URI)],
      pods: [fetcher(URI, {}, unschedulable(words))],
    });
    const { reason, message } = conditionIn(words, spec.resources);
    expect(conditionOf(status, 'WeightsReady')).toBe(`False ${reason}`);
    expect(messageOf(status, 'WeightsReady')).toBe(message);
  });
});

describe('a fetch that is complete in a pod that is not', () => {
  const at = new Date(START).toISOString();
  const done = { ...ends(0), finishedAt: at };
  const pod = (...others: Parameters<typeof container>[]) =>
    fetcher(
      URI,
      {},
      {
        containers: [container('fetch', { terminated: done }), ...others.map((each) => container(...each))],
      },
    );
  const observed = (...others: Parameters<typeof container>[]) => ({
    resource: resourceOf(shared),
    children: [claim(URI), job(URI)],
    pods: [pod(...others)],
  });

  it('is given a minute, then told by the container that runs on, with what to do', () => {
    const early = decide(observed(['istio-proxy', RUNNING]), START);
    expect(conditionOf(early.status, 'WeightsReady')).toBe('False Downloading');
    expect(early.requeueAt).toBe(START + MINUTE);
    const late = decide(observed(['istio-proxy', RUNNING]), START + MINUTE);
    expect(conditionOf(late.status, 'WeightsReady')).toBe('False FetchHeld');
    expect(messageOf(late.status, 'WeightsReady')).toMatch(/container istio-proxy runs on .*native sidecar/);
  });

  it('is not held by a native sidecar', () => {
    const late = decide(observed(['istio-proxy', { init: true, ...RUNNING }]), START + MINUTE);
    expect(conditionOf(late.status, 'WeightsReady')).toBe('False Downloading');
  });
});

describe('a fetch whose pod finds no node', () => {
  const words = (causes: string) =>
    `0/4 nodes are available: ${causes}. preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.`;
  const lost = (causes: string) =>
    fetcher(URI, {}, { ...unschedulable(words(causes)), containers: [], createdAt: START });
  const decided = (causes: string, ...events: readonly { reason: string; message: string }[]) => {
    const pod = lost(causes);
    return decide(
      {
        resource: resourceOf({ ...shared, resources: { ...shared.resources, memory: '9000Gi' } }),
        children: [claim(URI), job(URI)],
        pods: [pod],
        answers: {
          [`events/${pod.uid}`]: { at: START, type: 'events', events: events.map((each) => ({ ...each, at: START })) },
        },
      },
      START + 10 * MINUTE,
    ).status;
  };

  it('waits where the cloud has no such machine left', () => {
    const status = decided("4 node(s) didn't match Pod's node affinity/selector", {
      reason: 'FailedScaleUp',
      message: 'Node scale up in zones a failed: GCE out of resources. Pod is at risk of not being scheduled.',
    });
    expect([status.phase, conditionOf(status, 'WeightsReady')]).toEqual(['Pending', 'False WaitingForNode']);
    expect(messageOf(status, 'WeightsReady')).toContain('GCE out of resources');
  });

  it('tells nodes that are cordoned', () => {
    const status = decided('4 node(s) were unschedulable');
    expect(conditionOf(status, 'WeightsReady')).toBe('False NodesCordoned');
    expect(messageOf(status, 'WeightsReady')).toContain('kubectl uncordon');
  });

  it("does not blame the server's memory, which a Job's pod does not ask for", () => {
    expect(messageOf(decided('4 Insufficient memory'), 'WeightsReady')).not.toContain('9000Gi');
  });
});

describe('a fetch whose pod the API server refuses', () => {
  const made = job(URI, undefined, { createdAt: START });
  const observed = { resource: resourceOf(shared), children: [claim(URI), made] };
  // Most pods are there within a second: it is asked about after five.
  const later = START + 5_000;
  const reported = (message: string) => {
    const query = decide(observed, later).queries.find(({ type }) => type === 'events');
    expect(query).toMatchObject({ kind: 'Job', name: made.name, uid: made.uid });
    const events = [{ reason: 'FailedCreate', message, at: START }];
    const { status } = decide(
      { ...observed, answers: { [query?.id ?? '']: { at: START, type: 'events', events } } },
      later,
    );
    return { conditionOf: conditionOf(status, 'WeightsReady'), messageOf: messageOf(status, 'WeightsReady') };
  };

  it.each([
    ['exceeded quota: all, requested: pods=1, used: pods=5, limited: pods=5', 'QuotaExceeded'],
    ['maximum cpu usage per Container is 250m, but limit is 500m', 'PodsForbidden'],
    ['admission webhook "policy.example" denied the request: no team', 'PodsForbidden'],
  ])(
    'is reported at once, in the words that its server would be, with the field that is its own: %s',
    (words, reason) => {
      const pod = `pods "${made.name}-x7k2p" is forbidden: ${words}`;
      const server = refusedPods(`pods "${made.name}" is forbidden: ${words}`, 'fetcher.resources');
      expect(reported(`Error creating: ${pod}`)).toEqual({ conditionOf: `False ${reason}`, messageOf: server.message });
    },
  );

  it('is reported by the same words at each try', () => {
    const words = (suffix: string) =>
      reported(`Error creating: pods "${made.name}-${suffix}" is forbidden: no`).messageOf;
    expect(words('x7k2p')).toBe(words('b4tz9'));
    expect(words('x7k2p')).toBe(words(''));
  });

  it('is not asked about once it has a pod, or is over', () => {
    const queries = (children: readonly unknown[], pods: readonly unknown[]) =>
      decide({ ...observed, children: children as never, pods: pods as never }, later).queries.map(({ type }) => type);
    expect(queries([claim(URI), made], [fetcher(URI)])).not.toContain('events');
    expect(queries([claim(URI), job(URI, 'Complete')], [])).not.toContain('events');
    expect(queries([claim(URI), job(URI, 'Failed')], [])).not.toContain('events');
  });
});
