import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { allKinds } from '../../../cli/kinds.ts';
import { type Following, followLogs } from '../../../cli/logs/follow.ts';
import { aborted } from '../../../cli/signals.ts';
import type { Resource } from '../../../operator/engine/api/index.ts';
import type { KubeClient, KubeObject } from '../../../operator/kube/index.ts';
import { live, pod } from './support/objects.ts';

const [kind] = allKinds as [(typeof allKinds)[number]];

const resource = live('trunnion.dev/v1alpha1', 'ModelServing', 'llama') as unknown as Resource;

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A pod whose container has ended. */
const endedPod = (name: string): KubeObject =>
  pod(name, {
    phase: 'Failed',
    containerStatuses: [
      { name: 'server', image: 'a', restartCount: 0, state: { terminated: { exitCode: 1, reason: 'Error' } } },
    ],
  });

/** A cluster with a resource that has ended, and its pods, each of which has said these lines. */
const clusterWith = (pods: readonly KubeObject[], lines: readonly string[]): KubeClient =>
  ({
    find: () => Promise.resolve({ ...resource, status: { completionTime: '2026-01-01T00:00:00Z' } }),
    watch: async function* (_type: unknown, _namespace: unknown, _query: unknown, signal: AbortSignal) {
      for (const object of pods) yield encode(`${JSON.stringify({ type: 'ADDED', object })}\n`);
      const metadata = { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } };
      yield encode(`${JSON.stringify({ type: 'BOOKMARK', object: { metadata } })}\n`);
      await aborted(signal);
    },
    openLog: async function* (_pod: unknown, _options: unknown, signal: AbortSignal) {
      for (const line of lines) {
        signal.throwIfAborted();
        yield encode(`2026-01-01T00:00:00Z ${line}\n`);
      }
    },
  }) as unknown as KubeClient;

/** What a reader is given of these pods. */
async function readOf(
  pods: readonly KubeObject[],
  lines: readonly string[],
  more: Partial<Following> = {},
): Promise<{ readonly lines: readonly string[]; readonly notes: readonly string[] }> {
  const [read, notes]: [string[], string[]] = [[], []];
  await followLogs({
    client: clusterWith(pods, lines),
    kind,
    resource,
    selection: {},
    add: () => undefined,
    write: ({ label }, { text }) => void read.push(`${label}: ${text}`),
    log: (line) => void notes.push(line),
    signal: new AbortController().signal,
    ...more,
  });
  return { lines: read, notes };
}

test('a reader who is slow holds up a log, and has all of it', async () => {
  const read: string[] = [];
  let waiting = 0;
  await readOf([endedPod('llama-0')], ['one', 'two', 'three'], {
    write: async (_, { text }) => {
      expect((waiting += 1)).toBe(1);
      // Longer than the log of a container that has ended may be without a line.
      await sleep(text === 'one' ? 2_500 : 1);
      waiting -= 1;
      read.push(text);
    },
  });
  expect(read).toEqual(['one', 'two', 'three']);
});

test('no more containers are followed at a time than is said, and that is said once', async () => {
  const pods = ['llama-0', 'llama-1', 'llama-2', 'llama-3'].map(endedPod);
  const { lines, notes } = await readOf(pods, ['one'], { most: 2 });
  expect(lines).toEqual(['llama-0: one', 'llama-1: one']);
  expect(notes).toEqual(['2 containers are followed at a time: choose a pod to follow another one']);
});

test('one pod is followed alone', async () => {
  const pods = ['llama-0', 'llama-1'].map(endedPod);
  const { lines } = await readOf(pods, ['one'], { selection: { pod: 'llama-1' } });
  expect(lines).toEqual(['llama-1: one']);
});
