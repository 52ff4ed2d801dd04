import type { Manifest } from '../../../constructs/index.ts';
import { jobSources } from './job-sources.ts';
import { AGENT, AGENT_V1ALPHA1, SANDBOX_AGENT, SANDBOX_AGENT_V1ALPHA2 } from './kagent.ts';
import { INFERENCE_SERVICE, LLM_INFERENCE_SERVICE, LLM_INFERENCE_SERVICE_V1ALPHA1 } from './kserve.ts';
import { MODEL } from './kubeai.ts';
import { PYTORCH_JOB, TRAIN_JOB, TRAIN_JOB_2_0, TRAIN_JOB_V2ALPHA1 } from './kubeflow.ts';
import { readerOf, resource } from './source.ts';
import type { Source } from './source.ts';

const TRAINER = { name: 'pytorch', image: 'train:1' };

const TRAIN = (apiVersion: string): Manifest =>
  resource(apiVersion, 'TrainJob', { runtimeRef: { name: 'torch-distributed' }, trainer: { image: 'train:1' } });

const LLM = (apiVersion: string): Manifest =>
  resource(apiVersion, 'LLMInferenceService', {
    model: { uri: 'hf://owner/model' },
    template: { containers: [{ name: 'main', image: 'vllm:1' }] },
  });

const KUBEAI_SPEC = { url: 'hf://owner/model', engine: 'VLLM', features: ['TextGeneration'] };

/** The schemas of others that are converted, by kind. */
export const sources: Readonly<Record<string, Source>> = {
  'a KubeAI Model': {
    schema: MODEL,
    reader: readerOf('Model', 'kubeai.org'),
    bases: [
      resource('kubeai.org/v1', 'Model', { ...KUBEAI_SPEC, minReplicas: 2, maxReplicas: 5 }),
      resource('kubeai.org/v1', 'Model', { ...KUBEAI_SPEC, autoscalingDisabled: true, replicas: 2 }),
    ],
    keys: [[/^env$/, ['SAMPLE']]],
    samples: [[/^url$/, 'hf://owner/other']],
  },
  'a PyTorchJob': {
    schema: PYTORCH_JOB,
    reader: readerOf('PyTorchJob', 'kubeflow.org'),
    bases: [
      resource('kubeflow.org/v1', 'PyTorchJob', {
        pytorchReplicaSpecs: {
          Master: { replicas: 1, template: { spec: { containers: [{ ...TRAINER, args: ['--first'] }] } } },
          Worker: { replicas: 2, template: { spec: { containers: [TRAINER] } } },
        },
      }),
    ],
    keys: [[/^pytorchReplicaSpecs$/, ['Worker', 'Master']]],
    samples: [
      [/^nprocPerNode$/, '4'],
      [/^elasticPolicy\.minReplicas$/, 1],
    ],
  },
  'a TrainJob': {
    schema: TRAIN_JOB,
    reader: readerOf('TrainJob', 'trainer.kubeflow.org'),
    bases: [TRAIN('trainer.kubeflow.org/v1alpha1')],
  },
  'a TrainJob of Trainer 2.0': {
    schema: TRAIN_JOB_2_0,
    reader: readerOf('TrainJob', 'trainer.kubeflow.org'),
    bases: [TRAIN('trainer.kubeflow.org/v1alpha1')],
    samples: [[/numProcPerNode$/, 4]],
  },
  'a TrainJob at v2alpha1': {
    schema: TRAIN_JOB_V2ALPHA1,
    reader: readerOf('TrainJob', 'kubeflow.org'),
    bases: [TRAIN('kubeflow.org/v2alpha1')],
    samples: [[/numProcPerNode$/, '4']],
  },
  'a kagent Agent of one’s own image': {
    schema: AGENT,
    reader: readerOf('Agent', 'kagent.dev'),
    bases: [resource('kagent.dev/v1alpha2', 'Agent', { type: 'BYO', byo: { deployment: { image: 'agent:1' } } })],
  },
  'a kagent Agent that kagent’s own image runs': {
    schema: AGENT,
    reader: readerOf('Agent', 'kagent.dev'),
    bases: [resource('kagent.dev/v1alpha2', 'Agent', { type: 'Declarative', declarative: { modelConfig: 'gpt' } })],
  },
  'a kagent Agent at v1alpha1': {
    schema: AGENT_V1ALPHA1,
    reader: readerOf('Agent', 'kagent.dev'),
    bases: [resource('kagent.dev/v1alpha1', 'Agent', { modelConfig: 'gpt', deployment: { replicas: 1 } })],
  },
  'a kagent SandboxAgent of one’s own image': {
    schema: SANDBOX_AGENT,
    reader: readerOf('SandboxAgent', 'kagent.dev'),
    bases: [resource('kagent.dev/v1alpha3', 'SandboxAgent', { type: 'BYO', byo: { image: 'agent:1' } })],
  },
  'a kagent SandboxAgent at v1alpha2': {
    schema: SANDBOX_AGENT_V1ALPHA2,
    reader: readerOf('SandboxAgent', 'kagent.dev'),
    bases: [
      resource('kagent.dev/v1alpha2', 'SandboxAgent', { type: 'BYO', byo: { deployment: { image: 'agent:1' } } }),
    ],
  },
  'an InferenceService': {
    schema: INFERENCE_SERVICE,
    reader: readerOf('InferenceService', 'serving.kserve.io'),
    bases: [
      resource('serving.kserve.io/v1beta1', 'InferenceService', {
        predictor: { model: { modelFormat: { name: 'huggingface' }, storageUri: 'hf://owner/model' } },
      }),
      resource('serving.kserve.io/v1beta1', 'InferenceService', {
        predictor: { containers: [{ name: 'kserve-container', image: 'serve:1' }] },
      }),
    ],
  },
  'an LLMInferenceService': {
    schema: LLM_INFERENCE_SERVICE,
    reader: readerOf('LLMInferenceService', 'serving.kserve.io'),
    bases: [LLM('serving.kserve.io/v1alpha2')],
  },
  'an LLMInferenceService at v1alpha1': {
    schema: LLM_INFERENCE_SERVICE_V1ALPHA1,
    reader: readerOf('LLMInferenceService', 'serving.kserve.io'),
    bases: [LLM('serving.kserve.io/v1alpha1')],
  },
  ...jobSources,
};
