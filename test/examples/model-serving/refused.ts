import { refusedServers } from '../../support/prometheus-refused.ts';
import { minimal, mounted, prometheus, shared, type RefusedExample } from './example.ts';
import { refusedFiles } from './refused.files.ts';
import { refusedImages } from './refused.images.ts';
import { refusedPods } from './refused.pods.ts';
import { refusedSplits } from './refused.splits.ts';

const scaled = (targets: object, more: object = {}) => ({
  ...shared,
  autoscaling: { maxReplicas: 2, targets, prometheus },
  ...more,
});

const guarded: readonly RefusedExample[] = refusedServers.map(({ title, server, problems }) => ({
  title: `as Prometheus ${title}`,
  spec: { ...shared, autoscaling: { maxReplicas: 2, targets: { queueDepth: 1 }, prometheus: server } },
  problems: problems.map(([path, message]) => [`spec.autoscaling.prometheus${path}`, message] as const),
}));

const URI = 'spec.model.uri';
const uris: readonly RefusedExample[] = (
  [
    ['ftp://a/b', [[URI, 'must begin with one of hf://']]],
    ['hf://llama', [[URI, 'hf://owner/model[@revision]']]],
    ['s3://Models/a', [[URI, 's3://bucket/prefix']]],
    ['s3://models/a/../b', [[URI, 's3://bucket/prefix']]],
    ['gs://a/b', [[URI, 'gs://bucket/prefix']]],
    ['az://models/llama', [[URI, 'az://account.blob.core.windows.net/container/prefix']]],
    ['az://acme.blob.example.com/models/llama', [[URI, 'az://account.blob.core.windows.net/container/prefix']]],
    ['az://acme.blob.core.windows.net/', [[URI, 'az://account.blob.core.windows.net/container/prefix']]],
    ['https://user:secret@example.com/model.bin', [[URI, 'https://host/file']]],
    ['https://example.com:99999/model.bin', [[URI, 'https://host/file']]],
    ['https://example.com:0/model.bin', [[URI, 'https://host/file']]],
    ['https://[:::]/model.bin', [[URI, 'https://host/file']]],
    ['https://256.1.1.1/model.bin', [[URI, 'https://host/file']]],
    ['https://example.com/$(TOKEN)', [[URI, 'must be without spaces']]],
    ["s3://models/it's", [[URI, 'must be without spaces']]],
  ] as const
).map(([uri, problems]) => ({ title: `the URI ${uri}`, spec: { ...minimal, model: { uri } }, problems }));

const mountedUris: readonly RefusedExample[] = [
  ['pvc://models/../secrets', 'pvc://claim[/path]'],
  ['pvc://Models', 'pvc://claim[/path]'],
  ['pvc://', 'pvc://claim[/path]'],
  ['oci://registry.example:99999/model', 'oci://registry/image'],
].map(([uri = '', form = '']) => ({
  title: `the URI ${uri}`,
  spec: { ...mounted, model: { uri } },
  problems: [[URI, form]],
}));

const structure: readonly RefusedExample[] = [
  {
    title: 'an empty spec',
    spec: {},
    problems: ['model', 'engine', 'resources'].map((f) => [`spec.${f}`, 'Required']),
  },
  { title: 'no spec', spec: undefined, problems: [['spec', 'Required value']] },
  { title: 'an unknown field', spec: { ...minimal, gpus: 1 }, problems: [['spec.gpus', 'unknown field "spec.gpus"']] },
  {
    title: 'an unknown engine',
    spec: { ...minimal, engine: { type: 'ollama' } },
    problems: [['spec.engine.type', 'supported values: "vllm", "sglang"']],
  },
  {
    title: 'a number as text',
    spec: { ...minimal, resources: { gpu: '1' } },
    problems: [['spec.resources.gpu', 'must be of type integer: "string"']],
  },
  {
    title: 'a number that is no integer, and values that are no numbers',
    spec: { ...shared, replicas: 1.5, drain: { timeoutSeconds: true }, engine: { type: 'vllm', port: [] } },
    problems: [
      ['spec.replicas', 'must be of type int32: "float64"'],
      ['spec.drain.timeoutSeconds', 'must be of type int32: ""'],
      ['spec.engine.port', 'must be of type integer: "array"'],
    ],
  },
  {
    title: 'what is not text, where only some texts are allowed',
    spec: { ...minimal, security: { level: 1 } },
    problems: [
      ['spec.security.level', 'must be of type string: "integer"'],
      ['spec.security.level', 'supported values: "restricted", "baseline", "rdma"'],
    ],
  },
  {
    title: 'labels that are no text',
    spec: { ...minimal, nodeSelector: { 'example.com/pool': 7 } },
    problems: [['spec.nodeSelector.example.com/pool', 'must be of type string: "integer"']],
  },
  {
    title: 'numbers out of bounds, all at once',
    spec: { ...minimal, resources: { gpu: 65 }, drain: { timeoutSeconds: -1 } },
    problems: [
      ['spec.resources.gpu', 'should be less than or equal to 64'],
      ['spec.drain.timeoutSeconds', 'should be greater than or equal to 0'],
    ],
  },
  {
    title: 'text that is too long or too short',
    spec: { ...minimal, model: { uri: minimal.model.uri, name: 'a'.repeat(129) }, priorityClassName: '' },
    problems: [
      ['spec.model.name', 'Too long: may not be more than 128 bytes'],
      ['spec.priorityClassName', 'should be at least 1 chars long'],
      ['spec.priorityClassName', 'must be the name of a Kubernetes object'],
    ],
  },
  {
    title: 'lists that are too long or too short',
    spec: {
      ...mounted,
      engine: { type: 'custom', image: 'a', command: [] },
      imagePullSecrets: Array.from({ length: 17 }, (_, index) => ({ name: `s${index}` })),
      nodeSelector: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`k${index}`, 'v'])),
    },
    problems: [
      ['spec.engine.command', 'should have at least 1 items'],
      ['spec.imagePullSecrets', 'Too many: 17: must have at most 16 items'],
      ['spec.nodeSelector', 'Too many: 33: must have at most 32 items'],
    ],
  },
  {
    title: 'the same name twice',
    spec: { ...minimal, env: [{ name: 'A' }, { name: 'A' }], egress: [{ cidr: '10.0.0.0/8', ports: [443, 443] }] },
    problems: [
      ['spec.env[1]', 'Duplicate value: {"name":"A"}'],
      ['spec.egress[0].ports[1]', 'Duplicate value: 443'],
    ],
  },
];

const storage: readonly RefusedExample[] = [
  {
    title: 'fetched weights without storage',
    spec: { ...mounted, model: minimal.model },
    problems: [['spec.storage', 'is required, since the weights are fetched']],
  },
  {
    title: 'storage and credentials for an existing volume',
    spec: { ...mounted, storage: { size: '1Gi' }, model: { ...mounted.model, credentials: { secretName: 'a' } } },
    problems: [
      ['spec.storage', 'must be left out for pvc:// and oci://'],
      ['spec.model.credentials', 'must be left out for pvc:// and oci://'],
    ],
  },
  {
    title: 'replicas on a volume of one node',
    spec: { ...minimal, replicas: 2 },
    problems: [['spec.replicas', 'set storage.accessMode to ReadWriteMany']],
  },
  {
    title: 'scaling and a surge on a volume of one node',
    spec: {
      ...scaled({ queueDepth: 1 }),
      storage: minimal.storage,
      rollout: { maxSurge: 1 },
    },
    problems: [
      ['spec.autoscaling.maxReplicas', 'set storage.accessMode to ReadWriteMany'],
      ['spec.rollout.maxSurge', 'must be 0 or left out'],
    ],
  },
  {
    title: 'a roll without a gap on a volume of one node',
    spec: { ...minimal, rollout: { maxUnavailable: 0 } },
    problems: [['spec.rollout.maxUnavailable', 'must be at least 1 or left out']],
  },
  // csi-lib-utils accessmodes/access_modes.go: "CSI does not support ReadOnlyMany and ReadWriteOnce on the same
  // PersistentVolume"; gcp-compute-persistent-disk-csi-driver controller.go: "VolumeContentSource must be provided when
  // AccessMode is set to read only".
  {
    title: 'a volume to fetch onto that nobody may write',
    spec: { ...minimal, storage: { size: '40Gi', accessMode: 'ReadOnlyMany' } },
    problems: [['spec.storage.accessMode', 'choose ReadWriteMany with a storage class of a shared file system']],
  },
  {
    title: 'a volume that shrinks',
    spec: { ...minimal, storage: { size: '10Gi' } },
    old: minimal,
    problems: [['spec.storage.size', 'must not shrink']],
  },
  {
    title: 'another kind of volume for the same model',
    spec: { ...minimal, storage: { size: '40Gi', storageClassName: 'fast', accessMode: 'ReadWriteMany' } },
    old: minimal,
    problems: [
      ['spec.storage.accessMode', 'must stay ReadWriteOnce'],
      ['spec.storage.storageClassName', 'must stay as it is'],
    ],
  },
  ...['0', '-1Gi', 'ten', '1 Gi', 0, '1e'].map((size): RefusedExample => ({
    title: `a volume of ${JSON.stringify(size)}`,
    spec: { ...minimal, storage: { size } },
    problems: [['spec.storage.size', 'must be an amount greater than zero']],
  })),
];

const engines: readonly RefusedExample[] = [
  {
    title: 'a custom engine without an image',
    spec: { ...minimal, engine: { type: 'custom' } },
    problems: [['spec.engine.image', 'is required where engine.type is custom']],
  },
  {
    title: 'an argument of an engine and its value in one text',
    spec: { ...minimal, engine: { type: 'vllm', args: ['--max-model-len 4096'] } },
    problems: [['spec.engine.args', 'must have an argument and its value apart']],
  },
  {
    title: 'a command for an engine that has one',
    spec: { ...minimal, engine: { type: 'vllm', command: ['vllm'] } },
    problems: [['spec.engine.command', 'is for engine.type custom only']],
  },
  ...(
    [
      ['vllm', '--model'],
      ['vllm', '--tensor_parallel_size=2'],
      ['vllm', '-tp'],
      ['sglang', '--tp-size=2'],
      ['tgi', '--num-shard'],
      ['triton', '--model-repository=/x'],
      ['tensorflow-serving', '--rest_api_port=1'],
    ] as const
  ).map(([type, argument]): RefusedExample => ({
    title: `${argument} for ${type}`,
    spec: { ...minimal, engine: { type, args: ['--seed=1', argument] }, security: { level: 'baseline' } },
    problems: [['spec.engine.args', 'they follow from the rest of the spec']],
  })),
  {
    title: 'a family of addresses for an engine that nobody knows',
    spec: { ...minimal, engine: { type: 'custom', image: 'serve:1', ipFamily: 'IPv6' } },
    problems: [['spec.engine.ipFamily', 'say by engine.command or engine.args where it listens']],
  },
  {
    title: 'an address in place of a family',
    spec: { ...minimal, engine: { type: 'vllm', ipFamily: '::' } },
    problems: [['spec.engine.ipFamily', 'supported values: "IPv4", "IPv6"']],
  },
  {
    title: 'a port that the engine uses already',
    spec: { ...minimal, engine: { type: 'triton', port: 8002 } },
    problems: [['spec.engine.port', 'choose another port']],
  },
  {
    title: 'a port that an ordinary user may not have',
    spec: { ...minimal, engine: { type: 'custom', image: 'serve:1', port: 80 } },
    problems: [['spec.engine.port', 'must be at least 1024 with security.level restricted']],
  },
  {
    title: 'the port on which TensorFlow Serving speaks gRPC',
    spec: { ...minimal, engine: { type: 'tensorflow-serving', port: 8500 } },
    problems: [['spec.engine.port', 'must not be 8500']],
  },
  {
    title: 'the image of TGI for a user who may not enter /root',
    spec: { ...minimal, engine: { type: 'tgi' } },
    problems: [['spec.security.level', 'must be baseline']],
  },
  {
    title: 'the image of TGI for another user than root',
    spec: { ...minimal, engine: { type: 'tgi' }, security: { level: 'baseline', runAsUser: 2000 } },
    problems: [['spec.security.level', 'must be baseline, without another runAsUser']],
  },
  {
    title: 'root where it is forbidden',
    spec: { ...minimal, security: { runAsUser: 0 } },
    problems: [['spec.security.runAsUser', 'must not be 0 with level restricted']],
  },
  {
    title: 'numbers of users that are left to the cluster, and given',
    spec: { ...minimal, security: { ids: 'cluster', runAsUser: 2000, fsGroup: 2000 } },
    problems: [
      ['spec.security.runAsUser', 'must be left out with ids cluster'],
      ['spec.security.fsGroup', 'must be left out with ids cluster'],
    ],
  },
  {
    title: 'a name in which TensorFlow Serving sees the end of the name',
    spec: { ...minimal, engine: { type: 'tensorflow-serving' }, model: { ...minimal.model, name: 'team/resnet' } },
    problems: [['spec.model.name', 'must have no "/" and no ":" with tensorflow-serving']],
  },
  {
    title: 'a parallelism that is not the number of GPUs',
    spec: { ...minimal, resources: { gpu: 4 }, parallelism: { tensor: 2 } },
    problems: [['spec.parallelism', 'tensor times pipeline times data must be the number of GPUs']],
  },
  {
    title: 'pipelines for tgi, and parallelism for triton',
    spec: {
      ...minimal,
      engine: { type: 'tgi' },
      security: { level: 'baseline' },
      resources: { gpu: 2 },
      parallelism: { pipeline: 2 },
    },
    problems: [['spec.parallelism.pipeline', 'vllm, sglang only']],
  },
  {
    title: 'parallelism for triton',
    spec: { ...minimal, engine: { type: 'triton' }, resources: { gpu: 2 }, parallelism: { tensor: 2 } },
    problems: [['spec.parallelism', 'vllm, sglang, tgi only']],
  },
  {
    title: 'a GPU product without a GPU',
    spec: { ...minimal, resources: { gpu: 0, gpuProduct: 'NVIDIA-L4' } },
    problems: [['spec.resources.gpuProduct', 'set resources.gpu to at least 1']],
  },
  {
    title: 'a resource that is no extended one',
    spec: { ...minimal, resources: { gpu: 1, gpuResource: 'gpu' } },
    problems: [['spec.resources.gpuResource', 'must be the name of an extended resource']],
  },
];

const scaling: readonly RefusedExample[] = [
  {
    title: 'replicas beside autoscaling',
    spec: scaled({ queueDepth: 4 }, { replicas: 1 }),
    problems: [['spec.replicas', 'must be left out where autoscaling is given']],
  },
  {
    title: 'fewer replicas at most than at least',
    spec: { ...shared, autoscaling: { minReplicas: 3, maxReplicas: 2, targets: { queueDepth: 1 }, prometheus } },
    problems: [['spec.autoscaling.minReplicas', 'must not be greater than maxReplicas']],
  },
  { title: 'no target', spec: scaled({}), problems: [['spec.autoscaling.targets', 'must have at least one of']] },
  {
    title: 'a latency without Prometheus',
    spec: scaled({ ttftMilliseconds: 500 }, { autoscaling: { maxReplicas: 2, targets: { ttftMilliseconds: 500 } } }),
    problems: [['spec.autoscaling.prometheus', 'is required by all targets but cpuPercent']],
  },
  {
    title: 'a share of CPUs that nobody requests',
    spec: scaled({ cpuPercent: 70 }),
    problems: [['spec.resources.cpu', 'is required by autoscaling.targets.cpuPercent']],
  },
  {
    title: 'a target that the engine has no metric for',
    spec: scaled(
      { ttftMilliseconds: 500, queueDepth: 1 },
      { engine: { type: 'tgi' }, security: { level: 'baseline' } },
    ),
    problems: [
      [
        'spec.autoscaling.targets.ttftMilliseconds',
        'its targets are itlMilliseconds, queueDepth, runningRequests, cpuPercent',
      ],
    ],
  },
  {
    title: 'a Prometheus with a password in its URL',
    spec: {
      ...scaled({ queueDepth: 1 }),
      autoscaling: { maxReplicas: 2, targets: { queueDepth: 1 }, prometheus: { serverAddress: 'http://a:b@c' } },
    },
    problems: [['spec.autoscaling.prometheus.serverAddress', 'without user']],
  },
  ...guarded,
  {
    title: 'a roll that replaces nothing',
    spec: { ...shared, rollout: { maxSurge: 0, maxUnavailable: 0 } },
    problems: [['spec.rollout', 'must not both be 0']],
  },
];

/** Resources that must be refused, by the API server and by `parseSpec`, with the same messages. */
export const refused: readonly RefusedExample[] = [
  ...structure,
  ...uris,
  ...mountedUris,
  ...storage,
  ...engines,
  ...scaling,
  ...refusedFiles,
  ...refusedImages,
  ...refusedPods,
  ...refusedSplits,
];
