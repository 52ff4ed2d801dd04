import { GIB } from './memory.ts';

/** What the container and the volume of a replica get. */
export interface Container {
  /** GiB of the volume that holds the weights. */
  readonly volume: number;
  /** GiB of the container: for its processes, and shared memory. */
  readonly memory: number;
  /** GiB of it that shared memory may take: what GPUs tell each other. */
  readonly sharedMemory: number;
  readonly cpus: number;
}

/** Of a volume, what a file system leaves for files: ext4 keeps a twentieth for root, and has inodes. */
const OF_A_VOLUME = 0.9;

/** GiB of the server, the engine and Python's libraries. */
const PROCESSES = 8;

/** GiB of the process of one GPU: CUDA's libraries, pinned buffers and a file of weights on its way. */
const PER_GPU = 5;

/**
 * What the container and the volume need. The cache of files counts for a container too, but Linux gives it back, so that the
 * weights need not fit into its memory.
 */
export function containerOf(fileBytes: number, gpus: number): Container {
  const volume = fileBytes / GIB / OF_A_VOLUME + 1;
  const sharedMemory = gpus > 1 ? gpus : 0;
  return {
    volume: roundedUp(volume, volume > 20 ? 5 : 1),
    memory: roundedUp(PROCESSES + PER_GPU * gpus + sharedMemory, 4),
    sharedMemory,
    cpus: 2 + 2 * gpus,
  };
}

const roundedUp = (value: number, step: number): number => Math.ceil(value / step) * step;
