import * as k8s from '@pulumi/kubernetes';
// In a project of yours: from 'trunnion/pulumi'.
import { AgentService, DistributedTraining, ModelServing } from '../pulumi/index.ts';
import { settings } from './settings.ts';

const { namespace: name, quota, model, agent, training, huggingFaceToken } = settings();

const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
const namespace = new k8s.core.v1.Namespace('namespace', { metadata: { name, labels } }).metadata.name;

new k8s.core.v1.ResourceQuota('quota', {
  metadata: { name: 'team', namespace },
  spec: { hard: { 'requests.nvidia.com/gpu': `${quota.gpus}`, 'requests.storage': quota.storage } },
});

const token =
  huggingFaceToken &&
  new k8s.core.v1.Secret('hugging-face', {
    metadata: { name: 'hugging-face', namespace },
    stringData: { token: huggingFaceToken },
  });

const serving = new ModelServing('llm', {
  namespace,
  spec: {
    model: { uri: model.uri, ...(token && { credentials: { secretName: token.metadata.name } }) },
    storage: { size: model.size, accessMode: 'ReadWriteMany' },
    engine: { type: 'vllm' },
    resources: { gpu: model.gpus, cpu: '4', memory: model.memory },
    parallelism: { tensor: model.gpus },
    replicas: model.replicas,
    ...(model.host !== undefined && { expose: { ingress: { host: model.host } } }),
  },
});

const support = new AgentService('support', {
  namespace,
  spec: { image: agent.image, model: serving, resources: { cpu: '500m', memory: '1Gi' }, replicas: agent.replicas },
});

const resnet = new DistributedTraining('resnet', {
  namespace,
  spec: {
    framework: 'pytorch',
    image: training.image,
    command: ['torchrun', 'train.py'],
    replicas: training.workers,
    resources: { gpu: 1, cpu: '4', memory: '16Gi' },
    ...(training.checkpoints !== undefined && { checkpoint: { uri: training.checkpoints } }),
  },
});

export const modelEndpoint = serving.endpoint;
export const agentEndpoint = support.endpoint;
export const trainingMaster = resnet.master;
