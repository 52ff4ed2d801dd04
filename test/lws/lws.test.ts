import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import type { KubeClient, KubeObject } from '../../operator/kube/index.ts';
import { adminClient } from '../cluster/support/client.ts';
import { COLLECTED, eventually } from '../cluster/support/eventually.ts';
import { labelOf, lwsNamespace, podsOf, watchPods } from './support/groups.ts';
import { type Groups, leaderWorkerSet } from './support/manifests.ts';

let admin: KubeClient;
let where: { readonly namespace: string; readonly name: string };

beforeAll(() => {
  admin = adminClient();
  return () => admin.close();
});

beforeEach(async () => {
  where = { namespace: await lwsNamespace(admin), name: 'llama' };
});

const create = (groups: Groups = {}) => admin.create(TYPES.leaderWorkerSet, leaderWorkerSet(where, groups));
const get = () => admin.get(TYPES.leaderWorkerSet, where);
const pods = () => podsOf(admin, where);
const named = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.name);
const uidOf = async (name: string) => (await admin.get(TYPES.pod, { ...where, name })).metadata.uid;

interface Status {
  readonly readyReplicas?: number;
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message: string }[];
}
const statusOf = async () => ((await get())['status'] ?? {}) as Status;
const readyGroups = (count: number) =>
  eventually(async () => expect(await statusOf()).toMatchObject({ readyReplicas: count }), COLLECTED);
const isTrue = async (type: string) =>
  (await statusOf()).conditions?.find((condition) => condition.type === type)?.status === 'True';

/** The notes of the events about it for a reason. */
async function notes(reason: string): Promise<readonly string[]> {
  const { items } = await admin.list(TYPES.coreEvent, where);
  return items.filter((event) => event['reason'] === reason).map((event) => String(event['message']));
}

describe('a LeaderWorkerSet', () => {
  it('of 2 groups of 2 pods with 8 GPUs gets ready, each pod on a node of its own', async () => {
    await create();
    await readyGroups(2);
    const members = await pods();
    expect(named(members)).toEqual(['llama-0', 'llama-0-1', 'llama-1', 'llama-1-1']);
    const nodes = new Set(members.map(({ spec }) => (spec as { readonly nodeName: string }).nodeName));
    expect(nodes.size).toBe(4);
    expect(await isTrue('Available')).toBe(true);
    expect((await get())['status']).toMatchObject({
      observedGeneration: 1,
      replicas: 2,
      updatedReplicas: 2,
      hpaPodSelector: 'leaderworkerset.sigs.k8s.io/name=llama,leaderworkerset.sigs.k8s.io/worker-index=0',
    });
  });

  it('gives every container the address, the size and the index before its own variables, so that those can use them', async () => {
    await create();
    await readyGroups(2);
    const environment = (await pods()).map(
      ({ spec }) => (spec as { readonly containers: readonly { readonly env: object[] }[] }).containers[0]?.env,
    );
    const of = (group: number, index: number) => [
      { name: 'LWS_LEADER_ADDRESS', value: `llama-${group}.llama.${where.namespace}` },
      { name: 'LWS_GROUP_SIZE', value: '2' },
      { name: 'LWS_WORKER_INDEX', value: String(index) },
      { name: 'ADDRESS', value: 'tcp://$(LWS_LEADER_ADDRESS):1234' },
    ];
    expect(environment).toEqual([of(0, 0), of(0, 1), of(1, 0), of(1, 1)]);
  });

  it('has a Service of its own name, and a StatefulSet of leaders, each of which owns the StatefulSet of its workers', async () => {
    const { metadata } = await create();
    await readyGroups(2);
    const service = await admin.get(TYPES.service, where);
    expect(service.metadata.ownerReferences).toMatchObject([{ kind: 'LeaderWorkerSet', uid: metadata.uid }]);
    expect(service['spec']).toMatchObject({
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: { 'leaderworkerset.sigs.k8s.io/name': 'llama' },
    });
    const { items } = await admin.list(TYPES.statefulSet, where);
    const leader = await admin.get(TYPES.pod, { ...where, name: 'llama-1' });
    const [leaders, , workers] = items.toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name));
    expect(named(items).toSorted()).toEqual(['llama', 'llama-0', 'llama-1']);
    expect(leaders?.metadata.ownerReferences).toMatchObject([{ kind: 'LeaderWorkerSet', uid: metadata.uid }]);
    expect(workers?.metadata.ownerReferences).toMatchObject([{ kind: 'Pod', uid: leader.metadata.uid }]);
    expect(workers?.['spec']).toMatchObject({ serviceName: 'llama', replicas: 1, ordinals: { start: 1 } });
  });

  it('labels pods with its name, their group and their place in it, and with the revision of the template', async () => {
    await create();
    await readyGroups(2);
    const members = await pods();
    const labels = (label: string) => members.map((pod) => labelOf(pod, label));
    expect(labels('name')).toEqual(['llama', 'llama', 'llama', 'llama']);
    expect(labels('group-index')).toEqual(['0', '0', '1', '1']);
    expect(labels('worker-index')).toEqual(['0', '1', '0', '1']);
    expect(new Set(labels('group-key')).size).toBe(2);
    expect(new Set(labels('template-revision-hash')).size).toBe(1);
    expect(members[1]?.metadata.annotations).toMatchObject({
      'leaderworkerset.sigs.k8s.io/leader-name': 'llama-0',
      'leaderworkerset.sigs.k8s.io/size': '2',
    });
  });

  it('makes the whole group again when a worker is deleted, and leaves the others alone', async () => {
    await create();
    await readyGroups(2);
    const before = await Promise.all(['llama-0', 'llama-1', 'llama-1-1'].map(uidOf));
    await admin.delete(TYPES.pod, { ...where, name: 'llama-1-1' });
    await eventually(async () => expect(await uidOf('llama-1')).not.toBe(before[1]), COLLECTED);
    await readyGroups(2);
    expect(await uidOf('llama-0')).toBe(before[0]);
    expect(await uidOf('llama-1-1')).not.toBe(before[2]);
    expect(await notes('RecreateGroup')).toEqual([
      'Worker pod llama-1-1 failed, deleted leader pod llama-1 to recreate group 1',
    ]);
  });

  it('makes the whole group again when a container of a worker restarts, whose pod tells why until it is gone', async () => {
    await create();
    await readyGroups(2);
    const before = await uidOf('llama-0');
    const annotations = { 'sim.trunnion.dev/fail': '137', 'sim.trunnion.dev/termination-seconds': '1' };
    await admin.patch(TYPES.pod, { ...where, name: 'llama-0-1' }, { metadata: { annotations } });
    await eventually(async () => {
      const { metadata, status } = await admin.get(TYPES.pod, { ...where, name: 'llama-0-1' });
      expect(metadata.deletionTimestamp).toBeDefined();
      expect(status).toMatchObject({
        containerStatuses: [{ restartCount: 1, lastState: { terminated: { exitCode: 137 } } }],
      });
    });
    await eventually(async () => expect(await uidOf('llama-0')).not.toBe(before), COLLECTED);
    await readyGroups(2);
    expect(await notes('RecreateGroup')).toEqual([
      'Worker pod llama-0-1 failed, deleted leader pod llama-0 to recreate group 0',
    ]);
  });

  it('makes a group again as often as it fails: it neither waits in between nor counts', async () => {
    const watched = await watchPods(admin, where.namespace);
    await create({ replicas: 1, annotations: { 'sim.trunnion.dev/fail': '1' } });
    await eventually(() => expect(watched.uids('llama-0').length).toBeGreaterThan(3), COLLECTED);
    const known = ['conditions', 'hpaPodSelector', 'observedGeneration', 'replicas', 'updatedReplicas'];
    expect(known).toEqual(expect.arrayContaining(Object.keys(await statusOf())));
  });

  it('is scaled to 0 and back, and says Available when it has no pod at all', async () => {
    await create();
    await readyGroups(2);
    await admin.patch(TYPES.leaderWorkerSet, where, { spec: { replicas: 0 } }, { subresource: 'scale' });
    await eventually(async () => expect(await pods()).toEqual([]), COLLECTED);
    await eventually(async () => expect(await statusOf()).not.toHaveProperty('readyReplicas'));
    expect(await isTrue('Available')).toBe(true);
    await admin.patch(TYPES.leaderWorkerSet, where, { spec: { replicas: 1 } }, { subresource: 'scale' });
    await readyGroups(1);
  });

  it('says of a group that has no place only that it progresses; its pods say why', async () => {
    await create({ replicas: 1, gpus: 9 });
    await eventually(async () => {
      expect(named(await pods())).toEqual(['llama-0', 'llama-0-1']);
      for (const { status } of await pods()) {
        expect(status).toMatchObject({
          conditions: [
            { type: 'PodScheduled', reason: 'Unschedulable', message: expect.stringContaining('nvidia.com/gpu') },
          ],
        });
      }
    });
    const { conditions } = await statusOf();
    expect(conditions).toMatchObject([{ type: 'Progressing', status: 'True', message: 'Replicas are progressing' }]);
  });

  it('that is applied twice is written once, though its webhook adds defaults', async () => {
    const apply = () =>
      admin.apply(TYPES.leaderWorkerSet, leaderWorkerSet(where), { fieldManager: 'test', force: true });
    await apply();
    await readyGroups(2);
    const { metadata } = await get();
    expect((await apply()).metadata.resourceVersion).toBe(metadata.resourceVersion);
    expect((await get())['spec']).toMatchObject({
      startupPolicy: 'LeaderCreated',
      rolloutStrategy: {
        type: 'RollingUpdate',
        rollingUpdateConfiguration: { maxUnavailable: 1, maxSurge: 0, partition: 0 },
      },
      networkConfig: { subdomainPolicy: 'Shared' },
      leaderWorkerTemplate: { restartPolicy: 'RecreateGroupOnPodRestart' },
    });
  });

  it('goes with all its pods', async () => {
    await create();
    await readyGroups(2);
    await admin.delete(TYPES.leaderWorkerSet, where);
    await eventually(async () => expect(await pods()).toEqual([]), COLLECTED);
    await eventually(async () => expect((await admin.list(TYPES.statefulSet, where)).items).toEqual([]), COLLECTED);
  });
});
