import { beforeAll, describe, expect, it } from 'vitest';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../operator/kube/client/types.ts';
import { adminClient } from '../cluster/support/client.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { TrainingUnderTest } from '../cluster/support/training.ts';
import { clusterQueues, PRODUCT, setUp, spec } from './support/queues.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

const statusOf = (pod: KubeObject) => pod['status'] as { readonly phase: string };

describe('a DistributedTraining in a queue of Kueue', () => {
  it('runs once it is admitted, on nodes of the flavor, while another waits Queued for the quota', async () => {
    const namespace = await setUp(admin);
    const [first, second] = ['first', 'second'].map((name) => new TrainingUnderTest(admin, namespace, name));
    if (!first || !second) throw new Error('there are two');
    await first.apply(spec);
    await first.reaches('Running');
    for (const pod of await first.pods()) {
      expect(pod['spec']).toMatchObject({ nodeSelector: { 'nvidia.com/gpu.product': PRODUCT } });
    }
    await second.apply(spec);
    await second.reaches('Queued');
    await second.hasCondition('Running', 'False', 'Queued', /queue team-a/);
    expect(await second.pods()).toEqual([]);

    await first.finish();
    await first.reaches('Completed');
    const { status } = await second.reaches('Running');
    expect(status).toMatchObject({ attempt: 1, failures: 0 });
    await second.finish();
    await second.reaches('Completed');
  });

  it('is admitted again with each attempt', async () => {
    const training = new TrainingUnderTest(admin, await setUp(admin));
    await training.apply(spec);
    await training.reaches('Running');
    await training.simulate(2, { fail: '1' });
    await training.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', attempt: 2, failures: 1 }));
  });

  it('gives its share back once it has failed for good, though its Job would try again', async () => {
    const namespace = await setUp(admin);
    const [first, second] = ['first', 'second'].map((name) => new TrainingUnderTest(admin, namespace, name));
    if (!first || !second) throw new Error('there are two');
    await first.apply({ ...spec, retry: { ...spec.retry, limit: 1 } });
    await first.reaches('Running');
    await first.simulate(2, { fail: '1' });
    await first.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', attempt: 2 }));
    await second.apply(spec);
    await second.reaches('Queued');
    await first.simulate(2, { fail: '1' });
    const { status } = await first.reaches('Failed');
    expect(status).toMatchObject({ failures: 2, attempts: [{ exitCode: 1 }, { exitCode: 1 }] });
    await second.reaches('Running');
    expect(await first.pods()).toEqual([]);
    await first.hasCondition('Failed', 'True', 'RetryLimitExceeded');
  });

  it('goes back to the queue, not charged, when a queue is held, and comes back when it is let go', async () => {
    const namespace = await setUp(admin);
    const training = new TrainingUnderTest(admin, namespace);
    await training.apply(spec);
    await training.reaches('Running');
    const stop = (stopPolicy: string) => admin.patch(clusterQueues, { name: namespace }, { spec: { stopPolicy } });
    await stop('HoldAndDrain');
    await training.reaches('Queued');
    await stop('None');
    expect((await training.reaches('Running')).status).toMatchObject({ failures: 0 });
  });

  it('is no part of the queue while its user has suspended it, whether it was waiting or never was let in', async () => {
    const namespace = await setUp(admin);
    const [resting, first, second] = ['resting', 'first', 'second'].map(
      (name) => new TrainingUnderTest(admin, namespace, name),
    );
    if (!resting || !first || !second) throw new Error('there are three');
    await resting.apply({ ...spec, suspend: true });
    await resting.hasCondition('Suspended', 'True', 'Suspended');
    await first.apply(spec);
    await first.reaches('Running');
    await resting.apply(spec);
    await resting.reaches('Queued');
    await resting.apply({ ...spec, suspend: true });
    await resting.hasCondition('Suspended', 'True', 'Suspended');
    await first.finish();
    await first.reaches('Completed');
    // It would have come first.
    await second.apply(spec);
    await second.reaches('Running');
    expect((await resting.get()).status).toMatchObject({ phase: 'Suspended', attempt: 1, replicas: 0 });
    await second.finish();
    await second.reaches('Completed');
    await resting.apply(spec);
    expect((await resting.reaches('Running')).status).toMatchObject({ attempt: 1, failures: 0 });
  });

  it('of several roles starts all of its pods or none, where Kueue is its gang', async () => {
    const namespace = await setUp(admin);
    const training = new TrainingUnderTest(admin, namespace);
    const roles = {
      ...spec,
      framework: 'tensorflow',
      tensorflow: { parameterServers: 1 },
      gang: { scheduler: 'kueue' },
    } as const;
    // The chief needs a GPU, too: one more than there are.
    await training.apply(roles);
    await training.reaches('Queued');
    const { items } = await admin.list(TYPES.pod, { namespace });
    expect(items.map(statusOf).map(({ phase }) => phase)).not.toContain('Running');
    await training.apply({ ...roles, replicas: 3 });
    const { status } = await training.reaches('Running');
    expect(status).toMatchObject({ failures: 0, readyReplicas: 5 });
    await training.simulate(1, { fail: '1' });
    await training.shows((seen) => expect(seen.status).toMatchObject({ phase: 'Running', attempt: 3, failures: 1 }));
  });
});
