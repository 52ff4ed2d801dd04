import { describe, expect, it } from 'vitest';
import { MOST_VALUES_FROM } from '../../../constructs/parts/pod/containers.rules.ts';
import { MOST_REFERENCES } from '../../../constructs/parts/objects/status.schema.ts';
import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import type { Query, Answer } from '../../../operator/engine/api/queries.ts';
import { LONGEST_MESSAGE as LONGEST_UNKNOWN, MOST_QUERIES } from '../../../operator/engine/queries/resolver.ts';
import { LIMITS } from '../../../operator/engine/queries/lookups/limits.ts';
import { LONGEST_LINE_BYTES } from '../../../operator/engine/queries/lines.ts';
import { LARGEST_LIST } from '../../../operator/engine/observe/lists.ts';
import { LONGEST_TAIL_LINE_BYTES } from '../../../operator/engine/queries/pod-log.ts';
import { LONGEST_QUOTE } from '../../../operator/engine/queries/report/report.ts';
import { LONGEST_MESSAGE } from '../../../operator/kube/client/errors.ts';
import { LARGEST_OBJECT_BYTES } from '../../../operator/kube/client/transport.ts';
import { START, resourceOf, shared, snapshotOf } from '../kinds/model-serving/support.ts';
import { reconcile } from '../../../operator/kinds/model-serving/reconcile.ts';

const MEBIBYTE = 2 ** 20;

/** What etcd takes of one object: the resource with its spec and its status. */
const LARGEST_STORED = 1.5 * MEBIBYTE;

/** Names of objects and keys of Secrets have at most so many characters. */
const LONGEST_NAME = 253;

/** Children of one resource: a training of 1,000 ranks has a Service for each, or a search 200 trials; and a few more. */
const MOST_CHILDREN = 1_100;

/** Of a child that was rendered, what is kept: names, digests, what it comes after. */
const OUTLINE = 2_048;

/** Replicas that may drain at a time. */
const MOST_PODS = 1_000;

const name = (prefix: string, index: number): string => `${prefix}${index}-`.padEnd(LONGEST_NAME, 'x');

const from = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `${prefix}_${index}`,
    valueFrom: { secretKeyRef: { name: name(prefix, index), key: name('key', index) } },
  }));

/** The spec with the most and longest references. */
const referring: ModelServingSpec = {
  ...shared,
  model: { ...shared.model, credentials: { secretName: name('c', 0) } },
  env: from('a', 64),
  engine: { type: 'vllm', env: from('b', 64) },
  imagePullSecrets: Array.from({ length: 16 }, (_, index) => ({ name: name('pull', index) })),
  podTemplate: {
    spec: {
      containers: [
        { name: 'one', env: from('d', MOST_VALUES_FROM / 2) },
        { name: 'two', env: from('e', MOST_VALUES_FROM / 2) },
      ],
    },
  },
};

const queriesOf = (spec: ModelServingSpec): readonly Query[] =>
  reconcile(snapshotOf({ resource: resourceOf(spec) }), START).queries ?? [];

/** The largest fact that a Secret can be: none of its keys is there. */
const worstOf = (query: Query): Answer =>
  query.type === 'secret' || query.type === 'configMap'
    ? { at: START, type: query.type, exists: true, hash: 'f'.repeat(16), missingKeys: query.keys ?? [] }
    : { at: START, type: 'unknown', message: 'x'.repeat(LONGEST_UNKNOWN) };

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

describe('what the operator holds for one resource', () => {
  const queries = queriesOf(referring);
  const references = queries.reduce((sum, query) => sum + sizeOf(query) + sizeOf(worstOf(query)), 0);
  // Those of the spec that serves, and of the one that is to: see served.
  const parts = {
    resource: LARGEST_STORED,
    unwrittenStatus: LARGEST_STORED,
    references: 2 * references,
    pods: MOST_PODS * (sizeOf({ type: 'podMetrics', names: 'x'.repeat(4 * LONGEST_NAME) }) + LONGEST_UNKNOWN),
    tailOfLog: 5 * LONGEST_TAIL_LINE_BYTES,
    report: 9 * LONGEST_QUOTE,
    list: LARGEST_LIST,
    problems: MOST_CHILDREN * LONGEST_MESSAGE,
    renders: MOST_CHILDREN * OUTLINE,
  };

  it('is at most 16 MiB of text, however it is made', () => {
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeLessThan(16 * MEBIBYTE);
  });

  it('is asked for by no more asks than are answered, and remembered by no more than the status may have', () => {
    const observed = queries.filter(({ type }) => type === 'secret' || type === 'configMap');
    expect(observed.length).toBeGreaterThan(MOST_VALUES_FROM + 128);
    expect(2 * observed.length).toBeLessThanOrEqual(MOST_REFERENCES);
    expect(2 * queries.length + MOST_PODS).toBeLessThanOrEqual(MOST_QUERIES);
  });
});

it('what is in memory for look-ups under way is at most 192 MiB, of however many resources', () => {
  const { objects, logs, metrics } = LIMITS;
  // A text in pieces, as one, and parsed; of what is read as a stream a line twice and what waits to be read, as
  // streamed-answer.ts lets it.
  const streamed = 2 * LONGEST_LINE_BYTES + 2 ** 17;
  const underWay = objects.total * 3 * LARGEST_OBJECT_BYTES + (logs.total + metrics.total) * streamed;
  expect(underWay).toBeLessThan(192 * MEBIBYTE);
});
