import type { Gpu } from './gpus.ts';
import { containerOf, type Container } from './container.ts';
import { GIB, gpuMemory, type GpuMemory, spare, stepOf } from './memory.ts';
import { type Misfit, misfitOf } from './misfit.ts';
import { bytesPerToken, cacheBytes, isSplitBy, type ModelShape } from './shape.ts';

/** What somebody asks for. */
export interface Wishes {
  /**
   * GPUs of one replica.
   *
   * @default - the fewest on which it fits
   */
  readonly gpus?: number | undefined;
  /**
   * Tokens of the longest request, its answer included.
   *
   * @default 8192 - or what the model takes, where that is less
   */
  readonly context?: number | undefined;
  /**
   * Requests of that length that are in work at once.
   *
   * @default - 4 where GPUs can be added for them, else 1
   */
  readonly requests?: number | undefined;
}

/** Sizes of one replica on GPUs. */
export interface Sizes extends Container {
  readonly fits: true;
  readonly gpus: number;
  readonly context: number;
  /** Requests of that length that the cache holds at once. */
  readonly atOnce: number;
  /** Of one GPU, with the cache of one request. */
  readonly perGpu: GpuMemory;
  /** Bytes of one GPU that are for the cache. */
  readonly cacheRoom: number;
  /** Bytes that a token adds to the cache, on all GPUs together. */
  readonly bytesPerToken: number;
}

const DEFAULT_CONTEXT = 8192;

const DEFAULT_REQUESTS = 4;

/** The context that is served where nobody asks for another. */
export const contextOf = ({ longest = DEFAULT_CONTEXT }: ModelShape, wished?: number): number =>
  wished ?? Math.min(DEFAULT_CONTEXT, longest);

/** The sizes of a replica on GPUs; or why it does not fit on them, and what would. */
export function sizeOf(shape: ModelShape, gpu: Gpu, wishes: Wishes = {}): Sizes | Misfit {
  const context = contextOf(shape, wishes.context);
  if (context > (shape.longest ?? context))
    return { fits: false, why: 'context', context, longest: shape.longest ?? 0 };
  const splits = splitsOf(shape, gpu);
  if (wishes.gpus !== undefined && !isSplitBy(shape, wishes.gpus)) {
    return { fits: false, why: 'split', gpus: wishes.gpus, heads: shape.attentionHeads, splits };
  }
  const fit = (gpus: number, requests: number): boolean => spare(gpuMemory(shape, gpu, gpus, context, requests)) >= 0;
  const among = wishes.gpus === undefined ? splits : [wishes.gpus];
  const gpus =
    among.find((each) => fit(each, wishes.requests ?? (wishes.gpus === undefined ? DEFAULT_REQUESTS : 1))) ??
    (wishes.requests === undefined ? among.findLast((each) => fit(each, 1)) : undefined);
  if (gpus === undefined) {
    return misfitOf(shape, gpu, {
      gpus: wishes.gpus ?? among.at(-1) ?? 1,
      context,
      requests: wishes.requests ?? 1,
      splits,
    });
  }
  return { fits: true, ...containerOf(shape.fileBytes, gpus), ...roomOf(shape, gpu, gpus, context) };
}

function roomOf(shape: ModelShape, gpu: Gpu, gpus: number, context: number): Omit<Sizes, 'fits' | keyof Container> {
  const perGpu = gpuMemory(shape, gpu, gpus, context, 1);
  const cacheRoom = perGpu.cache + spare(perGpu);
  const { tokens } = stepOf(gpu);
  const another = cacheBytes(shape, gpus, context, 2, tokens) - perGpu.cache;
  const atOnce = another > 0 ? 1 + Math.floor((cacheRoom - perGpu.cache) / another) : stepOf(gpu).requests;
  return { gpus, context, atOnce, perGpu, cacheRoom, bytesPerToken: bytesPerToken(shape) };
}

/** The counts of GPUs that nodes are made of over which a model can be split. */
const splitsOf = (shape: ModelShape, { perNode }: Gpu): readonly number[] =>
  [1, 2, 4, 8].filter((gpus) => gpus <= perNode && isSplitBy(shape, gpus));

/** Sizes of one replica on CPUs. */
export interface CpuSizes {
  readonly context: number;
  /** GiB of the volume. */
  readonly volume: number;
  /** GiB of the container. */
  readonly memory: number;
  readonly cpus: number;
  /** Bytes of the weights, and of the cache of the requests. */
  readonly weights: number;
  readonly cache: number;
}

/**
 * The sizes of a replica on CPUs. vLLM takes half of the memory of its container there for weights and cache, as the construct
 * tells it, and its processes 4 GiB.
 */
export function sizeOnCpus(shape: ModelShape, wishes: Pick<Wishes, 'context' | 'requests'> = {}): CpuSizes {
  const context = contextOf(shape, wishes.context ?? Math.min(4096, shape.longest ?? 4096));
  const cache = cacheBytes(shape, 1, context, wishes.requests ?? 1, 4096);
  return {
    context,
    volume: containerOf(shape.fileBytes, 1).volume,
    memory: Math.ceil((2 * (shape.weightBytes + cache)) / GIB + 4),
    cpus: Math.min(32, Math.max(2, Math.ceil(shape.parameters / 1e9) * 2)),
    weights: shape.weightBytes,
    cache,
  };
}
