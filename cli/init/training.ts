import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { gpuNamed, WHICH_GPU } from './gpu.ts';
import { withAnswers } from './missing.ts';
import { writeResource, type OutputOptions } from './output.ts';

/** The options of `trunnion init training`. */
export interface TrainingOptions extends OutputOptions {
  readonly image?: string;
  readonly framework: 'pytorch' | 'jax';
  readonly gpu?: string;
  readonly gpus: number;
  readonly workers: number;
}

/** CPUs and GiB of a worker for each of its GPUs: what clouds give beside one, less what the node itself needs. */
const BESIDE_A_GPU = { cpu: 8, memory: 64 };

const WITHOUT_GPU = { cpu: 4, memory: 16 };

const COMMANDS = { pytorch: '[torchrun, train.py]', jax: '[python, train.py]' } as const;

/** Writes a DistributedTraining. */
export async function initTraining(io: Io, name: string, options: TrainingOptions): Promise<void> {
  const [image = '', gpuName = ''] = await withAnswers(io, [
    {
      option: '--image',
      value: options.image,
      what: 'image with your program, for instance registry.example.com/train:1',
    },
    { option: '--gpu', value: options.gpu, what: WHICH_GPU },
  ]);
  const gpu = gpuNamed(gpuName);
  if (options.gpus === 0) throw new UsageError('--gpus must be at least 1; --gpu none is for CPUs alone');
  const gpus = gpu === undefined ? 0 : options.gpus;
  const cpu = gpu === undefined ? WITHOUT_GPU.cpu : BESIDE_A_GPU.cpu * gpus;
  const memory = gpu === undefined ? WITHOUT_GPU.memory : BESIDE_A_GPU.memory * gpus;
  const all = [
    `# ${name}: ${options.workers} workers that start and end together.`,
    'apiVersion: trunnion.dev/v1alpha1',
    'kind: DistributedTraining',
    'metadata:',
    `  name: ${JSON.stringify(name)}`,
    'spec:',
    `  framework: ${options.framework}`,
    `  image: ${JSON.stringify(image)}`,
    '  # What the image runs; your program is in it.',
    `  command: ${COMMANDS[options.framework]}`,
    `  replicas: ${options.workers}`,
    '  resources:',
    `    gpu: ${gpus}`,
    gpu !== undefined && gpu.resource !== 'nvidia.com/gpu' && `    gpuResource: ${gpu.resource}`,
    gpu !== undefined && `    gpuProduct: ${gpu.product}`,
    gpu === undefined
      ? '    # To begin with; loading data takes more.'
      : `    # ${BESIDE_A_GPU.cpu} CPUs and ${BESIDE_A_GPU.memory} GiB for each GPU: processes that load data, and /dev/shm between them.`,
    `    cpu: "${cpu}"`,
    `    memory: ${memory}Gi`,
    '  # Failures of the program count; a pod that is preempted, drained or lost with its node does not.',
    '  retry:',
    '    limit: 3',
  ];
  await writeResource(io, `${all.filter((line) => line !== false).join('\n')}\n`, options);
}
