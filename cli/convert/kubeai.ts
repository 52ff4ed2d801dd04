import { modelServing } from '../../constructs/model-serving/kind.ts';
import type { Reader } from './conversion.ts';
import type { Fields } from './fields.ts';
import { envOf, given } from './pods.ts';
import { fetchedStorage, fewestOf, scalingByCpu } from './serving.ts';

/** KubeAI's Model. */
export const kubeaiModel: Reader = {
  group: 'kubeai.org',
  kind: 'Model',
  hints: {
    'spec.adapters': 'name adapters by engine.args',
    'spec.cacheProfile': 'storage is the volume that the weights are fetched onto, once for all replicas',
    'spec.features': 'the engine knows what its model can do',
    'spec.owner': 'is shown by no engine',
    'spec.targetRequests': 'autoscaling.targets has latencies and queues, which need Prometheus and KEDA',
    'spec.scaleDownDelaySeconds': 'a replica is given up after ten minutes of less load',
    'spec.loadBalancing': 'requests are spread by the Service',
    'spec.files': 'mount a ConfigMap by podTemplate',
    'spec.maxReplicas': 'it is not scaled by its load',
    'spec.minReplicas': 'it is not scaled by its load',
    'spec.replicas': 'the autoscaler chooses between minReplicas and maxReplicas',
    'spec.envFrom': 'name variables in env, or the whole Secret by podTemplate.spec.containers',
    'spec.jsonPatches': 'podTemplate takes what is merged into pods',
  },
  read(fields) {
    const spec = fields.at('spec');
    const uri = spec.text('url');
    return {
      kind: modelServing,
      spec: {
        model: { ...given('uri', uri) },
        ...fetchedStorage(fields, uri),
        engine: {
          type: engineOf(spec),
          ...given('image', spec.take('image')),
          ...given('args', spec.take('args')),
          ...given('env', envOf(spec, 'env')),
        },
        resources: { gpu: gpusOf(spec), ...(isScaled(spec) && { cpu: '1' }) },
        ...replicasOf(spec),
      },
    };
  },
};

function engineOf(spec: Fields): string {
  const engine = spec.text('engine');
  if (engine === 'VLLM') return 'vllm';
  spec.note('engine', 'no engine of that name: name an image that serves the model in engine.image');
  return 'custom';
}

/** `nvidia-gpu-l4:2` is a profile of KubeAI's configuration, and how many of it. */
function gpusOf(spec: Fields): number {
  const profile = spec.text('resourceProfile');
  if (profile === undefined) return 0;
  const [, name = '', times = '1'] = /^([^:]*)(?::(\d{1,9}))?$/.exec(profile) ?? ['', '', '0'];
  spec.note('resourceProfile', 'only the number of GPUs is known here: give cpu, memory and gpuProduct of the profile');
  return name.startsWith('cpu') ? 0 : Number(times);
}

/** KubeAI scales by itself, unless it is told not to, or may not. */
const isScaled = (spec: Fields): boolean => spec.flag('autoscalingDisabled') !== true && mostOf(spec) > 1;

function mostOf(spec: Fields): number {
  const most = spec.peek('maxReplicas');
  return typeof most === 'number' ? most : 1;
}

function replicasOf(spec: Fields): object {
  if (isScaled(spec)) return { autoscaling: scalingByCpu(spec, fewestOf(spec, 0), spec.number('maxReplicas') ?? 1) };
  const replicas = spec.number('replicas') ?? fewestOf(spec, 0);
  if (mostOf(spec) === replicas) spec.number('maxReplicas');
  return { replicas };
}
