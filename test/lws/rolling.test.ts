import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KubeClient } from '../../operator/kube/index.ts';
import { adminClient } from '../cluster/support/client.ts';
import { COLLECTED, eventually } from '../cluster/support/eventually.ts';
import { follow, imageOf, labelOf, lwsNamespace, podsOf, watchPods, type Watched } from './support/groups.ts';
import { type Groups, leaderWorkerSet, SURGE } from './support/manifests.ts';

let admin: KubeClient;
let where: { readonly namespace: string; readonly name: string };
let watched: Watched;

beforeAll(() => {
  admin = adminClient();
  return () => admin.close();
});

/** Two groups of two pods that are ready. */
beforeEach(async () => {
  where = { namespace: await lwsNamespace(admin), name: 'llama' };
  watched = await watchPods(admin, where.namespace);
  await apply(1);
  await eventually(async () => expect(await statusOf()).toMatchObject({ readyReplicas: 2 }), COLLECTED);
});

const image = (version: number) => `example.com/engine:${version}`;
const apply = (version: number, more: Groups = {}) => {
  const groups = { image: image(version), rolloutStrategy: SURGE, ...more };
  return admin.apply(TYPES.leaderWorkerSet, leaderWorkerSet(where, groups), { fieldManager: 'test', force: true });
};
const statusOf = async () => (await admin.get(TYPES.leaderWorkerSet, where))['status'] as Record<string, unknown>;
const images = async () => (await podsOf(admin, where)).map(imageOf);
const rolled = (version: number) =>
  eventually(async () => {
    expect(await images()).toEqual(Array.from({ length: 4 }, () => image(version)));
    expect(await statusOf()).toMatchObject({ replicas: 2, readyReplicas: 2, updatedReplicas: 2 });
  }, COLLECTED);
/** A group above the desired ones is there. */
const surged = (version: number) =>
  eventually(async () => {
    const extra = (await podsOf(admin, where)).filter((pod) => labelOf(pod, 'group-index') === '2');
    expect(extra.map(imageOf)).toContain(image(version));
  });

describe('a rolling update of a LeaderWorkerSet', () => {
  it('with a surge of 1 and none unavailable never has fewer groups ready than desired', async () => {
    await apply(2);
    await rolled(2);
    expect(watched.fewestReady(2, 2)).toBe(2);
    expect(['llama-0', 'llama-1', 'llama-2'].map((name) => watched.images(name))).toEqual([
      [image(1), image(2)],
      [image(1), image(2)],
      [image(2)],
    ]);
  });

  it('counts groups of the old revision as ready, and those of the new one as updated, from its first status on', async () => {
    const seen = await follow(admin, TYPES.leaderWorkerSet, where.namespace);
    await apply(2);
    await rolled(2);
    const statuses = seen
      .map(({ object }) => object['status'] as Record<string, unknown>)
      .filter(({ observedGeneration }) => observedGeneration === 2);
    expect(statuses[0]).toMatchObject({ replicas: 2, readyReplicas: 2 });
    expect(statuses[0]).not.toHaveProperty('updatedReplicas');
    expect(statuses.at(-1)).toMatchObject({ replicas: 2, readyReplicas: 2, updatedReplicas: 2 });
  });

  it('that is taken back in its middle keeps the groups that it had not yet replaced', async () => {
    await apply(2);
    await surged(2);
    await apply(1);
    await rolled(1);
    expect(watched.fewestReady(2, 2)).toBe(2);
    expect(watched.uids('llama-0')).toHaveLength(1);
    expect(watched.uids('llama-1')).toHaveLength(1);
  });

  it('that is taken back while it replaces a group has fewer groups ready than desired: the surge goes at once', async () => {
    await apply(2, { annotations: { 'sim.trunnion.dev/delay-seconds': '3' } });
    await eventually(() => expect(watched.images('llama-1')).toEqual([image(1), image(2)]));
    await apply(1);
    await rolled(1);
    expect(watched.fewestReady(2, 2)).toBe(1);
    expect(watched.uids('llama-0')).toHaveLength(1);
  });

  it('that is overtaken twice replaces each group once', async () => {
    await apply(2);
    await apply(3);
    await apply(4);
    await rolled(4);
    expect(watched.fewestReady(2, 2)).toBe(2);
    expect([watched.images('llama-0'), watched.images('llama-1')]).toEqual([
      [image(1), image(4)],
      [image(1), image(4)],
    ]);
  });
});
