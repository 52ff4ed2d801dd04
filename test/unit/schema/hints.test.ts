import { expect, test } from 'vitest';
import { reasonOf } from '../../../constructs/schema/error.ts';
import { hintFor } from '../../../constructs/schema/hints.ts';

const ofType = (expected: string, found: string) => `spec.x in body must be of type ${expected}: "${found}"`;
const ENGINES = 'supported values: "vllm", "sglang", "tgi", "triton"';
const AMOUNT = `must be an amount greater than zero in Kubernetes' notation, for instance "500m", "8" or "64Gi"`;

test.for([
  [ofType('integer', 'string'), '1', 'write 1 without quotes'],
  [ofType('number', 'string'), '0.5', 'write 0.5 without quotes'],
  [ofType('integer', 'string'), 'four', undefined],
  [ofType('boolean', 'string'), 'True', 'write true without quotes'],
  [ofType('boolean', 'string'), 'maybe', undefined],
  [ofType('string', 'integer'), 8, 'write "8", in quotes'],
  [ofType('string', 'boolean'), true, 'write "true", in quotes'],
  [
    ofType('array', 'string'),
    '--max-model-len 4096',
    'write a list, one item for each word: ["--max-model-len", "4096"]',
  ],
  [ENGINES, 'vLLM', 'did you mean "vllm"?'],
  [ENGINES, 'tensorrt', undefined],
  [AMOUNT, '20GB', 'write 20Gi for units of 1024, or 20G for units of 1000'],
  [AMOUNT, '512 kb', undefined],
  [AMOUNT, '64 KiB', 'write 64Ki for units of 1024, or 64k for units of 1000'],
  ['must be left out', 'x', undefined],
] as const)('"%s" of %j is followed by %j', ([message, got, hint]) => {
  expect(hintFor({ message, got })).toBe(hint);
});

test('a hint stands behind what was got', () => {
  expect(reasonOf({ path: 'spec.resources.gpu', message: ofType('integer', 'string'), got: '1' })).toBe(
    'spec.x in body must be of type integer: "string" (got "1"): write 1 without quotes',
  );
});
