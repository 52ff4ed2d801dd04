import { findGpu, GPUS, similarGpus, type Gpu } from '../../constructs/parts/sizing/index.ts';
import { UsageError } from '../errors.ts';

/** What `--gpu` is asked for by. */
export const WHICH_GPU = 'GPU, for instance A100-80GB, H100 or L4; none for CPUs alone';

/**
 * The GPU of `--gpu`; undefined for `none`.
 *
 * @throws UsageError where it is not known, with those that may be meant
 */
export function gpuNamed(name: string): Gpu | undefined {
  if (name.toLowerCase() === 'none') return undefined;
  const gpu = findGpu(name);
  if (gpu !== undefined) return gpu;
  const similar = similarGpus(name);
  const names = similar.length > 0 ? similar : GPUS.map((each) => each.name);
  const hint = similar.length > 0 ? 'did you mean' : 'there are';
  throw new UsageError(
    `--gpu ${JSON.stringify(name)} is not known; ${hint} ${names.join(', ')}${similar.length > 0 ? '?' : ', and none'}`,
  );
}
