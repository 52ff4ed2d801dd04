import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import type { Container } from '../../../constructs/parts/objects/kube.ts';
import { compareQuantities, parseQuantity } from '../../../constructs/parts/values/quantity.ts';
import { fetchOf, server } from './support/fetch.ts';
import { podOf } from './support/render.ts';
import { shared, single } from './support/specs.ts';

type Amounts = Readonly<Record<string, string>>;
type Field = 'min' | 'max' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio';
type Range = Readonly<Partial<Record<Field, Amounts>>>;

const nanos = (amount: string): bigint => parseQuantity(amount)!.nanos;
const isMore = (one: string, other: string): boolean =>
  compareQuantities(parseQuantity(one)!, parseQuantity(other)!) > 0;

/**
 * Whether a LimitRange of the type Container lets resources in: kubernetes 1.36, plugin/pkg/admission/limitranger/admission.go,
 * with the defaults of pkg/apis/core/v1/defaults.go and the validation that a request is at most its limit.
 */
function lets(range: Range, { resources = {} }: Pick<Container, 'resources'>): boolean {
  const most = { ...range.max, ...range.default };
  const least = { ...range.min, ...most, ...range.defaultRequest };
  const limits: Amounts = { ...most, ...(resources.limits as Amounts) };
  const requests: Amounts = { ...least, ...(resources.limits as Amounts), ...(resources.requests as Amounts) };
  const all = (of: Amounts | undefined, holds: (amount: string, name: string) => boolean): boolean =>
    Object.entries(of ?? {}).every(([name, amount]) => holds(amount, name));
  return (
    all(requests, (request, name) => limits[name] === undefined || !isMore(request, limits[name])) &&
    all(range.min, (min, name) => requests[name] !== undefined && !isMore(min, requests[name])) &&
    all(range.max, (max, name) => limits[name] !== undefined && !isMore(limits[name], max)) &&
    all(range.maxLimitRequestRatio, (ratio, name) => {
      const [request, limit] = [requests[name], limits[name]];
      if (request === undefined || limit === undefined || nanos(request) === 0n) return false;
      return nanos(limit) * 1_000_000_000n <= nanos(request) * nanos(ratio);
    })
  );
}

const cpus = fc.constantFrom('100m', '250m', '500m', '1', '1500m', '3', '4', '7', '16');
const memory = fc.constantFrom('64Mi', '256Mi', '300M', '1Gi', '1500Mi', '8Gi', '64Gi');
const amounts = fc.record(
  { cpu: cpus, memory, 'ephemeral-storage': memory },
  { requiredKeys: [], noNullPrototype: true },
);
const ratios = fc.record(
  { cpu: fc.constantFrom('1', '1500m', '2', '8'), memory: fc.constantFrom('1', '2', '10') },
  { requiredKeys: [], noNullPrototype: true },
);
const resources = fc.record({ requests: amounts, limits: amounts }, { requiredKeys: [], noNullPrototype: true });
const rangeOf = (fields: readonly Field[]) =>
  fc.record(Object.fromEntries(fields.map((field) => [field, field === 'maxLimitRequestRatio' ? ratios : amounts])), {
    requiredKeys: [],
    noNullPrototype: true,
  }) as fc.Arbitrary<Range>;

const specWith = (base: ModelServingSpecInput, of: Container['resources']): ModelServingSpecInput => ({
  ...base,
  resources: { gpu: 0 },
  podTemplate: server({ resources: of }),
});

describe('a LimitRange that lets the server in lets in', () => {
  const FIELDS: readonly Field[] = ['max', 'default', 'defaultRequest'];

  test.each([
    ['the container that waits beside it', shared, 'wait'],
    ['the container that fetches beside it', single, 'fetch'],
  ])('%s, whatever it says', (_, base, name) => {
    fc.assert(
      fc.property(resources, rangeOf([...FIELDS, 'min', 'maxLimitRequestRatio']), (of, range) => {
        const { containers, initContainers } = podOf(specWith(base, of));
        const found = initContainers?.find((each) => each.name === name);
        return !lets(range, containers[0]!) || lets(range, found!);
      }),
      { numRuns: 300 },
    );
  });

  test("a Job's container: largest amounts and defaults", () => {
    fc.assert(
      fc.property(resources, rangeOf(FIELDS), (of, range) => {
        const spec = specWith(shared, of);
        return !lets(range, podOf(spec).containers[0]!) || lets(range, fetchOf(spec));
      }),
      { numRuns: 300 },
    );
  });

  test("a Job's container: a ratio, where the server has a limit of its own or says nothing", () => {
    const own = resources.filter(({ requests = {}, limits = {} }) =>
      Object.keys(requests).every((name) => name in limits),
    );
    fc.assert(
      fc.property(own, rangeOf([...FIELDS, 'maxLimitRequestRatio']), (of, range) => {
        const spec = specWith(shared, of);
        return !lets(range, podOf(spec).containers[0]!) || lets(range, fetchOf(spec));
      }),
      { numRuns: 300 },
    );
  });
});

test("a Job's container never asks for more than its server, nor has a higher limit", () => {
  fc.assert(
    fc.property(resources, (of) => {
      const spec = specWith(shared, of);
      const [ofServer, ofFetch] = [podOf(spec).containers[0]!, fetchOf(spec)].map(
        ({ resources: { requests = {}, limits = {} } = {} }) => ({
          requests: requests as Amounts,
          limits: limits as Amounts,
        }),
      ) as [{ requests: Amounts; limits: Amounts }, { requests: Amounts; limits: Amounts }];
      const asked: Amounts = { ...ofServer.limits, ...ofServer.requests };
      const within = (amount: Amounts = {}, most: Amounts = {}) =>
        Object.entries(amount).every(([name, value]) => most[name] !== undefined && !isMore(value, most[name]));
      return within(ofFetch.requests, asked) && within(ofFetch.limits, ofServer.limits);
    }),
  );
});

test('in the pod of a server with GPUs, no container asks for one beside it', () => {
  const spec = { ...single, resources: { gpu: 2, cpu: 8, memory: '64Gi' } };
  expect(podOf(spec).initContainers?.[0]?.resources).toEqual({
    requests: { cpu: '8', memory: '64Gi' },
    limits: { memory: '64Gi' },
  });
});
