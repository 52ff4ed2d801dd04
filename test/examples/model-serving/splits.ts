import type { ModelServingSpecInput } from '../../../constructs/model-serving/spec.ts';
import { shared, type AcceptedExample } from './example.ts';

/** A way to split one model over GPUs and pods. */
export interface Split {
  readonly title: string;
  readonly engine: 'vllm' | 'sglang';
  /** Pods of a replica. */
  readonly nodes: number;
  /** GPUs of each pod. */
  readonly gpu: number;
  readonly parallelism: NonNullable<ModelServingSpecInput['parallelism']>;
}

const of =
  (engine: Split['engine']) =>
  ([title, nodes, gpu, parallelism]: readonly [string, number, number, Split['parallelism']]): Split => ({
    title: `${engine}: ${title}`,
    engine,
    nodes,
    gpu,
    parallelism,
  });

/** Splits that both engines have. */
const BOTH = [
  ['tensor on one node', 1, 8, { tensor: 8 }],
  ['tensor and pipeline on one node', 1, 8, { tensor: 4, pipeline: 2 }],
  ['experts on one node', 1, 8, { tensor: 8, expert: true }],
  ['copies on one node', 1, 8, { tensor: 2, data: 4 }],
  ['copies in stages on one node', 1, 8, { tensor: 2, pipeline: 2, data: 2 }],
  ['copies that share experts on one node', 1, 8, { data: 8, expert: true }],
  ['tensor over nodes', 2, 8, { tensor: 16 }],
  ['a stage for each node', 2, 8, { tensor: 8, pipeline: 2 }],
  ['two stages for each node', 2, 8, { tensor: 4, pipeline: 4 }],
  ['two nodes for each stage', 4, 2, { tensor: 4, pipeline: 2 }],
  ['experts over nodes', 2, 8, { tensor: 16, expert: true }],
  ['copies on two nodes', 2, 8, { tensor: 4, data: 4 }],
  ['copies in stages on two nodes', 2, 8, { tensor: 4, pipeline: 2, data: 2 }],
  ['experts over all copies of four nodes', 4, 8, { data: 32, expert: true }],
  ['experts over copies of two nodes each', 4, 8, { tensor: 16, data: 2, expert: true }],
  ['nodes without GPUs', 2, 0, { pipeline: 2 }],
] as const satisfies readonly (readonly [string, number, number, Split['parallelism']])[];

/** Every kind of split that is accepted. */
export const SPLITS: readonly Split[] = [
  ...BOTH.map(of('vllm')),
  of('vllm')(['stages that begin within a node', 2, 6, { tensor: 4, pipeline: 3 }]),
  ...BOTH.map(of('sglang')),
  of('sglang')(['copies over parts of nodes', 2, 6, { tensor: 4, data: 3 }]),
  of('sglang')(['copies of several nodes without experts', 4, 4, { tensor: 8, data: 2 }]),
];

/** The spec of a split. */
export const specOfSplit = ({ engine, nodes, gpu, parallelism }: Split): ModelServingSpecInput => ({
  ...shared,
  engine: { type: engine, ...(gpu === 0 && { image: 'example.com/engine:1' }) },
  resources: { gpu },
  nodes,
  parallelism,
});

export const acceptedSplits: readonly AcceptedExample[] = SPLITS.map((split) => ({
  title: split.title,
  spec: specOfSplit(split),
}));
