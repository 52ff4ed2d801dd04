import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { convert } from '../../compat/convert/convert.ts';
import { parseManifests } from '../../cli/manifests.ts';
import { printEquivalents } from '../../cli/convert/print.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient } from '../cluster/support/client.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { held } from '../cluster/support/held.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { installPublished } from '../cluster/support/other-crds.ts';
import { simulated } from '../cluster/support/training.ts';
import { setUp, under } from './support/testbed.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin, { compat: true }));

const conditionsOf = (status: object): string => JSON.stringify((status as { conditions?: unknown }).conditions);

describe('what users of the earlier operators were promised', () => {
  it('an AIAgent is scaled by CPUs and a queue, and is reached by an Ingress, with all else as it was', async () => {
    onTestFinished(await installPublished(admin, 'ScaledObject', 'TriggerAuthentication'));
    const { terminal, namespace } = await setUp(admin);
    await terminal.run("sed -i '/^metadata/s/, namespace: ai-agents//' aiagent.yaml full/aiagent.yaml");
    await terminal.run('kubectl apply -f aiagent.yaml');
    const agent = under(admin, 'AIAgent', namespace, 'support-agent');
    await agent.shows((status) => expect(status).toMatchObject({ phase: 'Running' }));
    expect(await terminal.run('kubectl get hpa support-agent -o name')).toContain('support-agent');

    await terminal.run('kubectl apply -f full/aiagent.yaml');
    await eventually(async () => {
      expect(await terminal.run('kubectl get scaledobject support-agent -o yaml')).toContain('type: redis');
      expect(await terminal.run('kubectl get triggerauthentication -o name')).toContain('support-agent');
      expect(await terminal.run('kubectl get ingress')).toMatch(/support-agent +nginx +support.example.com/);
      expect(await terminal.run('kubectl get hpa -o name')).toBe('');
    });
    for (const child of ['configmap/support-agent-config', 'deployment/support-agent', 'service/support-agent-svc']) {
      expect(await terminal.run(`kubectl get ${child} -o name`)).toContain('support-agent');
    }
    await terminal.run('kubectl delete aia support-agent');
    await agent.isGone();
  });

  it('a field of theirs that can’t work is refused when it is applied, with its path', async () => {
    const { terminal } = await setUp(admin);
    const refused = async (change: string, file: string): Promise<string> =>
      terminal
        .run(`sed '${change}' full/${file} | kubectl apply --dry-run=server -n default -f -`)
        .catch((error: Error) => error.message);
    await terminal.run("sed -i '/^metadata/s/, namespace: [a-z-]*//' full/*.yaml");
    expect(await refused('/queue:/,/credentials/d', 'aiagent.yaml')).toContain(
      'spec.autoscaling.queue: Invalid value: is required by targets.queueDepth',
    );
    expect(await refused('s/max-model-len=32768/port=1/', 'llm.yaml')).toContain('spec.engine.args: Invalid value');
    expect(await refused('/prometheus:/d', 'llm.yaml')).toContain('spec.autoscaling.prometheus');
    expect(await refused('s/replicas: 4/replicas: 9/', 'mltrainingjob.yaml')).toContain('spec.replicas: Invalid value');
  });

  it('an LLMDeployment has its weights on a volume, whichever is applied first, and follows its LLMModel', async () => {
    onTestFinished(await installPublished(admin, 'ScaledObject'));
    const { terminal, namespace } = await setUp(admin);
    await terminal.run("sed -i '/credentials/d' full/llm.yaml");
    await terminal.run("sed '1,/^---/d' full/llm.yaml | kubectl apply -f -");
    const chat = under(admin, 'LLMDeployment', namespace, 'chat-large');
    await chat.shows((status) => expect(conditionsOf(status)).toContain('There is no LLMModel gpt-large'));
    await terminal.run("sed '/^---/,$d' full/llm.yaml | kubectl apply -f -");
    await chat.shows((status) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: 1 }));
    expect(await terminal.run('kubectl get pvc')).toMatch(/chat-large-weights-[a-z0-9]+ .*60Gi +RWX/);
    expect(await terminal.run('kubectl get deployment chat-large -o yaml')).toContain('nvidia.com/gpu: "4"');
    expect(await terminal.run('kubectl get scaledobject chat-large -o yaml')).toContain('time_to_first_token');
    expect(await terminal.run('kubectl get networkpolicy chat-large -o yaml')).toContain('10.0.0.0/8');

    // One scales as an autoscaler would, which nobody takes back.
    await admin.patch(TYPES.deployment, chat, { spec: { replicas: 2 } }, { subresource: 'scale' });
    await chat.shows((status) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: 2 }));

    const change = { spec: { engine: { args: ['--max-model-len=4096'] } } };
    await terminal.run(`kubectl patch llmmodel gpt-large --type merge -p '${JSON.stringify(change)}'`);
    await eventually(async () =>
      expect(await terminal.run('kubectl get deployment chat-large -o yaml')).toContain('max-model-len=4096'),
    );
    await chat.shows((status) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: 2 }));
    await terminal.run('kubectl delete llmdeployment chat-large');
    await chat.isGone();
  });

  it('an MLTrainingJob has its pods Pending, where an autoscaler of nodes sees them, until its pool has nodes', async () => {
    const { terminal, namespace } = await setUp(admin);
    await terminal.run("sed -i '/^metadata/s/, namespace: ml-workloads//' full/mltrainingjob.yaml");
    await terminal.run('kubectl apply -f full/mltrainingjob.yaml');
    const job = under(admin, 'MLTrainingJob', namespace, 'elastic-training');
    await job.shows((status) => {
      expect(status['phase']).toBe('Pending');
      expect(conditionsOf(status)).toContain("didn't match Pod's node affinity/selector");
    });
    await eventually(async () => {
      const pods = await terminal.run(
        `kubectl get pods -l job=elastic-training -o jsonpath='{.items[*].status.conditions[?(@.type=="PodScheduled")].reason}'`,
      );
      expect(pods).toBe('Unschedulable Unschedulable Unschedulable Unschedulable');
    });
    onTestFinished(async () => void (await terminal.run('kubectl label nodes --all pool-')));
    await held(
      admin,
      { namespace, labelSelector: 'job=elastic-training,role', pods: 4 },
      simulated({ 'delay-seconds': '600' }),
      () => terminal.run('kubectl label nodes --all --overwrite pool=training'),
    );
    await job.shows((status) => expect(status).toMatchObject({ phase: 'Running', replicas: 4 }));

    // Between its bounds its workers come and go, and nothing starts again.
    await held(
      admin,
      { namespace, labelSelector: 'job=elastic-training,role', pods: 6 },
      simulated({ 'delay-seconds': '600' }),
      () => job.patch({ replicas: 6 }),
    );
    await job.shows((status) =>
      expect(status).toMatchObject({ phase: 'Running', replicas: 6, workload: { attempt: 1 } }),
    );
    await job.patch({ replicas: 2 });
    await job.shows((status) =>
      expect(status).toMatchObject({ phase: 'Running', replicas: 2, workload: { attempt: 1 } }),
    );
    await terminal.run('kubectl delete mltj elastic-training');
    await job.isGone();
  });

  it('a ModelDeployment that is deprecated drains, keeps its resource and its weights, and comes back', async () => {
    const { terminal, namespace } = await setUp(admin);
    await terminal.run('kubectl apply -f modeldeployment.yaml');
    const model = under(admin, 'ModelDeployment', namespace, 'llama-3-8b');
    await model.shows((status) => expect(status).toMatchObject({ phase: 'Running', readyPods: 1 }));
    await terminal.run('kubectl apply -f full/modeldeployment.yaml');
    await eventually(async () => expect(await model.child(TYPES.service)).toBeUndefined());
    expect(await model.child(TYPES.deployment)).toBeDefined();
    await eventually(async () => expect(await model.child(TYPES.deployment)).toBeUndefined());
    await model.shows((status) => {
      expect(status).toMatchObject({ phase: 'Pending', readyPods: 0 });
      expect(status).not.toHaveProperty('endpoint');
      expect(conditionsOf(status)).toContain('Set deprecated to false to bring it back.');
    });
    expect(await terminal.run('kubectl get modeldeployment llama-3-8b -o name')).toContain('llama-3-8b');
    expect(await terminal.run('kubectl get pvc')).toContain('llama-3-8b-weights');
    await terminal.run('kubectl apply -f modeldeployment.yaml');
    await model.shows((status) => expect(status).toMatchObject({ phase: 'Running', readyPods: 1 }));
  });

  it('convert prints the equivalent of each, which the API server takes', async () => {
    const { terminal } = await setUp(admin);
    const files = ['aiagent', 'llm', 'mltrainingjob', 'modeldeployment'].map((name) => `full/${name}.yaml`);
    for (const file of files) {
      const manifests = parseManifests(await terminal.run(`cat ${file}`), file);
      const equivalents = manifests.flatMap((manifest) => convert(manifest, manifests) ?? []);
      expect(equivalents.flatMap(({ problems }) => problems)).toEqual([]);
      terminal.write(
        'equivalents.yaml',
        printEquivalents(equivalents).replaceAll(/namespace: .*/g, 'namespace: default'),
      );
      expect(await terminal.run('kubectl apply --dry-run=server -o name -f equivalents.yaml')).toContain(
        'trunnion.dev',
      );
    }
  });
});
