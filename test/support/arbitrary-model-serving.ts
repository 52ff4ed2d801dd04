import * as fc from 'fast-check';
import { servers } from './prometheus-access.ts';
import { ENGINE_TABLE } from '../../constructs/model-serving/engine.table.ts';
import {
  ENGINES,
  ENGINE_PARALLELISM,
  GROUPED_ENGINES,
  IP_FAMILIES,
  type EngineType,
} from '../../constructs/model-serving/engines.ts';
import { acceleratorOf } from '../../constructs/parts/pod/index.ts';
import { MAX_GROUPED_NAME_LENGTH } from '../../constructs/model-serving/group.rules.ts';
import type { ModelServingSpecInput } from '../../constructs/model-serving/spec.ts';
import { image, podFields, quantity } from './arbitrary-parts.ts';

type Part<Key extends keyof ModelServingSpecInput> = fc.Arbitrary<Pick<ModelServingSpecInput, Key>>;

/** Shapes that decide which other fields are allowed. */
interface Shape {
  readonly type: EngineType;
  readonly gpu: number;
  readonly gpuResource: string;
  readonly weights: 'single' | 'shared' | 'mounted';
}

const shape: fc.Arbitrary<Shape> = fc.record({
  type: fc.constantFrom(...ENGINES),
  gpu: fc.constantFrom(0, 1, 2, 4, 8),
  gpuResource: fc.constantFrom('nvidia.com/gpu', 'nvidia.com/mig-1g.10gb', 'amd.com/gpu', 'gpu.intel.com/i915'),
  weights: fc.constantFrom('single', 'shared', 'mounted'),
});

/** Valid names: DNS labels that begin with a letter, up to the longest that each spec can have. */
export const resourceName: fc.Arbitrary<string> = fc.stringMatching(
  new RegExp(`^[a-z]([-a-z0-9]{0,${MAX_GROUPED_NAME_LENGTH - 2}}[a-z0-9])?$`),
);

const fetchedUri = fc.constantFrom(
  'hf://Qwen/Qwen3-0.6B',
  'huggingface://meta-llama/Meta-Llama-3-8B-Instruct@main',
  's3://models/llama-3-70b/',
  's3://models',
  'gs://my-models/a/b',
  'az://acme.blob.core.windows.net/my-models/a/b',
  'https://models.example.com/llama.tar.gz',
  'https://models.example.com:8443/llama.gguf',
);
const mountedUri = fc.constantFrom(
  'pvc://models',
  'pvc://models/llama/3',
  'oci://ghcr.io/example/llama:3',
  `oci://registry.example.com:5000/llama@sha256:${'0'.repeat(64)}`,
);

/** In the paths of TensorFlow Serving the name ends at a slash or a colon. */
const modelName = (type: EngineType): fc.Arbitrary<string | undefined> =>
  fc.option(fc.constantFrom('llama', ...(type === 'tensorflow-serving' ? [] : ['meta-llama/Llama-3:8b'])), {
    nil: undefined,
  });

/** Which files are fetched; web servers have one. */
const selection = fc.constantFrom<Partial<ModelServingSpecInput['model']>>(
  {},
  {},
  { files: { exclude: ['original/*', '*.bin'] } },
  { files: { include: ['*.safetensors', '*.json'], exclude: ['consolidated*'] } },
);

/** One of several files in GGUF, for engines that read them. */
const ggufFile = (type: EngineType) =>
  fc.constantFrom<Partial<ModelServingSpecInput['model']>>(
    {},
    // vLLM's own image reads none, and the engine's image is drawn elsewhere.
    ...(['sglang', 'custom'].includes(type) ? [{ file: 'Q4_K_M/llama-Q4_K_M-00001-of-00002.gguf' }] : []),
  );

/** What comes with a model, for engines that take it. */
const companions = (type: EngineType, uri: string) =>
  fc.constantFrom<Partial<ModelServingSpecInput['model']>>(
    {},
    { vocabulary: 'none' },
    ...(['vllm', 'sglang', 'custom'].includes(type)
      ? [
          { vocabulary: 'harmony' as const, tokenizer: { uri } },
          { draft: { uri, method: 'eagle3' as const, ...(type === 'vllm' && { tokens: 3 }) } },
        ]
      : []),
  );

const fetchedModel = (type: EngineType): fc.Arbitrary<ModelServingSpecInput['model']> =>
  fc
    .record<ModelServingSpecInput['model']>({
      uri: fetchedUri,
      name: modelName(type),
      credentials: fc.option(fc.constant({ secretName: 'reader' }), { nil: undefined }),
    })
    .chain((one) =>
      one.uri.startsWith('https:')
        ? fc.constant(one)
        : fc
            .tuple(selection, ggufFile(type), companions(type, one.uri))
            .map(([files, file, more]) => ({ ...one, ...files, ...file, ...more })),
    );

const model = ({ weights, type }: Shape): Part<'model' | 'storage'> =>
  weights === 'mounted'
    ? fc.record({ model: fc.record({ uri: mountedUri, name: modelName(type) }) })
    : fc.record({
        model: fetchedModel(type),
        storage: fc.record(
          {
            size: quantity,
            storageClassName: fc.constantFrom('fast', 'kwok-volume'),
            accessMode:
              weights === 'single' ? fc.constant('ReadWriteOnce' as const) : fc.constant('ReadWriteMany' as const),
            retain: fc.boolean(),
          },
          { requiredKeys: weights === 'single' ? ['size'] : ['size', 'accessMode'] },
        ),
      });

const argument = fc.constantFrom('--seed=1', '--trust-remote-code', '--max-model-len', '8192', '--log-level=$(LEVEL)');

/** Whether a spec must name an image; TGI's own runs as root alone. */
function needsImage({ type, ...resources }: Shape): boolean {
  const accelerator = acceleratorOf(resources);
  return type === 'tgi' || accelerator === 'other' || ENGINE_TABLE[type].images[accelerator] === undefined;
}

const engine = ({ type, ...shaped }: Shape): Part<'engine'> =>
  fc.record({
    engine: fc.record(
      {
        type: fc.constant(type),
        image,
        ...(type === 'custom' && { command: fc.constant(['/bin/serve', '$(MODEL_PATH)']) }),
        ...(type !== 'custom' && { ipFamily: fc.constantFrom(...IP_FAMILIES) }),
        args: fc.array(argument, { maxLength: 4 }),
        env: fc.constant([{ name: 'LEVEL', value: 'info' }]),
        port: fc.integer({ min: 1024, max: 8000 }),
        healthPath: fc.constantFrom('/health', '/v2/ready?full=1'),
      },
      { requiredKeys: needsImage({ type, ...shaped }) ? ['type', 'image'] : ['type'] },
    ),
  });

const resources = ({ gpu, gpuResource }: Shape): Part<'resources'> =>
  fc.record({
    resources: fc.record(
      {
        gpu: fc.constant(gpu),
        gpuResource: fc.constant(gpuResource),
        ...(gpu > 0 && { gpuProduct: fc.constant('NVIDIA-A100-SXM4-80GB') }),
        cpu: fc.constantFrom('8', 4, '500m', '0.5'),
        memory: quantity,
      },
      { requiredKeys: ['gpu', 'cpu'] },
    ),
  });

/** The ways to use the GPUs of one pod that an engine has. */
const parallelism = ({ type, gpu }: Shape): Part<'parallelism'> => {
  const ways = ENGINE_PARALLELISM[type];
  if (gpu === 0 || !ways.includes('tensor')) return fc.constant({});
  const stages = ways.includes('pipeline') && gpu % 2 === 0 ? [1, 2] : [1];
  const copies = ways.includes('data') && gpu % 4 === 0 ? [1, 2] : [1];
  return fc.oneof(
    fc.constant({}),
    fc.tuple(fc.constantFrom(...stages), fc.constantFrom(...copies), fc.boolean()).map(([pipeline, data, shared]) => {
      const tensor = gpu / pipeline / data;
      const expert = shared && ways.includes('expert') && tensor * data > 1;
      return { parallelism: { tensor, pipeline, data, expert } };
    }),
  );
};

/** Pods of one replica, for engines that run over several, on volumes that several mount. Without more words, each node has a stage. */
const nodes = ({ type, weights }: Shape): Part<'nodes' | 'parallelism' | 'topology'> =>
  !GROUPED_ENGINES.includes(type) || weights === 'single'
    ? fc.constantFrom({}, { nodes: 1 })
    : fc.constantFrom(
        {},
        {},
        { nodes: 2, parallelism: undefined },
        { nodes: 4, parallelism: undefined, topology: { required: 'example.com/rack' } },
        { nodes: 2, parallelism: undefined, topology: { preferred: 'topology.kubernetes.io/zone' } },
      );

/** SGLang has no draft models beside stages, and a pod has one affinity to others. */
function possible(spec: ModelServingSpecInput): ModelServingSpecInput {
  const { draft: _, ...model } = spec.model;
  const isStaged = (spec.parallelism?.pipeline ?? spec.nodes ?? 1) > 1;
  const { topology, ...rest } = spec.engine.type === 'sglang' && isStaged ? { ...spec, model } : spec;
  const isPlaced = spec.podTemplate?.spec?.affinity?.podAffinity !== undefined;
  return topology === undefined || isPlaced ? rest : { ...rest, topology };
}

const milliseconds = fc.integer({ min: 1, max: 60_000 });

const targets = (type: EngineType) => {
  const names = ENGINE_TABLE[type].metrics?.names ?? {};
  return fc
    .record(
      {
        ...(names.timeToFirstToken && { ttftMilliseconds: milliseconds }),
        ...(names.interTokenLatency && { itlMilliseconds: milliseconds }),
        ...(names.waiting && { queueDepth: fc.integer({ min: 1, max: 100 }) }),
        ...(names.running && { runningRequests: fc.integer({ min: 1, max: 100 }) }),
        ...(names.kvCacheUsage && { kvCachePercent: fc.integer({ min: 1, max: 100 }) }),
        cpuPercent: fc.integer({ min: 1, max: 100 }),
      },
      { requiredKeys: [] },
    )
    .map((chosen) => (Object.keys(chosen).length === 0 ? { cpuPercent: 70 } : chosen));
};

const autoscaling = ({ type, weights }: Shape): Part<'autoscaling'> => {
  const most = weights === 'single' ? 1 : 8;
  return fc
    .tuple(
      fc.integer({ min: 1, max: most }),
      fc.integer({ min: 1, max: most }),
      targets(type),
      fc.constantFrom({ serverAddress: 'http://prometheus.monitoring.svc:9090' }, ...Object.values(servers)),
    )
    .map(([a, b, chosen, prometheus]) => ({
      autoscaling: {
        minReplicas: Math.min(a, b),
        maxReplicas: Math.max(a, b),
        targets: chosen,
        prometheus,
      },
    }));
};

const scale = (given: Shape): Part<'autoscaling' | 'replicas'> =>
  fc.oneof(
    fc.constant({}),
    fc.integer({ min: 0, max: given.weights === 'single' ? 1 : 4 }).map((replicas) => ({ replicas })),
    autoscaling(given),
  );

const rollout = ({ weights }: Shape): Part<'rollout'> =>
  weights === 'single'
    ? fc.constantFrom({}, { rollout: { maxSurge: 0 } }, { rollout: { maxUnavailable: 1 } })
    : fc.constantFrom({}, { rollout: { maxSurge: 2 } }, { rollout: { maxSurge: 0, maxUnavailable: 1 } });

const expose: Part<'expose'> = fc.constantFrom(
  {},
  { expose: { ingress: { host: 'llama.example.com' } } },
  {
    expose: {
      ingress: {
        host: 'llama.example.com',
        className: 'nginx',
        tlsSecretName: 'tls',
        annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
      },
    },
  },
  { expose: { gateway: { name: 'public', hostname: 'llama.example.com' } } },
  { expose: { gateway: { name: 'public', namespace: 'infra', hostname: 'llama.example.com' } } },
);

const life: Part<'drain' | 'fetcher' | 'successor'> = fc.record(
  {
    drain: fc.record({ timeoutSeconds: fc.integer({ min: 0, max: 300 }) }),
    fetcher: fc.record(
      { image, resources: fc.record({ cpu: quantity, memory: quantity }, { requiredKeys: [] }) },
      { requiredKeys: [] },
    ),
    successor: fc.constant('a-successor-whose-name-nobody-else-has'),
  },
  { requiredKeys: [] },
);

/** Valid specs of a ModelServing, for static hosts and the operator alike: none is retired. */
export const modelServingArbitrary: fc.Arbitrary<ModelServingSpecInput> = shape.chain((given) =>
  fc
    .tuple(
      model(given),
      engine(given),
      resources(given),
      parallelism(given),
      nodes(given),
      scale(given),
      rollout(given),
      expose,
      life,
      podFields('server'),
    )
    .map(([head, ...parts]) => possible(Object.assign({}, head, ...parts) as ModelServingSpecInput)),
);
