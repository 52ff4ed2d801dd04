import { ENGINE_TABLE } from '../../../constructs/model-serving/engine.table.ts';
import { SPLITS, type Split } from '../../examples/model-serving/splits.ts';
import { membersOf } from '../../support/split-members.ts';

/** What `flags.py` tells of one command line. */
export interface ReadLine {
  readonly error?: string;
  readonly port?: number;
  readonly host?: string | null;
  readonly headless?: boolean;
  readonly parallel?: {
    readonly nnodes: number;
    readonly node_rank_within_dp: number;
    readonly world_size: number;
    readonly local_world_size: number;
    readonly data_parallel_size_local: number;
    readonly data_parallel_rank: number;
    readonly data_parallel_master_ip: string;
    readonly enable_expert_parallel: boolean;
  };
}

/** What `flags.py` writes. */
export interface Read {
  readonly lines: readonly ReadLine[];
  readonly methods: readonly string[];
}

const LAUNCH = {
  modelPath: '/models/weights',
  tokenizerPath: '/models/tokenizer',
  servedName: 'tiny',
  port: 8000,
  ipFamily: 'IPv6',
  tensor: 1,
  pipeline: 1,
  data: 1,
  expert: false,
  drainSeconds: 120,
  isOwnOnCpus: true,
} as const;

/** Command lines with each method of speculative decoding, as vLLM has it. */
export const DRAFTED = (['model', 'eagle', 'eagle3'] as const).map((method) => {
  const args = ENGINE_TABLE.vllm.args({ ...LAUNCH, draft: { path: '/models/draft', method, tokens: 3 } });
  const config = args.find((arg) => arg.startsWith('--speculative-config='))?.split('=', 2)[1] ?? '';
  return { args, method: (JSON.parse(config) as { readonly method: string }).method };
});

/** The splits of vLLM. */
export const VLLM_SPLITS = SPLITS.filter(({ engine }) => engine === 'vllm');

/** The command lines of all pods of a split, on a model that `flags.py` makes. */
export const linesOf = (split: Split): readonly (readonly string[])[] =>
  membersOf(split, split.parallelism.expert === true ? '/tmp/experts' : '/tmp/dense');

/** All command lines that vLLM is asked about. */
export const LINES = [...DRAFTED.map(({ args }) => args), ...VLLM_SPLITS.flatMap(linesOf)];

/** Where the ranks of a split are, one line a pod. */
type Places = readonly (readonly [title: string, pod: string])[];

const place = (first: number, count: number, expert: boolean, headless: boolean): string =>
  `ranks ${first} to ${first + count - 1}${expert ? ', experts' : ''}${headless ? ', no server' : ''}`;

/** Where the ranks of splits must be: in the order of the pods, as many in each. */
export const placesWanted = (splits: readonly Split[]): Places =>
  splits.flatMap(({ title, nodes, gpu, parallelism: { expert = false } }) =>
    Array.from({ length: nodes }, (_, pod) => {
      const count = Math.max(1, gpu);
      return [title, place(pod * count, count, expert, pod > 0)] as const;
    }),
  );

/** Where vLLM puts them (v0.32.0, v1/executor/multiproc_executor.py, _init_executor, and v1/engine/utils.py, CoreEngineProcManager). */
export const placesByVllm = (splits: readonly Split[], lines: readonly ReadLine[]): Places =>
  splits
    .flatMap(({ title, nodes }) => Array.from({ length: nodes }, () => title))
    .map((title, at) => {
      const { error = 'nothing was read', parallel, headless = false } = lines[at] ?? {};
      if (!parallel) return [title, error];
      const { data_parallel_rank: copy, world_size: ofCopy, local_world_size: ofPod } = parallel;
      const first = copy * ofCopy + parallel.node_rank_within_dp * ofPod;
      const count = ofPod * parallel.data_parallel_size_local;
      return [title, place(first, count, parallel.enable_expert_parallel, headless)];
    });
