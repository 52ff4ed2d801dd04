import { expect, test } from 'vitest';
import { type Claim, type Volume, volumesToMake, volumesToRemove } from '../../../../cluster/real-node/volumes.ts';

const claim = (spec: Partial<Claim['spec']> = {}, metadata: Partial<Claim['metadata']> = {}): Claim => ({
  metadata: {
    name: 'weights',
    namespace: 'team',
    uid: 'a1',
    annotations: { 'volume.kubernetes.io/selected-node': 'real-0' },
    ...metadata,
  },
  spec: {
    storageClassName: 'local',
    accessModes: ['ReadWriteMany'],
    resources: { requests: { storage: '2Gi' } },
    ...spec,
  },
});

test('a claim whose pod has a node gets a volume on that node, for itself alone', () => {
  const [volume] = volumesToMake([claim()], '/volumes');
  expect(volume).toMatchObject({ name: 'pvc-a1', folder: '/volumes/pvc-a1' });
  expect(volume?.manifest).toMatchObject({
    spec: {
      accessModes: ['ReadWriteMany'],
      capacity: { storage: '2Gi' },
      local: { path: '/volumes/pvc-a1' },
      claimRef: { namespace: 'team', name: 'weights', uid: 'a1' },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ values: ['real-0'] }] }] } },
    },
  });
});

test('a claim of a pod on a simulated node gets a volume without a folder', () => {
  const [volume] = volumesToMake(
    [claim({}, { annotations: { 'volume.kubernetes.io/selected-node': 'gpu-0' } })],
    '/volumes',
  );
  expect(volume?.folder).toBeUndefined();
  expect(JSON.stringify(volume?.manifest)).toContain('"values":["gpu-0"]');
});

test.for([
  ['has no node yet', claim({}, { annotations: {} })],
  ['is of another class', claim({ storageClassName: 'kwok-volume' })],
  ['has a volume', claim({ volumeName: 'pvc-a1' })],
  ['is being deleted', claim({}, { deletionTimestamp: '2026-11-27T00:00:00Z' })],
  ['wants a block device', claim({ volumeMode: 'Block' })],
] as const)('a claim that %s gets none', ([, each]) => {
  expect(volumesToMake([each], '/volumes')).toEqual([]);
});

test('a released volume is removed, unless it is to be kept or is not ours', () => {
  const volume = (name: string, by: string, policy: string, phase: string): Volume => ({
    metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': by } },
    spec: { persistentVolumeReclaimPolicy: policy },
    status: { phase },
  });
  const released = volume('released', 'trunnion.dev/local', 'Delete', 'Released');
  const others = [
    volume('bound', 'trunnion.dev/local', 'Delete', 'Bound'),
    volume('retained', 'trunnion.dev/local', 'Retain', 'Released'),
    volume('simulated', 'kwok.x-k8s.io/volume', 'Delete', 'Released'),
  ];
  expect(volumesToRemove([released, ...others])).toEqual([released]);
});
