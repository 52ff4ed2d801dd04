import { modelServing } from '../../constructs/model-serving/kind.ts';
import { reportServing } from './confinement.ts';
import type { Reader } from './conversion.ts';
import { below, changed, NONE, taken, reported } from './fates.ts';
import type { Fates } from './fates.ts';
import type { Fields } from './fields.ts';
import { ACCOUNT_FATES, asksForDevices, isKserveKey, KSERVE_KEYS } from './kserve-keys.ts';
import { servedUri, uriOfContainer } from './kserve-uri.ts';
import { launchOf } from './launch.ts';
import { besideFates, containerFates, podFates } from './pod-fates.ts';
import type { MainContainer } from './pod-fates.ts';
import { podMetadata } from './pod-metadata.ts';
import { besides, containerParts, given, mainContainer, podFieldsOf, podTemplateOf } from './pods.ts';
import { resourcesOf } from './resources.ts';
import { drainOf, engineEnv, fetchedStorage, fewestOf, namedAs, portOf, rolloutOf, scalingByCpu } from './serving.ts';
import { templatesOf } from './templates.ts';

/** The engines that serve what KServe calls a format, or a predictor. PyTorch's are TorchServe's, which has none. */
const ENGINES: Readonly<Record<string, string>> = {
  huggingface: 'vllm',
  vllm: 'vllm',
  tensorflow: 'tensorflow-serving',
  triton: 'triton',
  tensorrt: 'triton',
  onnx: 'triton',
};

/** Runtimes of KServe's own that are an engine of ours, for every format (config/runtimes of v0.20.0). */
const RUNTIMES: Readonly<Record<string, string>> = {
  'kserve-huggingfaceserver': 'vllm',
  'kserve-tritonserver': 'triton',
  'kserve-tensorflow-serving': 'tensorflow-serving',
};

/** Predictors of the first version, by framework. */
const FRAMEWORKS = [
  'tensorflow',
  'triton',
  'pytorch',
  'onnx',
  'huggingface',
  'sklearn',
  'xgboost',
  'lightgbm',
  'pmml',
  'paddle',
];

/** Where the fields of the container that serves go. */
export const SERVER: MainContainer = {
  name: 'server',
  to: {
    image: taken('spec.engine.image'),
    command: taken('spec.engine.command'),
    args: taken('spec.engine.args'),
    env: taken('spec.engine.env'),
  },
};

const MODEL_FATES: Fates = {
  ...containerFates(SERVER),
  storageUri: taken('spec.model.uri'),
  ports: changed('spec.engine.port'),
  'ports.protocol': reported('the engine is asked by TCP', ['TCP']),
  'ports.name': reported('the port of the Service is named http'),
  'ports.hostIP': reported('no port of a node is taken'),
  'ports.hostPort': reported('no port of a node is taken'),
  storage: reported('name the place by model.uri, and its Secret by model.credentials'),
  protocolVersion: reported("the engine's own protocol is served"),
  runtimeVersion: reported('name an image of the engine in engine.image'),
  confidential: reported('models are fetched as they are: nothing decrypts them'),
  restartPolicyRules: reported('a container that ends is started again by the rules of the kind'),
};

/** Containers of a predictor that has a model are beside what serves it. */
const BESIDE_MODEL: Fates = below('spec.predictor.containers', {
  ...besideFates,
  'ports.name': besideFates['ports']!,
  'ports.protocol': besideFates['ports']!,
});

const PREDICTOR: Fates = {
  ...podFates(SERVER),
  ...ACCOUNT_FATES,
  ...below('containers', MODEL_FATES),
  terminationGracePeriodSeconds: changed('spec.drain.timeoutSeconds', 'is how long requests in flight have here'),
  ...below('model', MODEL_FATES),
  'model.modelFormat.name': changed('spec.engine.type'),
  'model.modelFormat.version': reported('name an image of the engine in engine.image'),
  'model.runtime': changed(
    'spec.engine.type',
    'the engine takes the place of the runtime: carry over what its image, args, env and resources say',
  ),
  ...Object.fromEntries(FRAMEWORKS.flatMap((name) => Object.entries(below(name, MODEL_FATES)))),
  labels: taken('spec.podTemplate.metadata.labels'),
  annotations: taken('spec.podTemplate.metadata.annotations'),
  minReplicas: taken('spec.replicas'),
  maxReplicas: changed('spec.autoscaling.maxReplicas'),
  scaleTarget: changed('spec.autoscaling.targets', 'is a target in percent where scaleMetric is cpu'),
  scaleMetric: reported('autoscaling.targets has latencies and queues, which need Prometheus and KEDA'),
  scaleMetricType: reported('cpuPercent is a utilization', ['Utilization']),
  autoScaling: reported('autoscaling.targets has latencies and queues, which need Prometheus and KEDA'),
  deploymentStrategy: reported('rollout takes numbers of replicas, not percentages'),
  'deploymentStrategy.rollingUpdate.maxSurge': taken('spec.rollout.maxSurge'),
  'deploymentStrategy.rollingUpdate.maxUnavailable': taken('spec.rollout.maxUnavailable'),
  'deploymentStrategy.type': reported('replicas are always rolled', ['RollingUpdate']),
  batcher: reported('the engine batches by itself'),
  logger: reported('requests are logged by nothing here: put a proxy before the service'),
  canaryTrafficPercent: reported(
    'a new model is fetched beside the old one, then rolled; or make two services and weigh them in a route',
  ),
  containerConcurrency: reported('the engine batches by itself; limit it by engine.args'),
  timeout: reported('drain.timeoutSeconds is how long requests in flight have when a pod stops'),
  workerSpec: reported('one replica is one pod: choose a node with enough GPUs'),
  name: reported('the service has the name of the resource'),
  storageUris: reported('one place holds the model: put all of it there'),
  storageContainerName: reported('weights are fetched by Trunnion: fetcher.image names another image'),
};

/** KServe's InferenceService, by its predictor: kserve v0.20.0, config/crd/full/serving.kserve.io_inferenceservices.yaml. */
export const inferenceService: Reader = {
  group: 'serving.kserve.io',
  kind: 'InferenceService',
  fates: {
    'spec.transformer': reported('make it a workload of its own, before the service'),
    'spec.explainer': reported('make it a workload of its own'),
    'spec.canary': reported(
      'a new model is fetched beside the old one, then rolled; or make two services and weigh them in a route',
    ),
    ...below('spec.predictor', PREDICTOR),
  },
  fatesOf: (fields) => (isContainer(fields.at('spec.predictor')) ? NONE : BESIDE_MODEL),
  ownKeys: KSERVE_KEYS,
  read(fields) {
    const predictor = fields.at('spec.predictor');
    const model = modelOf(predictor);
    // The container has the name of its kind here.
    model.text('name');
    const type = typeOf(predictor, model);
    const hasClaims = claimsDevices(fields, predictor);
    const resources = resourcesOf(model.at('resources'), modelServing, { hasClaims });
    const gpu = resources.own['gpu'] as number | undefined;
    const templates = isContainer(predictor) ? undefined : templatesOf(fields);
    const launch = launchOf(model, {
      type,
      gpu,
      isKservesOwn: type === 'vllm' && !isVllm(model),
      isFetched: isFetchedInto(model),
      // Only those of runtimes are filled in (ReplacePlaceholders of reconcilers' predictor.go).
      templates,
    });
    const uri =
      servedUri(model, launch.model) ??
      (launch.type === 'custom' ? uriOfContainer(fields, model, isContainer(predictor)) : undefined);
    const pod = podFieldsOf(predictor, modelServing);
    const { terminationGracePeriodSeconds: grace, ...template } = pod.template;
    reportTransformer(predictor);
    if (model.peek('image') !== undefined) reportServing(fields);
    if (type === 'vllm' && launch.type === 'vllm' && model.peek('image') !== undefined && !isVllm(model)) {
      model.note('image', 'is started by vllm serve: it must be an image of vLLM');
    }
    const isDownload = model.peek('storageUri') === undefined;
    return {
      kind: modelServing,
      spec: {
        model: { ...given('uri', uri), ...namedAs(fields, launch.model) },
        ...fetchedStorage(fields, uri),
        ...engineEnv(
          model,
          { isDownload, templates },
          {
            type: launch.type,
            ...given('image', model.take('image')),
            ...launch.engine,
            ...portOf(model, launch),
          },
        ),
        ...launch.spec,
        resources: resources.own,
        ...replicasOf(fields, predictor),
        ...rolloutOf(predictor.at('deploymentStrategy.rollingUpdate')),
        ...drainOf(grace),
        ...pod.own,
        ...podTemplateOf(
          'server',
          template,
          { ...containerParts(model, modelServing), ...resources.template },
          { metadata: podLabels(fields), more: besides(predictor, model, modelServing) },
        ),
      },
    };
  },
};

/** KServe hands labels and annotations of the resource to the pods, and those of the predictor above them. */
const podLabels = (fields: Fields): object =>
  podMetadata(
    fields,
    modelServing,
    {
      labels: [{ path: 'metadata.labels', isOfResource: true }, { path: 'spec.predictor.labels' }],
      annotations: [{ path: 'metadata.annotations', isOfResource: true }, { path: 'spec.predictor.annotations' }],
    },
    isKserveKey,
  );

const claimsDevices = (fields: Fields, pod: Fields): boolean =>
  asksForDevices(fields.at('metadata.annotations').names) || pod.peek('resourceClaims') !== undefined;

/** Whether a container of one's own serves, and none is beside it. */
const isContainer = (predictor: Fields): boolean =>
  ['model', ...FRAMEWORKS].every((name) => predictor.peek(name) === undefined);

/** Where the model is told: in `model`, under the name of a framework, or as a container of one's own. */
function modelOf(predictor: Fields): Fields {
  if (predictor.peek('model') !== undefined) return predictor.at('model');
  const framework = FRAMEWORKS.find((name) => predictor.peek(name) !== undefined);
  return framework === undefined ? mainContainer(predictor, 'kserve-container') : predictor.at(framework);
}

function typeOf(predictor: Fields, model: Fields): string {
  const format = model.text('modelFormat.name') ?? FRAMEWORKS.find((name) => predictor.peek(name) !== undefined);
  const runtime = RUNTIMES[model.text('runtime') ?? ''];
  const type = runtime ?? (format === undefined ? 'custom' : (ENGINES[format.toLowerCase()] ?? 'custom'));
  if (format !== undefined && type === 'custom') {
    const words = `no engine serves ${format}: name an image that does in engine.image, with its command`;
    if (model.peek('modelFormat.name') === undefined) predictor.report('spec.engine', words);
    else model.note('modelFormat.name', words);
  } else if (model.peek('modelFormat.name') !== undefined) {
    model.note('modelFormat.name', `is served by ${type}`);
  }
  return type;
}

/** Whether KServe puts a model into the container, where no volume of the user stands. */
function isFetchedInto(container: Fields): boolean {
  const isNamed = container.items('env').some((each) => each.peek('name') === 'STORAGE_URI');
  const isModel = container.peek('storageUri') !== undefined || container.peek('modelFormat') !== undefined || isNamed;
  const isMounted = container.items('volumeMounts').some((each) => each.peek('mountPath') === '/mnt/models');
  const folder = container.peek('workingDir');
  if (isModel && typeof folder === 'string' && folder.startsWith('/mnt/models')) {
    container.note(
      'workingDir',
      'the model lies at $(MODEL_PATH) here, and a folder takes no variable: change it in the program',
    );
  }
  return isModel && !isMounted;
}

/** A format of that name, or an image of vLLM's own: its arguments are not those of KServe's server. */
function isVllm(model: Fields): boolean {
  const image = model.peek('image');
  return model.peek('modelFormat.name') === 'vllm' || (typeof image === 'string' && image.includes('vllm/'));
}

/** KServe leads requests to a transformer beside the engine first. */
function reportTransformer(predictor: Fields): void {
  const found = predictor.items('containers').find((each) => each.peek('name') === 'transformer-container');
  found?.note('name', 'KServe sends requests to it first; here the Service leads to the engine');
}

function replicasOf(fields: Fields, predictor: Fields): object {
  const fewest = fewestOf(predictor, 1);
  const given = predictor.number('maxReplicas') ?? 0;
  if (given === 0 && isOfKnative(fields)) {
    fields.report(
      'spec.replicas',
      'is fixed, where Knative, if it runs this, adds replicas without a limit: give autoscaling with its bounds',
    );
  }
  const most = given === 0 ? fewest : given;
  if (most < fewest) predictor.note('maxReplicas', `is less than the least, ${fewest}, which replicas is here`);
  if (most <= fewest) return { replicas: fewest };
  // A target of another metric, or of the one that KServe chooses by itself, is no percentage.
  const percent = predictor.peek('scaleMetric') === 'cpu' ? predictor.number('scaleTarget') : undefined;
  if (percent !== undefined) predictor.take('scaleMetric');
  return { autoscaling: scalingByCpu(predictor, fewest, most, percent) };
}

/** Whether Knative may run it, which is so where its annotation names no other way: the cluster says the default. */
function isOfKnative(fields: Fields): boolean {
  const mode = fields.at('metadata.annotations').peek('serving.kserve.io/deploymentMode');
  return mode === undefined || mode === 'Serverless' || mode === 'Knative';
}
