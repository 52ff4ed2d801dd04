import { beforeAll, describe, expect, it } from 'vitest';
import { adminClient } from '../cluster/support/client.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { ours } from '../cluster/support/resource.ts';
import { namedNamespace, setUp, under } from './support/testbed.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin, { compat: true }));

const NAMESPACE = 'ml-workloads';
const NAME = 'autotuned-training';
const TRAININGS = ours('DistributedTraining', 'distributedtrainings');

const trialsOf = (status: Readonly<Record<string, unknown>>) =>
  (status['workload'] as { readonly tuning?: { readonly succeeded: number } } | undefined)?.tuning;

describe('the users of MLTrainingJob with autoTuning', () => {
  it('apply their whole file as it is: one trains, the other tries 20 times, and both complete', async () => {
    await namedNamespace(admin, NAMESPACE);
    const { terminal } = await setUp(admin);
    await terminal.run('kubectl apply -f mltrainingjob.yaml');
    const [training, search] = ['pytorch-distributed-training', NAME].map((name) =>
      under(admin, 'MLTrainingJob', NAMESPACE, name),
    );
    await search!.shows(({ phase }) => expect(phase).toBe('Running'));

    // Its pods are found by its name, whichever trial they are of.
    const master = await eventually(async () => {
      const found = await terminal.run(`kubectl get pods -n ${NAMESPACE} -l role=master,job=${NAME} -o name`);
      expect(found).toMatch(/^pod\/autotuned-training-\d+-1-0-/);
      return found.split('\n')[0]!;
    });
    const trial = /autotuned-training-\d+/.exec(master)?.[0];
    expect(await terminal.run(`kubectl get svc -n ${NAMESPACE} -l job=${NAME} -o name`)).toContain(
      `service/${trial}-master`,
    );
    expect(await terminal.run(`kubectl describe ${master} -n ${NAMESPACE}`)).toMatch(
      new RegExp(`MASTER_ADDR: +${trial}-master`),
    );

    await training!.shows(({ phase }) => expect(phase).toBe('Completed'));
    await search!.shows((status) => {
      expect(status).toMatchObject({ phase: 'Completed', completionTime: expect.any(String) });
      expect(trialsOf(status)).toMatchObject({ succeeded: 20, failed: 0, best: { value: 0.91 } });
    }, 150_000);
    expect(await terminal.run(`kubectl get mltj -n ${NAMESPACE}`)).toMatch(/autotuned-training +pytorch +4 +Completed/);

    await terminal.run(`kubectl delete -f mltrainingjob.yaml`);
    await search!.isGone();
    await eventually(async () => expect((await admin.list(TRAININGS, { namespace: NAMESPACE })).items).toEqual([]));
  });
});
