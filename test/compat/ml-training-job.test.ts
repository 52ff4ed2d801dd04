import { beforeAll, describe, expect, it } from 'vitest';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../operator/kube/client/types.ts';
import { adminClient } from '../cluster/support/client.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { simulated } from '../cluster/support/training.ts';
import { held } from '../cluster/support/held.ts';
import { namedNamespace, setUp, under } from './support/testbed.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin, { compat: true }));

const NAME = 'pytorch-distributed-training';
const NAMESPACE = 'ml-workloads';
const LABELS = `job=${NAME}`;

/** Their own file has two resources; this is the one that trains. */
const TRAIN = `sed '/^---/,$d' mltrainingjob.yaml | kubectl apply -f -`;

/** The same in a namespace of its own. */
const trainIn = (namespace: string): string =>
  `sed '/^---/,$d; s/${NAMESPACE}/${namespace}/' mltrainingjob.yaml | kubectl apply -f -`;

interface EndpointSlice extends KubeObject {
  readonly endpoints?: readonly {
    readonly addresses: readonly string[];
    readonly targetRef?: { readonly name: string };
  }[];
}

/** Behind a service: the pods, and their addresses. */
async function behind(service: string): Promise<readonly { readonly pod: string; readonly address: string }[]> {
  const { items } = await admin.list(TYPES.endpointSlice, {
    namespace: NAMESPACE,
    labelSelector: `kubernetes.io/service-name=${service}`,
  });
  return (items as readonly EndpointSlice[]).flatMap(({ endpoints = [] }) =>
    endpoints.flatMap(({ addresses, targetRef }) =>
      addresses.map((address) => ({ address, pod: targetRef?.name ?? 'none' })),
    ),
  );
}

describe('the users of MLTrainingJob', () => {
  it('apply it as it is, find its master and its workers by name and role, and see it complete', async () => {
    await namedNamespace(admin, NAMESPACE);
    const { terminal } = await setUp(admin);
    const job = under(admin, 'MLTrainingJob', NAMESPACE, NAME);
    expect(await terminal.run('kubectl get crds | grep mltrainingjobs')).toContain('mltrainingjobs.ml.collabnix.io');
    await held(
      admin,
      { namespace: NAMESPACE, labelSelector: `${LABELS},role`, pods: 4 },
      simulated({ 'delay-seconds': '600' }),
      () => terminal.run(TRAIN),
    );
    await terminal.follow(`kubectl get mltrainingjobs -n ${NAMESPACE} -w`, /Running/);
    expect(await terminal.run(`kubectl get mltrainingjobs -n ${NAMESPACE}`)).toMatch(/pytorch +4 +Running/);
    expect(await terminal.run(`kubectl get mltj -n ${NAMESPACE}`)).toContain(NAME);
    expect(await terminal.run(`kubectl describe mltrainingjob ${NAME} -n ${NAMESPACE}`)).toContain('Running');
    const phase = `kubectl get mltrainingjob ${NAME} -n ${NAMESPACE} -o jsonpath='{.status.phase}'`;
    expect(await terminal.run(phase)).toBe('Running');

    // Their lines leave the namespace to the context.
    await terminal.run(`kubectl config set-context --current --namespace=${NAMESPACE}`);
    await terminal.follow(`kubectl logs -l role=master,job=${NAME} -f`, /epoch=1/);
    expect(await terminal.run(`kubectl describe pod -l job=${NAME}`)).toContain('MASTER_ADDR');
    expect(await terminal.run(`kubectl get svc -l job=${NAME}`)).toMatch(
      new RegExp(`${NAME}-master .*None .*29500/TCP`),
    );
    const workers = await terminal.run(`kubectl get pods -l role=worker,job=${NAME} -o name`);
    expect(workers.trim().split('\n')).toHaveLength(3);

    const hosts = ['master', 'worker-0', 'worker-1', 'worker-2'];
    // Each name is a pod of its own. Simulated pods that start at once may be given the same address.
    const found = await eventually(async () => {
      const each = await Promise.all(hosts.map((host) => behind(`${NAME}-${host}`)));
      expect(each.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
      return each.flat();
    });
    expect(new Set(found.map(({ pod }) => pod)).size).toBe(4);
    const master = await terminal.run(
      `kubectl get pods -l role=master,job=${NAME} -o jsonpath='{.items[*].metadata.name} {.items[*].status.podIP}'`,
    );
    expect(`${found[0]?.pod} ${found[0]?.address}`).toBe(master);
    await job.shows((status) => {
      const statuses = status['workerStatuses'] as readonly { readonly name: string; readonly role: string }[];
      expect(statuses.map(({ name }) => name).toSorted()).toEqual(hosts.map((host) => `${NAME}-${host}`));
    });

    await terminal.run(`kubectl annotate pods -l job=${NAME} --overwrite sim.trunnion.dev/delay-seconds=0`);
    await job.shows((status) =>
      expect(status).toMatchObject({
        phase: 'Completed',
        startTime: expect.any(String),
        completionTime: expect.any(String),
      }),
    );
    await terminal.run(`kubectl delete mltj ${NAME}`);
    await job.isGone();
  });

  it('change it in place: other pods, the same resource, and as many hosts as there are pods', async () => {
    const { terminal, namespace } = await setUp(admin);
    const job = under(admin, 'MLTrainingJob', namespace, NAME);
    const keeping = simulated({ 'delay-seconds': '600' });
    await held(admin, { namespace, labelSelector: `${LABELS},role`, pods: 4 }, keeping, () =>
      terminal.run(trainIn(namespace)),
    );
    await job.shows(({ phase }) => expect(phase).toBe('Running'));
    await held(admin, { namespace, labelSelector: `${LABELS},role,trunnion.dev/attempt=2`, pods: 2 }, keeping, () =>
      job.patch({ replicas: 2 }),
    );
    await job.shows((status) => expect(status).toMatchObject({ phase: 'Running', replicas: 2 }));
    await eventually(async () => {
      const { items } = await admin.list(TYPES.service, { namespace, labelSelector: LABELS });
      expect(items.map(({ metadata }) => metadata.name)).toEqual([NAME, `${NAME}-master`, `${NAME}-worker-0`]);
    });
  });

  it('see why the program failed, that it is tried again, and Failed once it has failed too often', async () => {
    const { terminal, namespace } = await setUp(admin);
    const job = under(admin, 'MLTrainingJob', namespace, NAME);
    const held4 = (attempt: number, act: () => Promise<unknown>) =>
      held(
        admin,
        { namespace, labelSelector: `${LABELS},role,trunnion.dev/attempt=${attempt}`, pods: 4 },
        simulated({ 'delay-seconds': '600' }),
        act,
      );
    const failing = (role: string) =>
      terminal.run(
        `kubectl annotate pods -n ${namespace} -l role=${role},job=${NAME} sim.trunnion.dev/fail=1 sim.trunnion.dev/message='CUDA out of memory'`,
      );
    await held4(1, () => terminal.run(trainIn(namespace)));
    await job.shows(({ phase }) => expect(phase).toBe('Running'));
    await failing('master');
    await job.shows((status) => {
      expect(status).toMatchObject({ phase: 'Pending', workload: { attempt: 2, failures: 1 } });
      expect(JSON.stringify(status['conditions'])).toContain('CUDA out of memory');
    });

    // As if it had failed five times more, and waited each time.
    const status = { workload: { failures: 6, nextAttemptAt: new Date().toISOString() } };
    await held4(2, () => admin.patch(job.type, job, { status }, { subresource: 'status' }));
    await job.shows(({ phase }) => expect(phase).toBe('Running'));
    await failing('worker');
    await job.shows((failed) => {
      expect(failed).toMatchObject({ phase: 'Failed', completionTime: expect.any(String) });
      expect(failed['workerStatuses']).toContainEqual(expect.objectContaining({ role: 'worker', exitCode: 1 }));
      const conditions = failed['conditions'] as readonly { readonly type: string }[];
      expect(conditions.find(({ type }) => type === 'Failed')).toMatchObject({
        status: 'True',
        reason: 'RetryLimitExceeded',
        message: expect.stringContaining('CUDA out of memory'),
      });
    });
    expect(await terminal.run(`kubectl get mltj ${NAME} -n ${namespace}`)).toContain('Failed');
  });

  it('see Failed, with the field that is wrong, where it can’t work', async () => {
    const { terminal, namespace } = await setUp(admin);
    await terminal.run(
      `sed '/^---/,$d; s/replicas: 4/replicas: 1/; s/image: .*/image: ""/; s/${NAMESPACE}/${namespace}/' mltrainingjob.yaml | kubectl apply -f -`,
    );
    const job = under(admin, 'MLTrainingJob', namespace, NAME);
    await job.shows((status) => {
      expect(status['phase']).toBe('Failed');
      expect(JSON.stringify(status['conditions'])).toContain('spec.image');
    });
  });
});
