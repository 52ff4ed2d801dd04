import { stringify } from 'yaml';
import { beforeAll, describe, expect, it } from 'vitest';
import { installation } from '../../cli/install.ts';
import { OPERATOR_NAMESPACE } from '../../cli/options.ts';
import { printManifests } from '../../cli/manifests.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient } from '../cluster/support/client.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { simulated } from '../cluster/support/training.ts';
import { held } from '../cluster/support/held.ts';
import { phasesIn, setUp, under } from './support/testbed.ts';
import type { Terminal } from './support/terminal.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin, { compat: true }));

const samplesFor = async (terminal: Terminal): Promise<void> => {
  terminal.write('samples/kustomization.yaml', stringify({ resources: ['mlmodel.yaml'] }));
  await terminal.run('cp mlmodel.yaml samples/');
};

describe('the users of MLModel', () => {
  it('install the operator and apply their samples as they are, change the source in place, and take all away', async () => {
    const { terminal, namespace } = await setUp(admin);
    await samplesFor(terminal);
    terminal.write(
      'dist/install.yaml',
      printManifests(installation({ namespace: OPERATOR_NAMESPACE, compat: true, operator: false })),
    );
    await terminal.run('kubectl apply -f dist/install.yaml');
    const watched = await terminal.watch('kubectl get mlmodel -w', /Running/);
    await held(
      admin,
      { namespace, labelSelector: 'app.kubernetes.io/component=fetcher', pods: 1 },
      simulated({ 'delay-seconds': '5' }),
      () => terminal.run('kubectl apply -k samples/'),
    );
    const model = under(admin, 'MLModel', namespace, 'half-plus-two');
    expect(phasesIn(await watched())).toEqual(['Downloading', 'Deploying', 'Running']);
    await model.shows((status) => expect(status).toMatchObject({ message: 'The service is ready.' }));
    expect(JSON.stringify(await model.child(TYPES.deployment))).toContain('tensorflow/serving');

    const before = (await model.child(TYPES.deployment))?.metadata.uid;
    await terminal.run(
      'sed -i s/half_plus_two.tar/half_plus_three.tar/ samples/mlmodel.yaml && kubectl apply -k samples/',
    );
    await model.shows((status) =>
      expect(status).toMatchObject({
        phase: 'Running',
        workload: { weights: { uri: 'https://models.example.com/half_plus_three.tar.gz' } },
      }),
    );
    expect((await model.child(TYPES.deployment))?.metadata.uid).toBe(before);

    await terminal.run('kubectl scale mlmodel half-plus-two --replicas=2');
    await model.shows((status) => expect(status).toMatchObject({ phase: 'Running', replicas: 2 }));
    await terminal.run('kubectl delete -k samples/ --wait=false');
    await model.isGone();
  });

  it.each([
    [
      'the download',
      'app.kubernetes.io/component=fetcher',
      { fail: '66', message: 'there is nothing there', container: 'fetch' },
    ],
    [
      'the pod',
      'app.kubernetes.io/component=server',
      { fail: '1', message: 'no versions of servable found', container: 'server' },
    ],
  ])('see Failed with the message of %s', async (_, labelSelector, failing) => {
    const { terminal, namespace } = await setUp(admin);
    await samplesFor(terminal);
    const model = under(admin, 'MLModel', namespace, 'half-plus-two');
    if (failing.container === 'server') {
      await terminal.run('kubectl apply -k samples/');
      await model.shows(({ phase }) => expect(phase).toBe('Running'));
      await terminal.run('kubectl scale mlmodel half-plus-two --replicas=0');
      await model.shows(({ replicas }) => expect(replicas).toBe(0));
      await held(admin, { namespace, labelSelector, pods: 1 }, simulated(failing), () =>
        terminal.run('kubectl scale mlmodel half-plus-two --replicas=1'),
      );
    } else {
      await held(admin, { namespace, labelSelector, pods: 1 }, simulated(failing), () =>
        terminal.run('kubectl apply -k samples/'),
      );
    }
    await model.shows((status) =>
      expect(status).toMatchObject({ phase: 'Failed', message: expect.stringContaining(failing.message) }),
    );
  });
});
