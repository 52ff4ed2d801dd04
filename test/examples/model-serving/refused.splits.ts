import { shared, type RefusedExample } from './example.ts';

const PARALLELISM = 'spec.parallelism';

const spec = (type: string, nodes: number, gpu: number, parallelism: object, more: object = {}) => ({
  ...shared,
  engine: { type },
  nodes,
  resources: { gpu },
  parallelism,
  ...more,
});

const draft = (method: string) => ({
  model: { ...shared.model, draft: { uri: 'hf://example/draft', method } },
});

/** Ways to split a model that an engine does not have. */
export const refusedSplits: readonly RefusedExample[] = [
  {
    title: 'fewer ranks than the GPUs of all nodes',
    spec: spec('vllm', 2, 8, { tensor: 8 }),
    problems: [[PARALLELISM, 'must be the number of GPUs of one replica, nodes times resources.gpu']],
  },
  {
    title: 'more ranks than nodes without GPUs',
    spec: spec('vllm', 2, 0, { tensor: 4 }),
    problems: [[PARALLELISM, 'must be the number of GPUs of one replica, nodes times resources.gpu']],
  },
  {
    title: 'copies of which each has a part of two nodes, with vllm',
    spec: spec('vllm', 2, 6, { tensor: 4, data: 3, expert: true }),
    problems: [[`${PARALLELISM}.data`, 'make tensor times pipeline a divisor or a multiple of resources.gpu']],
  },
  {
    title: 'copies of two nodes each that share no experts, with vllm',
    spec: spec('vllm', 4, 4, { tensor: 8, data: 2 }),
    problems: [[`${PARALLELISM}.expert`, 'set it, or set data to 1 and raise replicas']],
  },
  ...(['vllm', 'sglang'] as const).map((type) => ({
    title: `experts that nothing spreads, with ${type}`,
    spec: spec(type, 2, 1, { pipeline: 2, expert: true }),
    problems: [[`${PARALLELISM}.expert`, 'must be false where tensor and data are 1']] as const,
  })),
  {
    title: 'stages that begin within a node, with sglang',
    spec: spec('sglang', 2, 6, { tensor: 4, pipeline: 3 }),
    problems: [[`${PARALLELISM}.pipeline`, 'must be a divisor or a multiple of nodes with sglang']],
  },
  {
    title: 'a draft model beside stages, with sglang',
    spec: spec('sglang', 1, 4, { tensor: 2, pipeline: 2 }, draft('eagle')),
    problems: [['spec.model.draft', 'set parallelism.pipeline to 1, and raise tensor']],
  },
  {
    title: 'a draft model beside the stages that several nodes are by default, with sglang',
    spec: { ...spec('sglang', 2, 8, {}, draft('eagle')), parallelism: undefined },
    problems: [['spec.model.draft', 'set parallelism.pipeline to 1, and raise tensor']],
  },
  {
    title: 'a draft model that is no head beside copies that share the model, with sglang',
    spec: spec('sglang', 1, 4, { tensor: 2, data: 2, expert: true }, draft('model')),
    problems: [['spec.model.draft.method', 'must be eagle or eagle3 with sglang']],
  },
  {
    title: 'copies and experts for an engine that has neither',
    spec: spec('tgi', 1, 4, { tensor: 2, data: 2, expert: true }, { security: { level: 'baseline' } }),
    problems: [
      [`${PARALLELISM}.data`, 'is known to vllm, sglang only: set it to 1, and raise replicas instead'],
      [`${PARALLELISM}.expert`, 'is known to vllm, sglang only: set it to false'],
    ],
  },
  ...(
    [
      ['vllm', 29_550],
      ['sglang', 20_013],
    ] as const
  ).map(([type, port]) => ({
    title: `the port ${port}, which ${type} takes for ranks on several nodes`,
    spec: spec(type, 2, 8, { tensor: 16 }, { engine: { type, port } }),
    problems: [['spec.engine.port', 'takes them for its ranks; choose another port']] as const,
  })),
];
