import type { ResourceRequirements } from '../objects/index.ts';
import { canonicalQuantity, compareQuantities, parseQuantity } from '../values/index.ts';
import type { WeightsInput } from './input.ts';

/** Which pod a container is in: one of a fetch Job, or the server's own, where it runs before the server. */
export type Where = 'job' | 'server';

/**
 * What a fetch needs at most, and what it asks for. Its hashing takes a core at about 10 Gbit/s; its memory does not grow
 * with the model, and of the node's disk it takes next to nothing.
 */
const NEEDS = {
  cpu: { request: '500m', limit: '4' },
  memory: { request: '256Mi', limit: '1Gi' },
  'ephemeral-storage': { request: '64Mi', limit: '1Gi' },
} as const;

type Name = keyof typeof NEEDS;
const NAMES = Object.keys(NEEDS) as readonly Name[];

type Amount = string | number;

/** What is asked for of one resource, and limited; absent where nothing is explicit. */
interface Share {
  readonly request?: Amount | undefined;
  readonly limit?: Amount | undefined;
}

/**
 * The resources of a container that fetches or waits. A namespace's LimitRange and quota that let the server in let it in as
 * well: it says nothing of a resource that the server says nothing of, since the namespace's defaults are then the server's
 * too.
 *
 * In the server's own pod it has what the server has, which costs nothing: the node reckons with the larger of the two. In a
 * Job it has as little as it needs, never more than the server, and is not further from its limit than the server is
 * (maxLimitRequestRatio). What `fetcher.resources` says stands above that.
 */
export function fetcherResources({ spec, server }: WeightsInput, where: Where): ResourceRequirements {
  const shares = NAMES.map((name) => {
    const limit = server?.resources.limits?.[name];
    // The API server takes a limit for the request where there is none.
    const of: Share = { request: server?.resources.requests?.[name] ?? limit, limit };
    const explicit = name === 'ephemeral-storage' ? undefined : spec.fetcher?.resources?.[name];
    if (explicit !== undefined) return [name, explicitShare(name, explicit, of)] as const;
    return [name, where === 'server' ? of : smallShare(name, of)] as const;
  });
  return {
    ...amountsOf('requests', shares, ({ request }) => request),
    ...amountsOf('limits', shares, ({ limit }) => limit),
  };
}

/** What a Job's container gets. */
function smallShare(name: Name, of: Share): Share {
  if (of.request === undefined) return {};
  const least = lesser(NEEDS[name].request, of.request);
  if (of.limit === undefined) return { request: least };
  const limit = lesser(NEEDS[name].limit, of.limit);
  // The limit is what the work needs, so it is the request that is brought nearer.
  const near = greater(least, scaled(name, limit, of.request, of.limit, 'up'));
  return { request: lesser(near, limit), limit };
}

/** What the user asks for: memory is limited to it, CPU where that of the server is. */
function explicitShare(name: Name, request: Amount, of: Share): Share {
  if (name === 'memory') return { request, limit: request };
  if (of.limit === undefined || of.request === undefined) return { request };
  const limit = lesser(lesser(NEEDS[name].limit, of.limit), scaled(name, request, of.limit, of.request, 'down'));
  return { request, limit: greater(request, limit) };
}

/** An amount times one amount through another, in whole units of what the API server keeps. */
function scaled(name: Name, amount: Amount, by: Amount, through: Amount, round: 'up' | 'down'): Amount {
  if (nanos(through) === 0n || nanos(by) === nanos(through)) return amount;
  const unit = name === 'cpu' ? 1_000_000n : 1_000_000_000n;
  const divisor = nanos(through) * unit;
  const whole = (nanos(amount) * nanos(by) + (round === 'up' ? divisor - 1n : 0n)) / divisor;
  return name === 'cpu' ? `${whole}m` : `${whole}`;
}

const lesser = (one: Amount, other: Amount): Amount => (compare(other, one) < 0 ? other : one);
const greater = (one: Amount, other: Amount): Amount => (compare(other, one) > 0 ? other : one);
const compare = (one: Amount, other: Amount): number => compareQuantities(quantity(one), quantity(other));
const nanos = (amount: Amount): bigint => quantity(amount).nanos;

function quantity(amount: Amount) {
  const parsed = parseQuantity(String(amount));
  if (parsed === undefined) throw new Error(`${JSON.stringify(amount)} is no amount in Kubernetes' notation`);
  return parsed;
}

function amountsOf(
  field: keyof ResourceRequirements,
  shares: readonly (readonly [Name, Share])[],
  of: (share: Share) => Amount | undefined,
): ResourceRequirements {
  const amounts = shares.flatMap(([name, share]) => {
    const amount = of(share);
    return amount === undefined ? [] : [[name, canonicalQuantity(amount)]];
  });
  return amounts.length === 0 ? {} : { [field]: Object.fromEntries(amounts) as Readonly<Record<string, string>> };
}
