import { GPUS, type Gpu } from './gpus.ts';
import { gpuMemory, type GpuMemory, spare } from './memory.ts';
import { isSplitBy, type ModelShape } from './shape.ts';

/** Why a model does not fit, and what would. */
export type Misfit =
  | {
      readonly fits: false;
      /** It takes no context of that length. */
      readonly why: 'context';
      readonly context: number;
      readonly longest: number;
    }
  | {
      readonly fits: false;
      /** It can't be split over so many GPUs. */
      readonly why: 'split';
      readonly gpus: number;
      readonly heads: number;
      /** Counts over which it can. */
      readonly splits: readonly number[];
    }
  | MemoryMisfit;

/** Too little memory. */
export interface MemoryMisfit {
  readonly fits: false;
  readonly why: 'memory';
  readonly gpus: number;
  readonly context: number;
  readonly requests: number;
  readonly perGpu: GpuMemory;
  /** The fewest GPUs of this kind that would do; absent where no node has so many. */
  readonly moreGpus?: number;
  /** The longest context that would do for one request, in thousands of 1024 tokens; absent where none does. */
  readonly shorter?: number;
  /** Whether the same model of 4 bits a weight would do. */
  readonly fourBits: boolean;
  /** Other GPUs of which the same number, or fewer, would do. */
  readonly others: readonly { readonly name: string; readonly gpus: number }[];
}

interface Tried {
  readonly gpus: number;
  readonly context: number;
  readonly requests: number;
  /** Counts over which the model can be split. */
  readonly splits: readonly number[];
}

/** Bits of a weight with its share of a scale. */
const FOUR_BITS = 4.5;

/** What would do in place of what does not fit. */
export function misfitOf(shape: ModelShape, gpu: Gpu, { gpus, context, requests, splits }: Tried): MemoryMisfit {
  const fit = (of: ModelShape, on: Gpu, count: number, length: number, at: number): boolean =>
    spare(gpuMemory(of, on, count, length, at)) >= 0;
  const moreGpus = splits.find((count) => count > gpus && fit(shape, gpu, count, context, requests));
  const shorter = shorterContext(context, (length) => fit(shape, gpu, gpus, length, 1));
  const small = { ...shape, weightBytes: (shape.parameters * FOUR_BITS) / 8 };
  const others = GPUS.filter(({ memory, resource }) => memory > gpu.memory && resource === gpu.resource).flatMap(
    (other) => {
      const count = [1, 2, 4, 8].find(
        (each) =>
          each <= Math.min(gpus, other.perNode) && isSplitBy(shape, each) && fit(shape, other, each, context, requests),
      );
      return count === undefined ? [] : [{ name: other.name, gpus: count }];
    },
  );
  return {
    fits: false,
    why: 'memory',
    gpus,
    context,
    requests,
    perGpu: gpuMemory(shape, gpu, gpus, context, requests),
    ...(moreGpus !== undefined && { moreGpus }),
    ...(shorter !== undefined && { shorter }),
    fourBits: small.weightBytes < shape.weightBytes * 0.75 && fit(small, gpu, gpus, context, requests),
    others: others.slice(0, 3),
  };
}

/** The longest context below one that does not fit; each that is shorter than one that fits does so as well. */
function shorterContext(context: number, fits: (context: number) => boolean): number | undefined {
  let [low, high] = [0, Math.ceil(context / 1024) - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle * 1024)) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? undefined : low * 1024;
}
