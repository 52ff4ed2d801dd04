import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../../../constructs/index.ts';
import { convert } from '../../../../compat/convert/convert.ts';
import type { Equivalent } from '../../../../compat/convert/convert.ts';
import { printEquivalents } from '../../../../cli/convert/print.ts';
import { declarative, inferenceServices, samples } from '../../../support/others.ts';

function equivalentOf(manifest: Manifest): Equivalent {
  const equivalent = convert(manifest, [manifest]);
  if (!equivalent) throw new Error(`${manifest.kind} is not known`);
  return equivalent;
}

const specOf = (manifest: Manifest): unknown => equivalentOf(manifest).manifest['spec'];
const pathsOf = (notes: Equivalent['notes']): readonly string[] =>
  [...new Set(notes.map(({ path }) => path))].toSorted();

describe('the equivalent of', () => {
  test('KServe’s InferenceService', () => {
    const { notes, problems } = equivalentOf(samples.InferenceService);
    expect(specOf(samples.InferenceService)).toEqual({
      model: { uri: 'hf://meta-llama/Llama-3.1-8B' },
      storage: { size: '100Gi', accessMode: 'ReadWriteMany' },
      engine: {
        type: 'vllm',
        args: ['--max-model-len=8192'],
        env: [{ name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name: 'hf', key: 'token' } } }],
      },
      resources: { gpu: 1, cpu: '4', memory: '24Gi' },
      autoscaling: { minReplicas: 1, maxReplicas: 4, targets: { cpuPercent: 80 } },
      nodeSelector: { zone: 'a' },
      tolerations: [{ operator: 'Exists' }],
      priorityClassName: 'high',
      podTemplate: {
        metadata: { labels: { team: 'a' } },
        spec: {
          containers: [{ name: 'server', resources: { limits: { cpu: '8', 'ephemeral-storage': '10Gi' } } }],
        },
      },
    });
    expect(pathsOf(notes)).toEqual([
      'spec.predictor.maxReplicas',
      'spec.predictor.model.modelFormat.name',
      'spec.predictor.scaleMetric',
      'spec.predictor.scaleTarget',
      'spec.predictor.serviceAccountName',
      'spec.predictor.timeout',
      'spec.storage',
      'spec.transformer',
    ]);
    expect(problems).toEqual([]);
  });

  test('an InferenceService of the first form, with the target that it has', () => {
    expect(specOf(inferenceServices.tensorflow)).toMatchObject({
      model: { uri: 'pvc://models/flowers' },
      engine: { type: 'tensorflow-serving' },
      autoscaling: { maxReplicas: 3, targets: { cpuPercent: 60 } },
    });
    expect(pathsOf(equivalentOf(inferenceServices.tensorflow).problems)).toEqual(['spec.resources.cpu']);
  });

  test('an InferenceService that no engine serves, which says what is missing', () => {
    const { notes, problems } = equivalentOf(inferenceServices.sklearn);
    expect(notes.map(({ message }) => message)).toContainEqual(expect.stringContaining('no engine serves sklearn'));
    expect(pathsOf(problems)).toEqual(['spec.engine.image']);
  });

  test('an InferenceService of one’s own container', () => {
    expect(specOf(inferenceServices.container)).toMatchObject({
      engine: { type: 'custom', image: 'serve:1', command: ['serve'], port: 8080 },
      replicas: 1,
    });
    expect(pathsOf(equivalentOf(inferenceServices.container).notes)).toEqual([
      'spec.egress',
      'spec.model.uri',
      'spec.predictor.containers[0].ports[0].containerPort',
      'spec.predictor.minReplicas',
      'spec.replicas',
      'spec.security.level',
    ]);
  });

  test('KServe’s LLMInferenceService', () => {
    const { notes, problems } = equivalentOf(samples.LLMInferenceService);
    expect(specOf(samples.LLMInferenceService)).toEqual({
      model: { uri: 'hf://Qwen/Qwen2.5-7B-Instruct', name: 'qwen' },
      storage: { size: '100Gi', accessMode: 'ReadWriteMany' },
      engine: { type: 'vllm', image: 'vllm:1', args: ['--trust-remote-code'] },
      parallelism: { tensor: 2 },
      resources: { gpu: 2, memory: '64Gi' },
      replicas: 2,
      nodeSelector: { zone: 'a' },
      tolerations: [{ operator: 'Exists' }],
      priorityClassName: 'high',
    });
    expect(pathsOf(notes)).toEqual([
      'spec.baseRefs',
      'spec.egress',
      'spec.model.criticality',
      'spec.model.lora',
      'spec.parallelism.data',
      'spec.router',
      'spec.security.level',
      'spec.storage',
      'spec.template.serviceAccountName',
      'spec.trustRemoteCode',
    ]);
    expect(problems).toEqual([]);
  });

  test('KubeAI’s Model', () => {
    const { notes, problems } = equivalentOf(samples.Model);
    expect(specOf(samples.Model)).toEqual({
      model: { uri: 'hf://neuralmagic/Meta-Llama-3.1-8B-Instruct-FP8' },
      storage: { size: '100Gi', accessMode: 'ReadWriteMany' },
      engine: { type: 'vllm', args: ['--max-model-len=16384'] },
      env: [{ name: 'VLLM_LOGGING_LEVEL', value: 'DEBUG' }],
      resources: { gpu: 2, cpu: '1' },
      autoscaling: { minReplicas: 1, maxReplicas: 3, targets: { cpuPercent: 80 } },
    });
    expect(pathsOf(notes)).toEqual([
      'spec.env',
      'spec.features',
      'spec.maxReplicas',
      'spec.minReplicas',
      'spec.owner',
      'spec.parallelism',
      'spec.resourceProfile',
      'spec.storage',
      'spec.targetRequests',
    ]);
    expect(problems).toEqual([]);
  });

  test('Kubeflow’s PyTorchJob', () => {
    const { notes, problems } = equivalentOf(samples.PyTorchJob);
    expect(specOf(samples.PyTorchJob)).toEqual({
      framework: 'pytorch',
      image: 'train:1',
      command: ['python', 'train.py'],
      replicas: 4,
      resources: { gpu: 2 },
      procsPerNode: 2,
      retry: { limit: 3 },
      ttlSecondsAfterFinished: 60,
      nodeSelector: { zone: 'a' },
      tolerations: [{ operator: 'Exists' }],
      priorityClassName: 'high',
    });
    expect(pathsOf(notes)).toEqual([
      'spec.egress',
      'spec.pytorchReplicaSpecs.Master.restartPolicy',
      'spec.pytorchReplicaSpecs.Master.template',
      'spec.pytorchReplicaSpecs.Worker.restartPolicy',
      'spec.pytorchReplicaSpecs.Worker.template.spec.serviceAccountName',
      'spec.runPolicy.cleanPodPolicy',
      'spec.security.level',
    ]);
    expect(problems).toEqual([]);
  });

  test('Kubeflow Trainer’s TrainJob', () => {
    const { notes, problems } = equivalentOf(samples.TrainJob);
    expect(specOf(samples.TrainJob)).toEqual({
      framework: 'pytorch',
      image: 'train:1',
      command: ['torchrun', 'train.py'],
      replicas: 4,
      procsPerNode: 2,
      resources: { gpu: 2 },
      suspend: true,
    });
    expect(pathsOf(notes)).toEqual(['spec.egress', 'spec.initializer', 'spec.runtimeRef', 'spec.security.level']);
    expect(problems).toEqual([]);
  });

  test('kagent’s Agent, of one’s own image', () => {
    const { notes, problems } = equivalentOf(samples.Agent);
    expect(specOf(samples.Agent)).toEqual({
      image: 'agent:1',
      replicas: 2,
      env: [{ name: 'A', value: 'b' }],
      resources: { cpu: '100m', memory: '128Mi' },
      podTemplate: {
        spec: {
          containers: [
            {
              name: 'agent',
              command: ['/app'],
              args: ['--serve'],
              resources: { requests: { memory: '64Mi' } },
            },
          ],
        },
      },
    });
    expect(pathsOf(notes)).toEqual([
      'spec.byo.deployment.cmd',
      'spec.byo.deployment.securityContext',
      'spec.byo.deployment.serviceAccountName',
      'spec.description',
      'spec.egress',
      'spec.model',
      'spec.security.level',
    ]);
    expect(pathsOf(problems)).toEqual(['spec.model']);
  });

  test('an Agent that kagent’s own image runs: its tools, and what must be said by hand', () => {
    const { notes, problems } = equivalentOf(declarative);
    expect(specOf(declarative)).toEqual({ tools: ['create', 'close'], replicas: 1, resources: {} });
    expect(pathsOf(notes)).toEqual([
      'spec.declarative.modelConfig',
      'spec.declarative.systemMessage',
      'spec.declarative.tools[0].mcpServer.kind',
      'spec.declarative.tools[0].mcpServer.name',
      'spec.declarative.tools[0].type',
      'spec.image',
    ]);
    expect(pathsOf(problems)).toEqual(['spec.image', 'spec.model']);
  });
});

describe('what is printed', () => {
  test('is the equivalent, below a comment on each field that has none and on what must be corrected', () => {
    expect(printEquivalents([equivalentOf(samples.TrainJob), equivalentOf(declarative)])).toBe(
      `# From TrainJob sample (trainer.kubeflow.org/v1alpha1).
#   spec.egress: say what it may reach: here that is nothing but DNS and the other ranks, so that a download of data, models or packages fails
#   spec.security.level: is restricted: the program runs as user 1000, who can write to its home, /tmp and volumes alone; baseline runs it as the image says, root too
#   spec.runtimeRef ({"name":"torch-distributed","kind":"ClusterTrainingRuntime","apiGroup":"trainer.…): only the framework follows from it: carry image, command and resources of the runtime over
#   spec.initializer ({"dataset":{"storageUri":"hf://tatsu-lab/alpaca"}}): data and models are brought by the program, or lie on a volume of podTemplate
apiVersion: trunnion.dev/v1alpha1
kind: DistributedTraining
metadata:
  name: sample
  namespace: models
  labels:
    team: a
spec:
  framework: pytorch
  image: train:1
  command:
    - torchrun
    - train.py
  replicas: 4
  procsPerNode: 2
  resources:
    gpu: 2
  suspend: true
---
${printEquivalents([equivalentOf(declarative)])}`,
    );
    expect(printEquivalents([equivalentOf(declarative)])).toContain(
      '# To be corrected before it can run:\n#   spec.image: Required value',
    );
  });
});
