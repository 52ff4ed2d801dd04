import { describe, expect, test } from 'vitest';
import { distributedTraining } from '../../../../operator/kinds/distributed-training/index.ts';
import { filed, fromFile, NOW, rendered, stored } from './support.ts';

/** The children by kind and name. */
const named = (file: string, id: string) =>
  new Map(
    rendered(fromFile(file, id), { related: filed(file) }).map(
      ({ manifest }) => [`${manifest.kind}/${manifest.metadata.name}`, manifest] as const,
    ),
  );

describe('what users rely on holds:', () => {
  test('a ModelDeployment has a Deployment that is found by its label, and a Service', () => {
    const children = named('modeldeployment.yaml', 'ModelDeployment/llama-3-8b');
    expect(children.get('Deployment/llama-3-8b')?.metadata.labels).toMatchObject({ modeldeployment: 'llama-3-8b' });
    expect(children.has('Service/llama-3-8b')).toBe(true);
  });

  test('a ModelDeployment runs vLLM on its GPUs, under its model’s name', () => {
    const deployment = JSON.stringify(
      named('modeldeployment.yaml', 'ModelDeployment/llama-3-8b').get('Deployment/llama-3-8b'),
    );
    expect(deployment).toContain('"--served-model-name=Llama-3-8B"');
    expect(deployment).toContain('"nvidia.com/gpu":"1"');
  });

  test('an MLTrainingJob has hosts for its master and its workers, and a variable for each hyperparameter', () => {
    const children = named('mltrainingjob.yaml', 'MLTrainingJob/pytorch-distributed-training');
    const services = [...children].filter(([id]) => id.startsWith('Service/'));
    expect(services.map(([, { metadata }]) => metadata.name)).toEqual([
      'pytorch-distributed-training',
      'pytorch-distributed-training-master',
      'pytorch-distributed-training-worker-0',
      'pytorch-distributed-training-worker-1',
      'pytorch-distributed-training-worker-2',
    ]);
    for (const [, { metadata }] of services)
      expect(metadata.labels).toMatchObject({ job: 'pytorch-distributed-training' });
    expect(children.get('Service/pytorch-distributed-training-master')).toMatchObject({
      spec: { clusterIP: 'None', ports: [{ port: 29500 }] },
    });
    const job = JSON.stringify(children.get('Job/pytorch-distributed-training-1'));
    for (const [name, value] of [
      ['WORLD_SIZE', '4'],
      ['MASTER_ADDR', 'pytorch-distributed-training-master'],
      ['MASTER_PORT', '29500'],
      ['BATCH_SIZE', '32'],
      ['LEARNING_RATE', '0.001'],
      ['EPOCHS', '100'],
    ]) {
      expect(job).toContain(JSON.stringify({ name, value }));
    }
    expect(job).toContain('"name":"ROLE"');
  });

  test('a trial of an MLTrainingJob has hosts by its own name, and pods that are found by the name of the MLTrainingJob', () => {
    const [trial] = rendered(fromFile('mltrainingjob.yaml', 'MLTrainingJob/autotuned-training'));
    const resource = stored(trial!.manifest) as Parameters<typeof distributedTraining.render>[0];
    const nothing = { children: [], pods: [], related: {}, answers: {}, failures: [] };
    const { state } = distributedTraining.reconcile({ resource, ...nothing }, NOW);
    const children = distributedTraining.render(resource, state).map(({ manifest }) => manifest);
    const hosts = children.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
    expect(hosts).toEqual([
      'autotuned-training-1',
      'autotuned-training-1-master',
      'autotuned-training-1-worker-0',
      'autotuned-training-1-worker-1',
      'autotuned-training-1-worker-2',
    ]);
    expect(children.find(({ kind }) => kind === 'Job')).toMatchObject({
      spec: { template: { metadata: { labels: { job: 'autotuned-training' } } } },
    });
  });

  test('an LLMDeployment has a Service on its port, and pods that are nothing but its image', () => {
    const children = named('llm.yaml', 'LLMDeployment/chat-service');
    expect(children.get('Service/chat-service')).toMatchObject({ spec: { ports: [{ port: 8080 }] } });
    expect(children.get('Deployment/chat-service')).toMatchObject({ spec: { replicas: 2 } });
    expect([...children.keys()].filter((id) => /^(Job|PersistentVolumeClaim)/.test(id))).toEqual([]);
  });

  test('an AIAgent has NAME-config, NAME, NAME-svc from 80 to 8000, and an autoscaler', () => {
    const children = named('aiagent.yaml', 'AIAgent/support-agent');
    expect(children.has('ConfigMap/support-agent-config')).toBe(true);
    expect(children.get('Deployment/support-agent')?.metadata.labels).toMatchObject({ aiagent: 'support-agent' });
    expect(children.get('Service/support-agent-svc')).toMatchObject({ spec: { ports: [{ port: 80 }] } });
    expect(JSON.stringify(children.get('Deployment/support-agent'))).toContain('"containerPort":8000');
    expect(children.get('HorizontalPodAutoscaler/support-agent')).toMatchObject({
      spec: { minReplicas: 2, maxReplicas: 15 },
    });
  });

  test('an MLModel is downloaded by a Job onto a volume, and served by TensorFlow Serving behind a Service', () => {
    const ids = [...named('mlmodel.yaml', 'MLModel/half-plus-two').keys()];
    expect(ids).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Job\/half-plus-two-fetch-/),
        expect.stringMatching(/^PersistentVolumeClaim\/half-plus-two-weights-/),
        'Deployment/half-plus-two',
        'Service/half-plus-two',
      ]),
    );
  });
});
