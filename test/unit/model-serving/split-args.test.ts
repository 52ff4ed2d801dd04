import { describe, expect, test } from 'vitest';
import { commandOf, lifecycleOf } from '../../../constructs/model-serving/launch.ts';
import { SPLITS, specOfSplit, type Split } from '../../examples/model-serving/splits.ts';
import { parsed, serverOf } from './support/render.ts';
import { shared } from './support/specs.ts';

const SPLITTING =
  /^--(?:tensor|pipeline|data|enable-expert|tp|pp|dp|ep|enable-dp|distributed|nnodes|node-rank|master|headless|dist-init)/;

const argsOf = (split: Split, role?: 'leader' | 'worker'): string =>
  (commandOf('llama', parsed(specOfSplit(split)), '/models/weights', role).args ?? [])
    .filter((each) => SPLITTING.test(each))
    .join(' ');

/** The arguments that each pod of a split has in common, and those of the leader and of a worker. */
const EXPECTED: Readonly<Record<string, readonly [all: string, leader?: string, worker?: string]>> = {
  'vllm: tensor on one node': ['--tensor-parallel-size=8 --pipeline-parallel-size=1'],
  'vllm: tensor and pipeline on one node': ['--tensor-parallel-size=4 --pipeline-parallel-size=2'],
  'vllm: experts on one node': ['--tensor-parallel-size=8 --pipeline-parallel-size=1 --enable-expert-parallel'],
  'vllm: copies on one node': ['--tensor-parallel-size=2 --pipeline-parallel-size=1 --data-parallel-size=4'],
  'vllm: copies in stages on one node': ['--tensor-parallel-size=2 --pipeline-parallel-size=2 --data-parallel-size=2'],
  'vllm: copies that share experts on one node': [
    '--tensor-parallel-size=1 --pipeline-parallel-size=1 --data-parallel-size=8 --enable-expert-parallel',
  ],
  'vllm: tensor over nodes': [
    '--tensor-parallel-size=16 --pipeline-parallel-size=1 --distributed-executor-backend=mp --nnodes=2',
    '--node-rank=0 --master-addr=$(VLLM_HOST_IP) --master-port=29501',
    '--node-rank=$(LWS_WORKER_INDEX) --master-addr=$(LWS_LEADER_ADDRESS) --master-port=29501 --headless',
  ],
  'vllm: experts over copies of two nodes each': [
    '--tensor-parallel-size=16 --pipeline-parallel-size=1 --data-parallel-size=2 --enable-expert-parallel --distributed-executor-backend=mp --nnodes=4',
    '--node-rank=0 --master-addr=$(VLLM_HOST_IP) --master-port=29501 --data-parallel-rpc-port=29550',
    '--node-rank=$(LWS_WORKER_INDEX) --master-addr=$(LWS_LEADER_ADDRESS) --master-port=29501 --data-parallel-rpc-port=29550 --headless',
  ],
  'vllm: nodes without GPUs': [
    '--tensor-parallel-size=1 --pipeline-parallel-size=2 --distributed-executor-backend=mp --nnodes=2',
    '--node-rank=0 --master-addr=$(VLLM_HOST_IP) --master-port=29501',
    '--node-rank=$(LWS_WORKER_INDEX) --master-addr=$(LWS_LEADER_ADDRESS) --master-port=29501 --headless',
  ],
  'sglang: tensor and pipeline on one node': ['--tp-size=4 --pp-size=2'],
  'sglang: experts on one node': ['--tp-size=8 --pp-size=1 --ep-size=8'],
  'sglang: copies on one node': ['--tp-size=2 --pp-size=1 --dp-size=4'],
  'sglang: copies that share experts on one node': [
    '--tp-size=8 --pp-size=1 --dp-size=8 --enable-dp-attention --ep-size=8',
  ],
  'sglang: a stage for each node': [
    '--tp-size=8 --pp-size=2 --nnodes=2',
    '--node-rank=0 --dist-init-addr=$(SGLANG_HOST_IP):20000',
    '--node-rank=$(LWS_WORKER_INDEX) --dist-init-addr=$(LWS_LEADER_ADDRESS):20000',
  ],
  'sglang: copies on two nodes': [
    '--tp-size=16 --pp-size=1 --dp-size=4 --enable-dp-attention --nnodes=2',
    '--node-rank=0 --dist-init-addr=$(SGLANG_HOST_IP):20000',
    '--node-rank=$(LWS_WORKER_INDEX) --dist-init-addr=$(LWS_LEADER_ADDRESS):20000',
  ],
  'sglang: experts over all copies of four nodes': [
    '--tp-size=32 --pp-size=1 --dp-size=32 --enable-dp-attention --ep-size=32 --nnodes=4',
    '--node-rank=0 --dist-init-addr=$(SGLANG_HOST_IP):20000',
    '--node-rank=$(LWS_WORKER_INDEX) --dist-init-addr=$(LWS_LEADER_ADDRESS):20000',
  ],
};

const splitOf = (title: string): Split => {
  const split = SPLITS.find((each) => each.title === title);
  if (!split) throw new Error(`there is no split "${title}"`);
  return split;
};

describe('how a model is split reaches the engine', () => {
  test.each(Object.entries(EXPECTED))('%s', (title, [all, leader, worker]) => {
    if (leader === undefined) expect(argsOf(splitOf(title))).toBe(all);
    else {
      expect(argsOf(splitOf(title), 'leader')).toBe(`${all} ${leader}`);
      expect(argsOf(splitOf(title), 'worker')).toBe(`${all} ${worker}`);
    }
  });

  test('SGLang gets an address of IPv6 in brackets', () => {
    const split = splitOf('sglang: tensor over nodes');
    const spec = { ...specOfSplit(split), engine: { type: 'sglang', ipFamily: 'IPv6' } } as const;
    const { args } = commandOf('llama', parsed(spec), '/models/weights', 'leader');
    expect(args).toContain('--dist-init-addr=[$(SGLANG_HOST_IP)]:20000');
  });

  test('nothing is said of nodes and copies where there is one of each', () => {
    expect(argsOf(splitOf('vllm: tensor on one node'))).not.toMatch(/nnodes|data|expert/);
    expect(argsOf(splitOf('sglang: tensor on one node'))).not.toMatch(/nnodes|dp|ep-size/);
  });
});

describe('what else depends on the split', () => {
  test('the API servers of vLLM wait for copies as long as a server may take to start', () => {
    const waits = (data: number): string | undefined =>
      serverOf({ ...shared, resources: { gpu: 4 }, parallelism: { tensor: 4 / data, data } }).env?.find(
        ({ name }) => name === 'VLLM_ENGINE_READY_TIMEOUT_S',
      )?.value;
    expect(waits(1)).toBeUndefined();
    expect(Number(waits(4))).toBeGreaterThan(3_600);
  });

  test('SGLang waits for the whole time where other pods have copies, whose requests its leader does not count', () => {
    const hook = (title: string): unknown => lifecycleOf(parsed(specOfSplit(splitOf(title))))?.preStop;
    expect(hook('sglang: copies on two nodes')).toEqual({ sleep: { seconds: 120 } });
    for (const title of ['sglang: copies on one node', 'sglang: tensor over nodes', 'vllm: copies on two nodes'])
      expect(hook(title)).toHaveProperty('exec');
  });
});
