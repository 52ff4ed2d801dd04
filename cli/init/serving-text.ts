import {
  VLLM_SHARE,
  type CpuSizes,
  type Gpu,
  type ModelShape,
  type Sizes,
} from '../../constructs/parts/sizing/index.ts';
import type { KnownModel } from './model.ts';
import { bytesInWords, counted, countInWords, rounded, whole } from './words.ts';

/** What a ModelServing is written from. */
export interface Written {
  readonly name: string;
  readonly uri: string;
  readonly model: KnownModel;
  readonly replicas: number;
  /** The Secret with the token of its host; undefined where none is needed. */
  readonly secret: string | undefined;
  /** Whether the weights are fetched onto a volume. */
  readonly hasVolume: boolean;
}

/** A ModelServing on GPUs. */
export function gpuServing(written: Written, gpu: Gpu, sizes: Sizes): string {
  const { shape } = written.model;
  const args = [`--max-model-len=${sizes.context}`, ...(isHalf(shape, gpu) ? ['--dtype=half'] : [])];
  return lines([
    ...head(written, `${sizes.gpus} ${gpu.name}`),
    ...storage(written, sizes.volume),
    '  engine:',
    '    type: vllm',
    ...cacheNotes(shape, sizes),
    isHalf(shape, gpu) && `    # ${gpu.name} has no bfloat16.`,
    `    args: [${args.join(', ')}]`,
    '  resources:',
    ...gpuNotes(shape, gpu, sizes),
    `    gpu: ${sizes.gpus}`,
    gpu.resource !== 'nvidia.com/gpu' && `    gpuResource: ${gpu.resource}`,
    `    # The node label of these GPUs: kubectl get nodes -L ${productLabel(gpu)}`,
    `    gpuProduct: ${gpu.product}`,
    `    # 2 for the server and the engine, 2 for the process of each GPU.`,
    `    cpu: "${sizes.cpus}"`,
    `    # 8 GiB for the server, 5 GiB for the process of each GPU${sizes.sharedMemory > 0 ? `, ${sizes.sharedMemory} GiB for /dev/shm` : ''}; weights are read in parts.`,
    `    memory: ${sizes.memory}Gi`,
    `  replicas: ${written.replicas}`,
  ]);
}

/** A ModelServing on CPUs. */
export function cpuServing(written: Written, sizes: CpuSizes): string {
  return lines([
    ...head(written, 'CPUs'),
    ...storage(written, sizes.volume),
    '  engine:',
    '    type: vllm',
    `    # ${bytesInWords(sizes.cache)} of KV cache for ${whole(sizes.context)} tokens.`,
    `    args: [--max-model-len=${sizes.context}]`,
    '  resources:',
    '    gpu: 0',
    '    # More CPUs answer faster.',
    `    cpu: "${sizes.cpus}"`,
    `    # Twice the weights (${bytesInWords(sizes.weights)}) and the cache, since vLLM takes half of it for them, and 4 GiB for its processes.`,
    `    memory: ${sizes.memory}Gi`,
    `  replicas: ${written.replicas}`,
  ]);
}

const lines = (all: readonly (string | false)[]): string => `${all.filter((line) => line !== false).join('\n')}\n`;

const isHalf = (shape: ModelShape, gpu: Gpu): boolean => shape.isBfloat16 && !gpu.hasBfloat16;

const productLabel = ({ resource }: Gpu): string =>
  resource === 'amd.com/gpu' ? 'amd.com/gpu.product-name' : 'nvidia.com/gpu.product';

function head({ name, uri, model, secret }: Written, on: string): readonly (string | false)[] {
  const { parameters, weightBytes } = model.shape;
  return [
    `# ${name} on ${on}, by trunnion init. All sizes are estimates: what vLLM logs at its start counts.`,
    `# ${countInWords(parameters)} parameters of ${rounded((weightBytes * 8) / parameters)} bits: ${bytesInWords(weightBytes)} of weights, ${model.from}.`,
    'apiVersion: trunnion.dev/v1alpha1',
    'kind: ModelServing',
    'metadata:',
    `  name: ${JSON.stringify(name)}`,
    'spec:',
    '  model:',
    `    uri: ${JSON.stringify(uri)}`,
    secret !== undefined && '    # A Secret with what the host of the model asks for, for instance the key HF_TOKEN.',
    secret !== undefined && `    credentials: {secretName: ${JSON.stringify(secret)}}`,
  ];
}

function storage({ model, hasVolume, replicas }: Written, volume: number): readonly (string | false)[] {
  if (!hasVolume) return [];
  return [
    '  storage:',
    `    # ${bytesInWords(model.shape.fileBytes)} of files, a tenth of the volume for the file system, and 1 GiB.`,
    `    size: ${volume}Gi`,
    replicas > 1 && '    # One download for all replicas; its storage class must be able to.',
    replicas > 1 && '    accessMode: ReadWriteMany',
  ];
}

function cacheNotes({ cache }: ModelShape, sizes: Sizes): readonly string[] {
  const windows = cache.flatMap(({ window }) => window ?? []);
  const windowed = windows[0] === undefined ? '' : `; layers with a window keep ${whole(windows[0])} tokens at most`;
  return [
    `    # A token takes ${bytesInWords(sizes.bytesPerToken)} of KV cache${windowed}. There are ${bytesInWords(sizes.cacheRoom)} for it on each GPU:`,
    `    # about ${counted(sizes.atOnce, 'request')} of ${whole(sizes.context)} tokens at once.`,
  ];
}

function gpuNotes(
  { attentionHeads }: ModelShape,
  gpu: Gpu,
  { gpus, perGpu, cacheRoom }: Sizes,
): readonly (string | false)[] {
  return [
    `    # Of ${rounded(gpu.memory / 1024)} GiB vLLM takes ${VLLM_SHARE * 100} %, ${bytesInWords(perGpu.usable)}: ${bytesInWords(perGpu.weights)} of weights, ${bytesInWords(perGpu.overhead)} for the`,
    `    # computation, ${bytesInWords(cacheRoom)} of KV cache.`,
    gpus > 1 && `    # ${attentionHeads} attention heads are shared by ${gpus} GPUs.`,
  ];
}
