import { expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { construct } from './support/render.ts';
import { shared } from './support/specs.ts';

const withArgs = (type: string, nodes: number, parallelism: object | undefined, ...args: readonly string[]) =>
  ({
    ...shared,
    engine: { type, args },
    nodes,
    resources: { gpu: 8 },
    ...(parallelism && { parallelism }),
  }) as ModelServingSpecInput;

test.each([
  ['vllm', 2, undefined, '--nnodes=2', '--nnodes'],
  ['vllm', 2, undefined, '-r', '-r'],
  ['vllm', 1, { data: 8 }, '--data_parallel_size_local=4', '--data-parallel-size-local'],
  ['vllm', 1, { tensor: 8, expert: true }, '-ep', '-ep'],
  ['sglang', 2, undefined, '--dist-init-addr=a:1', '--dist-init-addr'],
  ['sglang', 1, { tensor: 8, expert: true }, '--ep-size=4', '--ep-size'],
] as const)('%s on %s nodes, split by %j, refuses %s', (type, nodes, parallelism, argument, name) => {
  expect(() => construct(withArgs(type, nodes, parallelism, '--seed=1', argument))).toThrow(
    `spec.engine.args[1]: must not be ${name}, which follows from nodes, parallelism.data and parallelism.expert`,
  );
});

test('a number of API servers is refused with vllm on several nodes alone', () => {
  const spec = (nodes: number) => withArgs('vllm', nodes, undefined, '--api-server-count', '2');
  expect(() => construct(spec(2))).toThrow('must not be --api-server-count where nodes is above 1');
  expect(() => construct(spec(1))).not.toThrow();
});

test("the arguments are the user's own where the spec splits nothing over copies, experts and nodes", () => {
  expect(() => construct(withArgs('sglang', 1, { tensor: 8 }, '--ep-size=4'))).not.toThrow();
});
