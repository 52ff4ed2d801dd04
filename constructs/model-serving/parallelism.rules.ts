import type { Rule } from '../schema/rules.ts';
import { celList, grouped } from './engine.cel.ts';
import { ENGINE_TABLE } from './engine.table.ts';
import { ENGINES, ENGINE_PARALLELISM, type EngineType, type Parallelism } from './engines.ts';

const having = (how: Parallelism): readonly EngineType[] =>
  ENGINES.filter((type) => ENGINE_PARALLELISM[type].includes(how));

/** How a model is split, each with the most that its field takes: what is more has a message of its own. */
const FACTORS = { tensor: 64, pipeline: 64, data: 1024 } as const;

/** What is out of range might make a product that is out of that of integers. */
const isOutOfRange = [
  ...Object.entries(FACTORS).map(
    ([factor, most]) => `self.parallelism.${factor} < 1 || self.parallelism.${factor} > ${most}`,
  ),
  'has(self.nodes) && (self.nodes < 1 || self.nodes > 64)',
].join(' || ');

const isGrouped = grouped('self');
const isSplit = `has(self.parallelism) && !(${isOutOfRange})`;
const hasCopies = 'has(self.parallelism) && self.parallelism.data > 1';
const hasExperts = 'has(self.parallelism) && self.parallelism.expert';

/** Ranks of one pod; a pod without GPUs is one. */
const RANKS_OF_POD = '(self.resources.gpu > 0 ? self.resources.gpu : 1)';
/** Ranks of all pods of a replica. */
const RANKS = `(has(self.nodes) ? self.nodes : 1) * ${RANKS_OF_POD}`;
/** Ranks of one copy of the model. */
const RANKS_OF_COPY = 'self.parallelism.tensor * self.parallelism.pipeline';

const known = (how: Exclude<Parallelism, 'tensor'>, leftOut: string, doInstead: string): Rule => ({
  rule: `!has(self.parallelism) || self.parallelism.${how} == ${leftOut} || self.engine.type in ${celList(having(how))}`,
  fieldPath: `.parallelism.${how}`,
  message: `is known to ${having(how).join(', ')} only: set it to ${leftOut}${doInstead}`,
});

/** What any engine must have. */
const splitRules: readonly Rule[] = [
  {
    rule: `!has(self.parallelism) || self.engine.type in ${celList(having('tensor'))}`,
    fieldPath: '.parallelism',
    message: `is known to ${having('tensor').join(', ')} only: leave it out, and split the model by engine.args or by the configuration of the model`,
  },
  known('pipeline', '1', ''),
  known('data', '1', ', and raise replicas instead'),
  known('expert', 'false', ''),
  {
    rule: `!(${isSplit}) || ${Object.keys(FACTORS)
      .map((factor) => `self.parallelism.${factor}`)
      .join(' * ')} == ${RANKS}`,
    fieldPath: '.parallelism',
    message: 'tensor times pipeline times data must be the number of GPUs of one replica, nodes times resources.gpu',
  },
  {
    // vLLM 0.30.0, config/parallel.py, data_parallel_size; SGLang 0.5.18, srt/server_args.py, ep_size.
    rule: `!(${hasExperts}) || self.parallelism.tensor > 1 || self.parallelism.data > 1`,
    fieldPath: '.parallelism.expert',
    message:
      'must be false where tensor and data are 1, since experts are spread over these: leave it out, or raise one of them',
  },
];

/**
 * vLLM 0.30.0 gives each pod as many whole copies of the model as it has GPUs for, or each copy as many whole pods
 * (config/parallel.py, nnodes_within_dp). Only copies that share experts can have several pods: those of another model form a
 * group of processes each, and all of them at the address of the leader (v1/engine/core.py, run_engine_core).
 */
const vllmRules: readonly Rule[] = [
  {
    rule: `!(${isSplit} && ${isGrouped}) || self.engine.type != 'vllm' || self.parallelism.data == 1 || ${RANKS_OF_POD} % (${RANKS_OF_COPY}) == 0 || (${RANKS_OF_COPY}) % ${RANKS_OF_POD} == 0`,
    fieldPath: '.parallelism.data',
    message:
      'must be 1 with vllm, unless each node has whole copies of the model, or each copy whole nodes: make tensor times pipeline a divisor or a multiple of resources.gpu',
  },
  {
    rule: `!(${isSplit} && ${isGrouped}) || self.engine.type != 'vllm' || self.parallelism.data == 1 || ${RANKS_OF_COPY} <= ${RANKS_OF_POD} || self.parallelism.expert`,
    fieldPath: '.parallelism.expert',
    message:
      'must be true with vllm where data is more than 1 and each copy of the model has several nodes, which only mixtures of experts can: set it, or set data to 1 and raise replicas',
  },
];

/** Whether SGLang splits the model over all copies: see its table. */
const isShared = `${hasCopies} && (${isGrouped} || self.parallelism.expert)`;
const stages = '(has(self.parallelism) ? self.parallelism.pipeline : has(self.nodes) ? self.nodes : 1)';

const sglangRules: readonly Rule[] = [
  {
    // SGLang 0.5.18, srt/entrypoints/engine.py, _calculate_rank_ranges: other ranks would be in no pod.
    rule: `!(${isSplit} && ${isGrouped}) || self.engine.type != 'sglang' || self.parallelism.pipeline % self.nodes == 0 || self.nodes % self.parallelism.pipeline == 0`,
    fieldPath: '.parallelism.pipeline',
    message:
      'must be a divisor or a multiple of nodes with sglang, which gives each node whole stages or a part of one',
  },
  {
    // SGLang 0.5.18, srt/server_args.py, check_server_args.
    rule: `self.engine.type != 'sglang' || !has(self.model.draft) || ${stages} == 1`,
    fieldPath: '.model.draft',
    message:
      'must be left out with sglang where the model is split into stages: set parallelism.pipeline to 1, and raise tensor',
  },
  {
    // SGLang 0.5.18, srt/arg_groups/speculative_hook.py, _handle_eagle_family.
    rule: `self.engine.type != 'sglang' || !has(self.model.draft) || self.model.draft.method != 'model' || !(${isShared})`,
    fieldPath: '.model.draft.method',
    message:
      'must be eagle or eagle3 with sglang where parallelism.data is more than 1 over several nodes, or with expert: choose another draft model, or leave it out',
  },
];

const takenPorts: readonly Rule[] = ENGINES.flatMap((type) => {
  const { groupPorts } = ENGINE_TABLE[type];
  if (groupPorts === undefined) return [];
  return [
    {
      rule: `!(${isGrouped}) || self.engine.type != '${type}' || !has(self.engine.port) || !(self.engine.port in [${groupPorts.join(', ')}])`,
      fieldPath: '.engine.port',
      message: `must be none of ${groupPorts.join(', ')} where nodes is above 1: ${type} takes them for its ranks; choose another port`,
    },
  ];
});

/** Rules of `spec` about how an engine splits a model over GPUs and pods. */
export const parallelismRules: readonly Rule[] = [...splitRules, ...vllmRules, ...sglangRules, ...takenPorts];
