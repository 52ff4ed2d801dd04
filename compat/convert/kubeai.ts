import { modelServing } from '../../constructs/model-serving/kind.ts';
import { reportServing } from './confinement.ts';
import type { Reader } from './conversion.ts';
import { engineArguments } from './engine-arguments.ts';
import { changed, NONE, taken, reported } from './fates.ts';
import type { Fates } from './fates.ts';
import type { Fields } from './fields.ts';
import { carried, envOf, given, podTemplateOf } from './pods.ts';
import { fetchedStorage, fewestOf, namedAs, scalingByCpu } from './serving.ts';
import { uriOf, withRevision } from './uri.ts';

const SCALING = 'it is not scaled by its load';
const SPREAD = 'requests are spread by the Service, evenly: no replica is preferred';

/** What happens to the numbers of replicas of one that is not scaled. */
const FIXED: Fates = {
  'spec.replicas': taken('spec.replicas'),
  'spec.minReplicas': reported(SCALING),
  'spec.maxReplicas': reported(SCALING),
};

/** KubeAI's Model. Its fields are those of kubeai-project/kubeai v0.22.1, manifests/crds/kubeai.org_models.yaml. */
export const kubeaiModel: Reader = {
  group: 'kubeai.org',
  kind: 'Model',
  fates: {
    'spec.url': taken('spec.model.uri'),
    'spec.engine': changed('spec.engine.type'),
    'spec.image': taken('spec.engine.image'),
    'spec.args': taken('spec.engine.args'),
    'spec.env': changed(
      'spec.env',
      'reaches all containers: the fetch as well, which reads tokens and endpoints from it',
    ),
    'spec.envFrom': changed(
      'spec.podTemplate.spec.containers.envFrom',
      'reaches the engine; the fetch reads tokens from the Secret that model.credentials names',
    ),
    'spec.resourceProfile': changed('spec.resources'),
    'spec.minReplicas': taken('spec.autoscaling.minReplicas'),
    'spec.maxReplicas': changed('spec.autoscaling.maxReplicas'),
    'spec.replicas': reported('the autoscaler chooses between minReplicas and maxReplicas'),
    'spec.autoscalingDisabled': changed('spec.replicas'),
    'spec.priorityClassName': taken('spec.priorityClassName'),
    'spec.adapters': reported('name adapters by engine.args, and put them onto a volume of podTemplate'),
    'spec.cacheProfile': reported('storage is the volume that the weights are fetched onto, once for all replicas'),
    'spec.features': reported('the engine knows what its model can do'),
    'spec.owner': reported('is shown by no engine'),
    'spec.targetRequests': reported('autoscaling.targets has latencies and queues, which need Prometheus and KEDA'),
    'spec.scaleDownDelaySeconds': reported('a replica is given up after ten minutes of less load'),
    'spec.loadBalancing': reported(SPREAD, [{}, { strategy: 'LeastLoad' }]),
    'spec.files': reported('put the files into a ConfigMap, and mount it by podTemplate'),
  },
  fatesOf: (fields) => (fields.peek('spec.autoscalingDisabled') === true ? FIXED : NONE),
  ownKeys: {
    'features.kubeai.org/': 'are read by KubeAI alone',
    'model-pod-': 'addresses of pods follow from the engine: engine.port is the port',
    'kubeai.org/': 'are read by KubeAI alone',
  },
  read(fields) {
    const spec = fields.at('spec');
    const type = engineOf(spec);
    const gpu = gpusOf(spec);
    if (spec.peek('image') !== undefined) reportServing(fields);
    const engine = engineArguments(spec, { type, gpu });
    const uri = withRevision(uriOf(spec, 'url'), engine.model.revision, spec);
    const envFrom = carried(spec, modelServing, 'spec.podTemplate.spec.containers', ['envFrom']);
    return {
      kind: modelServing,
      spec: {
        model: { ...given('uri', uri), ...namedAs(fields, engine.model) },
        ...fetchedStorage(fields, uri),
        engine: { type, ...given('image', spec.take('image')), ...engine.engine },
        ...engine.spec,
        ...given('env', envOf(spec, 'env')),
        resources: { ...(gpu !== undefined && { gpu }), ...(isScaled(spec) && { cpu: '1' }) },
        ...replicasOf(spec),
        ...given('priorityClassName', spec.text('priorityClassName')),
        ...podTemplateOf('server', {}, envFrom),
      },
    };
  },
};

function engineOf(spec: Fields): 'vllm' | 'custom' {
  const engine = spec.text('engine');
  if (engine === 'VLLM') return 'vllm';
  spec.note('engine', 'no engine of that name: name an image that serves the model in engine.image');
  return 'custom';
}

/** `nvidia-gpu-l4:2` is a profile of KubeAI's configuration, and how many of it. */
function gpusOf(spec: Fields): number | undefined {
  const profile = spec.text('resourceProfile');
  if (profile === undefined) return 0;
  const [, name, times = '1'] = /^([^:]*)(?::(\d{1,9}))?$/.exec(profile) ?? [];
  spec.note(
    'resourceProfile',
    'only the number of GPUs is known here: give cpu, memory, gpuResource and gpuProduct of the profile, its nodeSelector and tolerations',
  );
  if (name === undefined) return undefined;
  return name.startsWith('cpu') ? 0 : Number(times);
}

/** KubeAI scales by itself, unless it is told not to, or may not. */
function isScaled(spec: Fields): boolean {
  return spec.flag('autoscalingDisabled') !== true && mostOf(spec) > 1;
}

function mostOf(spec: Fields): number {
  const most = spec.peek('maxReplicas');
  return typeof most === 'number' ? most : 1;
}

function replicasOf(spec: Fields): object {
  if (isScaled(spec)) return { autoscaling: scalingByCpu(spec, fewestOf(spec, 0), spec.number('maxReplicas') ?? 1) };
  const isFixed = spec.peek('autoscalingDisabled') === true;
  if (isFixed) spec.note('autoscalingDisabled', 'is replicas without autoscaling');
  else if (spec.peek('maxReplicas') === undefined) {
    spec.report(
      'spec.replicas',
      'is fixed, where KubeAI adds replicas without a limit: give autoscaling with its bounds',
    );
  }
  const replicas = (isFixed ? spec.number('replicas') : undefined) ?? fewestOf(spec, 0);
  if (!isFixed && mostOf(spec) === replicas) spec.number('maxReplicas');
  return { replicas };
}
