import { describe, expect, it } from 'vitest';
import type { ObservedChild } from '../../../../operator/engine/api/observed.ts';
import {
  MINUTE,
  OTHER_URI,
  START,
  URI,
  claim,
  decide,
  deployment,
  ends,
  fetcher,
  job,
  log,
  resourceOf,
  runningStatus,
  conditionOf,
  messageOf,
  server,
  service,
  shared,
  single,
  unschedulable,
  withUri,
} from './support.ts';

describe('the first life', () => {
  it.each([
    ['pvc://claim/llama', 'True ExistingClaim'],
    ['oci://registry.example.com/llama:1', 'True ImageVolume'],
  ])('fetches nothing from %s', (uri, weights) => {
    const { storage: _, ...rest } = shared;
    const spec = withUri(rest, uri);
    const { status } = decide({ resource: resourceOf(spec), children: [deployment({ ready: 0 }), service()] });
    expect(conditionOf(status, 'WeightsReady')).toBe(weights);
    expect(status.phase).toBe('Deploying');
  });

  it('reads the progress of a download from the fetcher, whose log it asks for', () => {
    const observed = { resource: resourceOf(shared), children: [claim(URI), job(URI)], pods: [fetcher(URI)] };
    const query = decide(observed).queries.find(({ type }) => type === 'podLog');
    expect(query).toMatchObject({ pod: 'llama-fetch-1', container: 'fetch', everySeconds: 5 });
    const answers = {
      [query?.id ?? '']: log({ bytes: 10, totalBytes: 100 }, { bytes: 20, totalBytes: 100 }, { words: 1 }),
    };
    expect(decide({ ...observed, answers }).status.weights).toEqual({ uri: URI, bytes: 20, totalBytes: 100 });
  });

  it('keeps the progress that it knew while the log cannot be read', () => {
    const { status } = decide({
      resource: resourceOf(shared, { status: { weights: { uri: URI, bytes: 20, totalBytes: 100 } } }),
      children: [claim(URI), job(URI)],
      pods: [fetcher(URI)],
      answers: { 'progress/llama-fetch-1': { at: START, type: 'unknown', message: 'no route to host' } },
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

  it('tells a volume that is not bound for long, and looks again when that is due', () => {
    const children = [claim(URI, 'Pending', { createdAt: START })];
    const early = decide({ resource: resourceOf(shared), children });
    expect(early.requeueAt).toBe(START + 2 * MINUTE);
    const late = decide({ resource: resourceOf(shared), children }, START + 2 * MINUTE);
    expect(conditionOf(late.status, 'WeightsReady')).toBe('False VolumeNotBound');
    expect(late.status.phase).toBe('Failed');
    expect(late.requeueAt).toBeUndefined();
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
      expect(early.requeueAt).toBe(START + 2 * MINUTE);
      const late = decide({ resource: resourceOf(shared), children, pods }, START + 2 * MINUTE);
      expect(conditionOf(late.status, 'WeightsReady')).toBe('False VolumeNotBound');
      expect(late.status.phase).toBe('Failed');
    }
  });

  it('tells a volume without a storage class at once', () => {
    const children = [claim(URI, 'Pending', { createdAt: START, slice: { status: { phase: 'Pending' } } })];
    const { status } = decide({ resource: resourceOf(shared), children });
    expect(conditionOf(status, 'WeightsReady')).toBe('False VolumeNotBound');
    expect(messageOf(status, 'WeightsReady')).toContain('storage.storageClassName');
  });

  it('takes weights that were there before for granted, but not on a volume that was made since', () => {
    const status = runningStatus(shared);
    const on = (volume: ObservedChild) =>
      decide({ resource: resourceOf(shared, { status }), children: [volume, job(URI)], pods: [fetcher(URI)] }).status;
    expect(conditionOf(on(claim(URI)), 'WeightsReady')).toBe('True Fetched');
    const another = on(claim(URI, 'Bound', { uid: 'another' }));
    expect(conditionOf(another, 'WeightsReady')).toBe('False Downloading');
    expect(another.weights?.claimUID).toBeUndefined();
  });

  it('fetches again onto a volume that was made after the download was complete', () => {
    const on = (createdAt: number) =>
      decide({ resource: resourceOf(shared), children: [claim(URI, 'Bound', { createdAt }), job(URI, 'Complete')] });
    expect(conditionOf(on(START).status, 'WeightsReady')).toBe('True Fetched');
    expect(on(START).replace).toBeUndefined();
    const later = on(START + MINUTE);
    expect(conditionOf(later.status, 'WeightsReady')).toBe('False FetchPending');
    expect(later.replace).toEqual(['fetch']);
  });

  it.each([
    ['before the download', shared, [job(URI)], 'Failed'],
    ['after it', shared, [job(URI, 'Complete'), deployment(), service()], 'Updating'],
    ['under a server that fetched by itself', single, [deployment(), service()], 'Updating'],
  ] as const)('tells a volume that is lost %s at once, and how to have another', (_, spec, others, phase) => {
    const children = [claim(URI, 'Lost', { createdAt: START }), ...others];
    const { status, replace } = decide({ resource: resourceOf(spec), children, pods: [server(spec)] });
    expect(conditionOf(status, 'WeightsReady')).toBe('False VolumeLost');
    expect(messageOf(status, 'WeightsReady')).toContain(`kubectl delete pvc ${claim(URI).name}`);
    expect(status.phase).toBe(phase);
    expect(status.weights?.claimUID).toBeUndefined();
    expect(replace).toBeUndefined();
  });

  it.each([
    ['fetches', 'running', undefined],
    ['has fetched', 'Complete', ['fetch']],
    ['has failed', 'Failed', ['fetch']],
  ] as const)('lets a volume go that is being deleted, though a Job %s onto it', (_, state, replaced) => {
    const children = [claim(URI, 'Bound', { deleting: true }), job(URI, state)];
    const { status, replace } = decide({ resource: resourceOf(shared), children });
    expect(conditionOf(status, 'WeightsReady')).toBe('False VolumePending');
    expect(messageOf(status, 'WeightsReady')).toContain('is being deleted');
    expect(replace).toEqual(replaced);
  });

  it('knows that a new model is there, also where it was not looked at before it was', () => {
    const next = withUri(shared, OTHER_URI);
    const status = runningStatus(shared);
    const volume = claim(OTHER_URI, 'Bound', { createdAt: START });
    const observed = { resource: resourceOf(next, { status }), children: [volume, job(OTHER_URI, 'Complete')] };
    const fetched = decide(observed, START + 2 * MINUTE).status;
    const later = decide({ resource: resourceOf(next, { status: fetched }), children: [volume] }, START + 3 * MINUTE);
    expect(conditionOf(later.status, 'WeightsReady')).toBe('True Fetched');
  });
});
