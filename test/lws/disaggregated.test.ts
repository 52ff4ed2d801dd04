import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import type { KubeClient, KubeObject } from '../../operator/kube/index.ts';
import { adminClient } from '../cluster/support/client.ts';
import { COLLECTED, eventually } from '../cluster/support/eventually.ts';
import { imageOf, lwsNamespace, watchPods, type Watched } from './support/groups.ts';
import { disaggregatedSet, type Groups } from './support/manifests.ts';
import { DISAGGREGATED_SET } from './support/types.ts';

let admin: KubeClient;
let where: { readonly namespace: string; readonly name: string };
let watched: Watched;

beforeAll(() => {
  admin = adminClient();
  return () => admin.close();
});

/** Prefill of two groups of one pod, and decode of one group of two. */
beforeEach(async () => {
  where = { namespace: await lwsNamespace(admin), name: 'llama' };
  watched = await watchPods(admin, where.namespace);
  await apply();
  await ready('example.com/engine:1');
});

const apply = (groups: Groups = {}) =>
  admin.apply(DISAGGREGATED_SET, disaggregatedSet(where, groups), { fieldManager: 'test', force: true });
const labelOf = ({ metadata }: KubeObject, label: string) => metadata.labels?.[`disaggregatedset.x-k8s.io/${label}`];
const roles = async () =>
  (await admin.list(TYPES.leaderWorkerSet, where)).items.toSorted((a, b) =>
    a.metadata.name.localeCompare(b.metadata.name),
  );
const pods = async () => (await admin.list(TYPES.pod, where)).items;

/** All roles are ready with an image, and nothing is left of others. */
const ready = (image: string) =>
  eventually(async () => {
    const status = (await roles()).map((role) => [labelOf(role, 'role'), role['spec'], role['status']]);
    expect(status).toMatchObject([
      ['decode', { replicas: 1 }, { readyReplicas: 1 }],
      ['prefill', { replicas: 2 }, { readyReplicas: 2 }],
    ]);
    expect((await pods()).map(imageOf)).toEqual(Array.from({ length: 4 }, () => image));
  }, COLLECTED);

/** No role had fewer groups ready than desired, of all revisions together. */
function keptReady(): void {
  expect(watched.fewestReady(2, 1, 'prefill')).toBe(2);
  expect(watched.fewestReady(1, 2, 'decode')).toBe(1);
}

describe('a DisaggregatedSet', () => {
  it('has a LeaderWorkerSet for each role, whose name and labels tell the role and the revision', async () => {
    const { metadata } = await admin.get(DISAGGREGATED_SET, where);
    const [decode, prefill] = await roles();
    const revision = decode && labelOf(decode, 'revision');
    expect(revision).toMatch(/^[0-9a-f]{8}$/);
    for (const [role, name] of [
      [decode, 'decode'],
      [prefill, 'prefill'],
    ] as const) {
      expect(role?.metadata).toMatchObject({
        name: `llama-${revision}-${name}`,
        labels: {
          app: `llama-${name}`,
          'disaggregatedset.x-k8s.io/name': 'llama',
          'disaggregatedset.x-k8s.io/role': name,
          'disaggregatedset.x-k8s.io/revision': revision,
        },
        ownerReferences: [{ kind: 'DisaggregatedSet', uid: metadata.uid, controller: true }],
      });
    }
    for (const pod of await pods()) {
      expect(pod.metadata.labels).toMatchObject({
        'disaggregatedset.x-k8s.io/name': 'llama',
        'disaggregatedset.x-k8s.io/role': expect.stringMatching(/^(prefill|decode)$/),
        'disaggregatedset.x-k8s.io/revision': revision,
        'leaderworkerset.sigs.k8s.io/name': expect.stringMatching(/^llama-[0-9a-f]{8}-(prefill|decode)$/),
      });
    }
  });

  it('has a headless Service for each role and revision, beside that of the LeaderWorkerSet', async () => {
    const { metadata } = await admin.get(DISAGGREGATED_SET, where);
    const [decode] = await roles();
    const revision = decode === undefined ? '' : labelOf(decode, 'revision');
    const service = await eventually(() =>
      admin.get(TYPES.service, { ...where, name: `llama-${revision}-decode-prv` }),
    );
    const labels = {
      'disaggregatedset.x-k8s.io/name': 'llama',
      'disaggregatedset.x-k8s.io/role': 'decode',
      'disaggregatedset.x-k8s.io/revision': revision,
    };
    expect(service.metadata).toMatchObject({ labels, ownerReferences: [{ uid: metadata.uid }] });
    expect(service['spec']).toMatchObject({ clusterIP: 'None', selector: labels });
    const services = (await admin.list(TYPES.service, where)).items.map(({ metadata: { name } }) => name);
    expect(services.toSorted()).toEqual([
      `llama-${revision}-decode`,
      `llama-${revision}-decode-prv`,
      `llama-${revision}-prefill`,
      `llama-${revision}-prefill-prv`,
    ]);
  });

  it('writes no status', async () => {
    expect(await admin.get(DISAGGREGATED_SET, where)).not.toHaveProperty('status');
  });

  it('rolls all its roles together when an image changes, and takes the old ones away', async () => {
    const before = new Set((await roles()).map(({ metadata }) => metadata.name));
    await apply({ image: 'example.com/engine:2' });
    await ready('example.com/engine:2');
    const after = (await roles()).map(({ metadata }) => metadata.name);
    expect(after.filter((name) => before.has(name))).toEqual([]);
    keptReady();
  });

  it('that is taken back in the middle of a roll comes back to the same LeaderWorkerSets', async () => {
    const before = (await roles()).map(({ metadata }) => metadata.uid);
    await apply({ image: 'example.com/engine:2' });
    await eventually(async () => expect((await pods()).map(imageOf)).toContain('example.com/engine:2'));
    await apply();
    await ready('example.com/engine:1');
    expect((await roles()).map(({ metadata }) => metadata.uid)).toEqual(before);
    keptReady();
  });

  it('that is overtaken twice rolls to the last, and keeps the desired groups of each role ready', async () => {
    for (const version of [2, 3, 4]) await apply({ image: `example.com/engine:${version}` });
    await ready('example.com/engine:4');
    keptReady();
  });

  it('sets the replicas of its LeaderWorkerSets back when somebody else scales them', async () => {
    const [decode] = await roles();
    const ref = { ...where, name: decode?.metadata.name ?? '' };
    await admin.patch(TYPES.leaderWorkerSet, ref, { spec: { replicas: 2 } }, { subresource: 'scale' });
    await eventually(async () => expect((await admin.get(TYPES.leaderWorkerSet, ref)).metadata.generation).toBe(3));
    expect((await admin.get(TYPES.leaderWorkerSet, ref))['spec']).toMatchObject({ replicas: 1 });
  });

  it('is scaled to 0 in all roles at once, and in no role alone', async () => {
    await apply({ replicas: 0 });
    await eventually(async () => expect(await pods()).toEqual([]), COLLECTED);
    expect((await roles()).map(({ spec }) => spec)).toMatchObject([{ replicas: 0 }, { replicas: 0 }]);
    const alone = admin.patch(DISAGGREGATED_SET, where, [
      { op: 'replace', path: '/spec/roles/0/spec/replicas', value: 1 },
    ]);
    await expect(alone).rejects.toThrow('replicas must be zero for all roles or non-zero for all roles');
  });
});
