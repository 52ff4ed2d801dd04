import { describe, expect, test } from 'vitest';
import { equivalentOf } from '../../../../compat/kinds/equivalent.ts';
import { translations } from '../../../../compat/kinds/index.ts';
import type { Equivalent } from '../../../../compat/kinds/translation.ts';
import type { Resource } from '../../../../operator/engine/api/resource.ts';
import { filed, fromFile, stored } from './support.ts';

function equivalent(resource: Resource, related: Readonly<Record<string, Resource>> = {}): Equivalent {
  const translation = translations.find(({ theirs }) => theirs.kind === resource.kind);
  if (!translation) throw new Error(`nobody translates ${resource.kind}`);
  return equivalentOf(translation, resource, related);
}

const open = { egress: [{ cidr: '0.0.0.0/0' }, { cidr: '::/0' }] };
const baseline = { security: { level: 'baseline' } };

describe('each resource that users have is one of ours:', () => {
  test.each([
    [
      'modeldeployment.yaml',
      'ModelDeployment/llama-3-8b',
      {
        model: { uri: 'huggingface://meta-llama/Meta-Llama-3-8B-Instruct', name: 'Llama-3-8B' },
        storage: { size: '100Gi', accessMode: 'ReadWriteMany' },
        engine: { type: 'vllm' },
        resources: { gpu: 1 },
        replicas: 1,
        ...baseline,
      },
    ],
    [
      'mlmodel.yaml',
      'MLModel/half-plus-two',
      {
        model: { uri: 'https://models.example.com/half_plus_two.tar.gz', name: 'half_plus_two' },
        storage: { size: '10Gi', accessMode: 'ReadWriteMany' },
        engine: { type: 'tensorflow-serving' },
        resources: { gpu: 0 },
        replicas: 1,
        ...baseline,
      },
    ],
    [
      'llm.yaml',
      'LLMDeployment/chat-service',
      {
        model: { uri: 'oci://your-registry/gpt-small:v1', name: 'GPT-Small' },
        engine: { type: 'custom', image: 'your-registry/gpt-small:v1', port: 8080 },
        resources: { gpu: 0, cpu: '2', memory: '4Gi' },
        replicas: 2,
        drain: { timeoutSeconds: 30 },
        ...baseline,
        ...open,
      },
    ],
    [
      'aiagent.yaml',
      'AIAgent/support-agent',
      {
        image: 'myregistry/support-agent:2.0.0',
        model: 'gpt-4o',
        temperature: 0.5,
        maxTokens: 2048,
        tools: ['knowledge-base-search', 'ticket-creator', 'calendar-lookup'],
        autoscaling: { minReplicas: 2, maxReplicas: 15, targets: { cpuPercent: 80 } },
        resources: { cpu: '100m' },
        drain: { timeoutSeconds: 30 },
        ...baseline,
        ...open,
      },
    ],
    [
      'mltrainingjob.yaml',
      'MLTrainingJob/pytorch-distributed-training',
      {
        framework: 'pytorch',
        image: 'pytorch/pytorch:2.0.0-cuda11.8-cudnn8-runtime',
        replicas: 4,
        procsPerNode: 1,
        resources: { gpu: 1, memory: '16Gi', cpu: '4' },
        hyperparameters: { BATCH_SIZE: '32', LEARNING_RATE: '0.001', EPOCHS: '100' },
        checkpoint: { uri: 's3://ml-checkpoints/pytorch-training/' },
        env: [{ name: 'CHECKPOINT_PATH', value: 's3://ml-checkpoints/pytorch-training/' }],
        ...baseline,
        ...open,
      },
    ],
    [
      'mltrainingjob.yaml',
      'MLTrainingJob/autotuned-training',
      {
        framework: 'pytorch',
        image: 'pytorch/pytorch:2.0.0-cuda11.8-cudnn8-runtime',
        replicas: 4,
        procsPerNode: 1,
        tuning: {
          algorithm: 'bayesian',
          maxTrials: 20,
          objective: { metric: 'val_accuracy', goal: 'maximize' },
          parameters: {
            learningRate: { type: 'float', min: 0.0001, max: 0.1, scale: 'log' },
            batchSize: { type: 'int', values: [16, 32, 64, 128] },
          },
        },
        ...baseline,
        ...open,
      },
    ],
  ])('%s, %s', (file, id, spec) => {
    expect(equivalent(fromFile(file, id), filed(file)).spec).toEqual(spec);
  });

  test('all files are in this table', () => {
    const ids = ['modeldeployment', 'mlmodel', 'llm', 'aiagent', 'mltrainingjob'].flatMap((name) =>
      Object.keys(filed(`${name}.yaml`)),
    );
    // An LLMModel only describes.
    expect(ids.filter((id) => !id.startsWith('LLMModel/'))).toHaveLength(6);
  });
});

const variant = (file: string, id: string, spec: object, related = {}) => {
  const resource = fromFile(file, id);
  return equivalent({ ...resource, spec: { ...(resource.spec as object), ...spec } }, related).spec;
};

describe('every field has its effect:', () => {
  test.each([
    ['gpus', { gpus: 4 }, { resources: { gpu: 4 } }],
    ['replicas', { replicas: 3 }, { replicas: 3 }],
    ['modelName', { modelName: 'mine' }, { model: { name: 'mine' } }],
    ['modelSource', { modelSource: 's3://models/llama' }, { model: { uri: 's3://models/llama' } }],
    ['credentials', { credentials: { secretName: 'hf' } }, { model: { credentials: { secretName: 'hf' } } }],
    [
      'storage',
      { storage: { accessMode: 'ReadWriteOnce' } },
      { storage: { size: '100Gi', accessMode: 'ReadWriteOnce' } },
    ],
    [
      'autoScaling',
      { autoScaling: true, replicas: 2 },
      { autoscaling: { minReplicas: 2, maxReplicas: 10, targets: { cpuPercent: 80 } }, resources: { cpu: '1' } },
    ],
  ])('%s of a ModelDeployment', (_, spec, expected) => {
    expect(variant('modeldeployment.yaml', 'ModelDeployment/llama-3-8b', spec)).toMatchObject(expected);
  });

  test('a ModelDeployment from a volume that is there has no other', () => {
    const spec = variant('modeldeployment.yaml', 'ModelDeployment/llama-3-8b', { modelSource: 'pvc://models/llama' });
    expect(spec).not.toHaveProperty('storage');
  });

  test('a ModelDeployment that is scaled by its load has no number of replicas', () => {
    const spec = variant('modeldeployment.yaml', 'ModelDeployment/llama-3-8b', { autoScaling: true });
    expect(spec).not.toHaveProperty('replicas');
  });

  test.each([
    ['tools, each once', { tools: ['a', 'b', 'a'] }, { tools: ['a', 'b'] }],
    ['autoscaling that is off', { autoscaling: { enabled: false, maxReplicas: 4 } }, { replicas: 3 }],
    [
      'autoscaling without bounds',
      { autoscaling: { enabled: true }, replicas: 12 },
      { autoscaling: { minReplicas: 1, maxReplicas: 12 } },
    ],
    [
      'the defaults of its kind',
      { temperature: undefined, maxTokens: undefined },
      { temperature: 0.7, maxTokens: 4096 },
    ],
  ])('%s of an AIAgent', (_, spec, expected) => {
    expect(variant('aiagent.yaml', 'AIAgent/support-agent', spec)).toMatchObject(expected);
  });

  const TRAINING = ['mltrainingjob.yaml', 'MLTrainingJob/pytorch-distributed-training'] as const;

  test.each([
    ['tensorflow', { tensorflow: { chief: false } }],
    ['mxnet', { mxnet: { servers: 0 } }],
  ])('%s is a framework of equal pods, as many as replicas says', (framework, expected) => {
    expect(variant(...TRAINING, { framework, replicas: 1 })).toMatchObject({ framework, replicas: 1, ...expected });
  });

  test('a place of checkpoints that only the program knows is told to it', () => {
    const spec = variant(...TRAINING, { checkpointPath: '/mnt/checkpoints' });
    expect(spec).toMatchObject({ env: [{ name: 'CHECKPOINT_PATH', value: '/mnt/checkpoints' }] });
    expect(spec).not.toHaveProperty('checkpoint');
  });

  test('a place of checkpoints is not told twice', () => {
    expect(variant(...TRAINING, { hyperparameters: { CHECKPOINT_PATH: '/a' } })).not.toHaveProperty('env');
  });

  test('tuning that is off is none', () => {
    expect(variant(...TRAINING, { autoTuning: { enabled: false } })).not.toHaveProperty('tuning');
  });

  test('an objective that is a loss is made small', () => {
    const autoTuning = { enabled: true, objective: 'val_loss', parameters: { x: { type: 'float', min: 0, max: 1 } } };
    expect(variant(...TRAINING, { autoTuning })).toMatchObject({
      tuning: {
        objective: { metric: 'val_loss', goal: 'minimize' },
        parameters: { x: { type: 'float', min: 0, max: 1 } },
      },
    });
  });

  test.each([
    ['modelName', { modelName: 'mine' }, { model: { name: 'mine' } }],
    ['modelSource', { modelSource: 's3://models/a' }, { model: { uri: 's3://models/a' } }],
    ['replicas', { replicas: 2 }, { replicas: 2 }],
    ['credentials', { credentials: { secretName: 's3' } }, { model: { credentials: { secretName: 's3' } } }],
    ['storage', { storage: { size: '1Gi' } }, { storage: { size: '1Gi' } }],
  ])('%s of an MLModel', (_, spec, expected) => {
    expect(variant('mlmodel.yaml', 'MLModel/half-plus-two', spec)).toMatchObject(expected);
  });

  test.each([
    ['modelName', { modelName: 'mine' }, { model: { name: 'mine' } }],
    ['image', { image: 'r/other:2' }, { model: { uri: 'oci://r/other:2' }, engine: { image: 'r/other:2' } }],
    ['resources', { resources: { gpu: 4, memory: '80Gi' } }, { resources: { gpu: 4, memory: '80Gi' } }],
  ])('%s of the LLMModel of an LLMDeployment', (_, spec, expected) => {
    const model = stored({
      apiVersion: 'llm.example.com/v1alpha1',
      kind: 'LLMModel',
      metadata: { name: 'gpt-small' },
      spec,
    });
    const related = { 'LLMModel/gpt-small': model };
    expect(variant('llm.yaml', 'LLMDeployment/chat-service', {}, related)).toMatchObject(expected);
  });
});
