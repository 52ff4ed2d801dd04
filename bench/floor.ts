import { setTimeout as sleep } from 'node:timers/promises';
import type { Manifest } from '../constructs/index.ts';
import { EventRecorder, apiVersionOf } from '../operator/kube/index.ts';
import type { KubeClient, KubeObject } from '../operator/kube/index.ts';
import { OBSERVE_MS, type Observer } from './observer.ts';
import { pooled } from './pool.ts';
import { AT_ONCE, createObjects, createResource, nameOf, RESOURCE } from './subjects.ts';

const CONDITIONS = ['Accepted', 'Ready', 'Available', 'Progressing'];

/** About as long as the operator's. */
const STATUS = {
  observedGeneration: 1,
  phase: 'Running',
  replicas: 1,
  conditions: CONDITIONS.map((type) => ({
    type,
    status: 'True',
    reason: 'Running',
    message: 'As many words as tell a person what is waited for.',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    observedGeneration: 1,
  })),
};

const report = (client: KubeClient, { metadata: { name, namespace = '' } }: KubeObject) =>
  client.apply(
    RESOURCE,
    {
      apiVersion: apiVersionOf(RESOURCE),
      kind: RESOURCE.kind,
      metadata: { name, namespace },
      status: STATUS,
    },
    { fieldManager: 'floor', force: true, subresource: 'status' },
  );

/**
 * Writes all that any operator and its users have to: the custom resources, their objects, their statuses as they run, and
 * an event each. It decides nothing and watches nothing, so no operator is quicker.
 *
 * @param objects - of each resource
 * @param deployments - sees which are available
 */
export async function writeFloor(
  client: KubeClient,
  namespace: string,
  objects: readonly (readonly Manifest[])[],
  deployments: Pick<Observer, 'isReady'>,
): Promise<void> {
  const recorder = new EventRecorder({ client, controller: 'trunnion.dev/bench', instance: 'bench' });
  const pending = new Map<string, KubeObject>();
  await pooled(objects.length, AT_ONCE, async (index) => {
    const resource = await createResource(client, namespace, index);
    await createObjects(client, objects[index]);
    pending.set(nameOf(index), resource);
  });
  while (pending.size > 0) {
    const ready = [...pending.values()].filter(({ metadata: { name } }) => deployments.isReady(name));
    await pooled(ready.length, AT_ONCE, async (place) => {
      const resource = ready[place] as KubeObject;
      await report(client, resource);
      const words = { type: 'Normal', reason: 'Running', action: 'Reconcile', message: 'Its pods serve.' } as const;
      recorder.record(resource, words);
      pending.delete(resource.metadata.name);
    });
    if (pending.size > 0) await sleep(OBSERVE_MS);
  }
}
