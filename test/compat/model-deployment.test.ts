import { beforeAll, describe, expect, it } from 'vitest';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient } from '../cluster/support/client.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { simulated } from '../cluster/support/training.ts';
import { held } from '../cluster/support/held.ts';
import { phasesIn, setUp, under } from './support/testbed.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin, { compat: true }));

const GET = "kubectl get modeldeployment llama-3-8b -o json | jq '.status.phase'";

describe('the users of ModelDeployment', () => {
  it('apply it as it is, watch its phases, ask for its status, change it, and delete it', async () => {
    const { terminal, namespace } = await setUp(admin);
    const model = under(admin, 'ModelDeployment', namespace, 'llama-3-8b');
    const watched = await terminal.watch('kubectl get modeldeployment -w', /Running/);
    await held(
      admin,
      { namespace, labelSelector: 'app.kubernetes.io/component=fetcher', pods: 1 },
      simulated({ 'delay-seconds': '5' }),
      () => terminal.run('kubectl apply -f modeldeployment.yaml'),
    );
    await terminal.follow('kubectl get modeldeployment llama-3-8b -w', /Running/);
    expect(phasesIn(await watched())).toEqual(['Downloading', 'Deploying', 'Running']);
    expect((await terminal.run(GET)).trim()).toBe('"Running"');
    expect(await terminal.run("kubectl get modeldeployment llama-3-8b -o json | jq '.status.readyPods'")).toBe('1\n');
    expect(await terminal.run("kubectl get modeldeployment llama-3-8b -o json | jq -r '.status.endpoint'")).toBe(
      `http://llama-3-8b.${namespace}.svc:8000/v1\n`,
    );
    expect(await terminal.run('kubectl describe deployment -l modeldeployment=llama-3-8b')).toContain('llama-3-8b');

    // A change continues in place.
    const before = (await model.child(TYPES.deployment))?.metadata.uid;
    await model.patch({ replicas: 2 });
    await model.shows((status) => expect(status).toMatchObject({ phase: 'Running', readyPods: 2 }));
    await model.patch({ modelSource: 's3://models/llama' });
    await model.shows((status) =>
      expect(status).toMatchObject({ phase: 'Running', workload: { weights: { uri: 's3://models/llama' } } }),
    );
    expect((await model.child(TYPES.deployment))?.metadata.uid).toBe(before);

    await terminal.run('kubectl scale modeldeployment llama-3-8b --replicas=1');
    await model.shows((status) => expect(status).toMatchObject({ phase: 'Running', replicas: 1, readyPods: 1 }));

    await terminal.run('kubectl delete -f modeldeployment.yaml --wait=false');
    await eventually(async () => expect(await model.child(TYPES.service)).toBeUndefined());
    expect(await model.child(TYPES.deployment)).toBeDefined();
    await model.isGone();
  });

  it('see in the status that a download fails', async () => {
    const { terminal, namespace } = await setUp(admin);
    const failing = { fail: '67', message: 'the hub wants a token', container: 'fetch' };
    await held(
      admin,
      { namespace, labelSelector: 'app.kubernetes.io/component=fetcher', pods: 1 },
      simulated(failing),
      () => terminal.run('kubectl apply -f modeldeployment.yaml'),
    );
    const model = under(admin, 'ModelDeployment', namespace, 'llama-3-8b');
    await model.shows((status) => {
      expect(status['phase']).toBe('Failed');
      expect(JSON.stringify(status['conditions'])).toContain('the hub wants a token');
    });
  });

  it('see in the status that no GPU is free', async () => {
    const { terminal, namespace } = await setUp(admin);
    const model = under(admin, 'ModelDeployment', namespace, 'llama-3-8b');
    await terminal.run('sed -i s/gpus:.1/gpus:\\ 64/ modeldeployment.yaml && kubectl apply -f modeldeployment.yaml');
    await model.shows((status) => {
      const conditions = status['conditions'] as readonly { readonly type: string }[];
      expect(conditions.find(({ type }) => type === 'Progressing')).toMatchObject({
        status: 'True',
        reason: 'NoSuchGPU',
        message: expect.stringContaining('64 × nvidia.com/gpu'),
      });
    });
    expect(await terminal.run('kubectl describe deployment -l modeldeployment=llama-3-8b')).toContain('nvidia.com/gpu');
  });

  it('have it scaled by its load where they ask for that', async () => {
    const { terminal, namespace } = await setUp(admin);
    await terminal.run('echo "  autoScaling: true" >> modeldeployment.yaml && kubectl apply -f modeldeployment.yaml');
    const model = under(admin, 'ModelDeployment', namespace, 'llama-3-8b');
    await model.shows((status) => expect(status['phase']).toBe('Running'));
    expect(await model.child(TYPES.horizontalPodAutoscaler)).toMatchObject({
      spec: { minReplicas: 1, maxReplicas: 10 },
    });
  });
});
