import { modelServing } from '../../constructs/model-serving/kind.ts';
import type { Reader } from './conversion.ts';
import type { Fields } from './fields.ts';
import {
  carried,
  containerParts,
  given,
  mainContainer,
  podFieldsOf,
  podHints,
  podTemplateOf,
  resourcesOf,
} from './pods.ts';
import { fetchedStorage, fewestOf, scalingByCpu } from './serving.ts';

/** The engines that serve what KServe calls a format, or a predictor. */
const ENGINES: Readonly<Record<string, string>> = {
  huggingface: 'vllm',
  vllm: 'vllm',
  tensorflow: 'tensorflow-serving',
  triton: 'triton',
  tensorrt: 'triton',
  onnx: 'triton',
  pytorch: 'triton',
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

/** KServe's InferenceService, by its predictor. */
export const inferenceService: Reader = {
  group: 'serving.kserve.io',
  kind: 'InferenceService',
  hints: {
    'spec.transformer': 'make it a workload of its own, before the service',
    'spec.explainer': 'make it a workload of its own',
    'spec.predictor.canaryTrafficPercent':
      'a new model is fetched beside the old one, then rolled; or make two services and weigh them in a route',
    'spec.predictor.containerConcurrency': 'the engine batches by itself; limit it by engine.args',
    'spec.predictor.timeout': 'drain.timeoutSeconds is how long requests in flight have when a pod stops',
    'spec.predictor.workerSpec': 'one replica is one pod: choose a node with enough GPUs',
    'spec.predictor.model.storage': 'name the place by model.uri, and its Secret by model.credentials',
    'spec.predictor.model.runtime': 'the engine takes the place of the runtime',
    'spec.predictor.model.protocolVersion': "the engine's own protocol is served",
    'spec.predictor.model.modelFormat.version': 'name an image of the engine in engine.image',
    ...podHints('spec.predictor'),
  },
  read(fields) {
    const predictor = fields.at('spec.predictor');
    const model = modelOf(predictor);
    const uri = model.text('storageUri');
    const pod = podFieldsOf(predictor);
    return {
      kind: modelServing,
      spec: {
        model: { ...given('uri', uri) },
        ...fetchedStorage(fields, uri),
        engine: engineOf(predictor, model),
        resources: resourcesOf(model.at('resources')),
        ...replicasOf(predictor),
        ...pod.own,
        ...podTemplateOf('server', pod.template, containerParts(model), carried(predictor, ['labels', 'annotations'])),
      },
    };
  },
};

/** Where the model is told: in `model`, under the name of a framework, or as a container of one's own. */
function modelOf(predictor: Fields): Fields {
  if (predictor.peek('model') !== undefined) return predictor.at('model');
  const framework = FRAMEWORKS.find((name) => predictor.peek(name) !== undefined);
  return framework === undefined ? mainContainer(predictor, 'kserve-container') : predictor.at(framework);
}

function engineOf(predictor: Fields, model: Fields): object {
  const format = model.text('modelFormat.name') ?? FRAMEWORKS.find((name) => predictor.peek(name) !== undefined);
  const type = format === undefined ? 'custom' : (ENGINES[format.toLowerCase()] ?? 'custom');
  if (format !== undefined && type === 'custom') {
    model.note('modelFormat.name', `no engine serves ${format}: name an image that does in engine.image`);
  }
  return {
    type,
    ...given('image', model.take('image')),
    ...given('command', type === 'custom' ? model.take('command') : undefined),
    ...given('args', model.take('args')),
    ...given('env', model.take('env')),
  };
}

function replicasOf(predictor: Fields): object {
  const fewest = fewestOf(predictor, 1);
  const most = predictor.number('maxReplicas') ?? fewest;
  if (most === fewest) return { replicas: fewest };
  // A target of another metric, or of the one that KServe chooses by itself, is no percentage.
  const percent = predictor.peek('scaleMetric') === 'cpu' ? predictor.number('scaleTarget') : undefined;
  if (percent !== undefined) predictor.take('scaleMetric');
  return { autoscaling: scalingByCpu(predictor, fewest, most, percent) };
}

/** KServe's LLMInferenceService. */
export const llmInferenceService: Reader = {
  group: 'serving.kserve.io',
  kind: 'LLMInferenceService',
  hints: {
    'spec.baseRefs': 'what they say is not known here: carry it over by hand',
    'spec.runtime': 'the engine takes the place of the runtime',
    'spec.router': 'expose.gateway or expose.ingress lead to it; requests are spread by the Service',
    'spec.prefill': 'prefill and decode run in the same pods',
    'spec.worker': 'one replica is one pod: choose a node with enough GPUs',
    'spec.scaling': 'autoscaling has targets of its own',
    'spec.model.lora': 'name adapters by engine.args',
    'spec.parallelism.data': 'raise replicas instead',
    'spec.parallelism.expert': 'say it by engine.args',
    'spec.storageInitializer': 'weights are fetched where model.uri names what must be',
    'spec.rolloutStrategy': 'rollout takes numbers of replicas, not percentages',
    ...podHints('spec.template'),
  },
  read(fields) {
    const spec = fields.at('spec');
    const uri = spec.text('model.uri');
    const template = spec.at('template');
    const main = mainContainer(template, 'main');
    const pod = podFieldsOf(template);
    const trust = spec.flag('trustRemoteCode') === true ? ['--trust-remote-code'] : [];
    return {
      kind: modelServing,
      spec: {
        model: { ...given('uri', uri), ...given('name', spec.text('model.name')) },
        ...fetchedStorage(fields, uri),
        engine: {
          type: 'vllm',
          ...given('image', main.take('image')),
          ...argsOf(main, trust),
          ...given('env', main.take('env')),
        },
        ...parallelismOf(spec.at('parallelism')),
        resources: resourcesOf(main.at('resources')),
        ...llmReplicas(spec),
        ...rolloutOf(spec.at('rolloutStrategy')),
        ...pod.own,
        ...podTemplateOf('server', pod.template, containerParts(main), carried(spec, ['labels', 'annotations'])),
      },
    };
  },
};

function argsOf(main: Fields, more: readonly string[]): object {
  const args = [...(main.texts('args') ?? []), ...more];
  return args.length === 0 && main.peek('args') === undefined ? {} : { args };
}

function parallelismOf(parallelism: Fields): object {
  const split = carried(parallelism, ['tensor', 'pipeline']);
  return Object.keys(split).length === 0 ? {} : { parallelism: split };
}

function llmReplicas(spec: Fields): object {
  const scaling = spec.at('scaling');
  const most = scaling.number('maxReplicas');
  if (most === undefined) return given('replicas', spec.number('replicas'));
  return { autoscaling: scalingByCpu(scaling, fewestOf(scaling, 1), most) };
}

function rolloutOf(strategy: Fields): object {
  const rollout = {
    ...given('maxSurge', strategy.number('maxSurge')),
    ...given('maxUnavailable', strategy.number('maxUnavailable')),
  };
  return Object.keys(rollout).length === 0 ? {} : { rollout };
}
