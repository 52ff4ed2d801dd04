import { modelServing } from '../../constructs/model-serving/kind.ts';
import type { Reader } from './conversion.ts';
import type { Fields } from './fields.ts';
import { envOf, given } from './pods.ts';
import { fetchedStorage, scalingByCpu } from './serving.ts';

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
          ...given('env', envOf(spec.take('env'))),
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
  const [name = '', times = '1'] = profile.split(':');
  spec.note('resourceProfile', 'only the number of GPUs is known here: give cpu, memory and gpuProduct of the profile');
  return name.startsWith('cpu') ? 0 : Number(times);
}

const isScaled = (spec: Fields): boolean =>
  spec.peek('autoscalingDisabled') !== true && Number(spec.peek('maxReplicas') ?? 1) > 1;

function replicasOf(spec: Fields): object {
  const scaled = isScaled(spec);
  spec.take('autoscalingDisabled');
  const [min = 0, max = 1, replicas] = ['minReplicas', 'maxReplicas', 'replicas'].map((name) => spec.number(name));
  if (min === 0) spec.note('minReplicas', 'a service is not scaled to zero: 1 is its least');
  return scaled ? { autoscaling: scalingByCpu(spec, min, max) } : { replicas: replicas ?? Math.max(1, min) };
}
