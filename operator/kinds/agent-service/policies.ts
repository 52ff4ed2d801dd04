import { isDeepStrictEqual } from 'node:util';
import type { NetworkPolicyEgressRule } from '../../../constructs/parts/objects/index.ts';
import { isWithin } from '../../../constructs/parts/values/index.ts';
import type { LabelSelector } from '../../engine/api/index.ts';

/** A NetworkPolicy, as far as it concerns what pods may reach. */
export interface Policy {
  readonly name: string;
  readonly podSelector: LabelSelector;
  readonly policyTypes: readonly string[];
  readonly egress: readonly NetworkPolicyEgressRule[];
}

type Peer = NonNullable<NetworkPolicyEgressRule['to']>[number];
type Port = NonNullable<NetworkPolicyEgressRule['ports']>[number];

/** One way out: absent parts stand for anybody, and for any port. */
interface Way {
  readonly peer?: Peer;
  readonly port?: Port;
}

/** How much may still be compared in one look at policies, which anybody of the namespace may make as large as they like. */
export interface Comparisons {
  left: number;
}

/** Enough for some 200 policies of usual size; it takes some 50 ms at the most. */
export const MOST_COMPARISONS = 20_000;

/**
 * The first way out that a policy opens and that is not declared. Policies add up: what any of them allows is allowed,
 * whatever others say.
 */
export function wideningOf(
  policy: Policy,
  declared: readonly NetworkPolicyEgressRule[],
  comparisons: Comparisons = { left: MOST_COMPARISONS },
): string | undefined {
  if (!policy.policyTypes.includes('Egress')) return undefined;
  const known = declared.flatMap((rule) => [...waysOf(rule)]);
  for (const rule of policy.egress) {
    for (const way of waysOf(rule)) {
      comparisons.left -= known.length * (1 + (way.peer?.ipBlock?.except?.length ?? 0));
      if (comparisons.left < 0) return 'more ways than are compared';
      if (!known.some((other) => covers(other, way))) return describe(way);
    }
  }
  return undefined;
}

/** One by one: there are as many as peers times ports. */
function* waysOf({ to = [], ports = [] }: NetworkPolicyEgressRule): Generator<Way, void, undefined> {
  const peers: readonly Pick<Way, 'peer'>[] = to.length === 0 ? [{}] : to.map((peer) => ({ peer }));
  const doors: readonly Pick<Way, 'port'>[] = ports.length === 0 ? [{}] : ports.map((port) => ({ port }));
  for (const peer of peers) for (const door of doors) yield { ...peer, ...door };
}

const covers = (outer: Way, inner: Way): boolean =>
  (outer.peer === undefined || (inner.peer !== undefined && coversPeer(outer.peer, inner.peer))) &&
  (outer.port === undefined || (inner.port !== undefined && coversPort(outer.port, inner.port)));

function coversPeer(outer: Peer, inner: Peer): boolean {
  if (!outer.ipBlock || !inner.ipBlock) return isDeepStrictEqual(outer, inner) || coversPods(outer, inner);
  const { cidr, except = [] } = inner.ipBlock;
  return (
    isWithin(cidr, outer.ipBlock.cidr) &&
    (outer.ipBlock.except ?? []).every((hole) => !overlaps(hole, cidr) || except.some((other) => isWithin(hole, other)))
  );
}

/** All pods of some namespaces, and some of their pods. */
const coversPods = (outer: Peer, inner: Peer): boolean =>
  outer.namespaceSelector !== undefined &&
  outer.podSelector === undefined &&
  isDeepStrictEqual(outer.namespaceSelector, inner.namespaceSelector);

const overlaps = (one: string, other: string): boolean => isWithin(one, other) || isWithin(other, one);

function coversPort(outer: Port, inner: Port): boolean {
  if ((outer.protocol ?? 'TCP') !== (inner.protocol ?? 'TCP')) return false;
  if (outer.port === undefined) return true;
  if (typeof outer.port === 'string' || typeof inner.port === 'string') return outer.port === inner.port;
  if (inner.port === undefined) return false;
  return outer.port <= inner.port && (inner.endPort ?? inner.port) <= (outer.endPort ?? outer.port);
}

/** So much of a selector is told, in characters. */
const LONGEST_PEER = 256;

const describe = ({ peer, port }: Way): string => `${describePeer(peer)} on ${describePort(port)}`;

function describePeer(peer: Peer | undefined): string {
  if (!peer) return 'any address';
  if (peer.ipBlock) return peer.ipBlock.cidr;
  return `pods by ${JSON.stringify(peer).slice(0, LONGEST_PEER)}`;
}

function describePort(port: Port | undefined): string {
  if (port?.port === undefined) return port?.protocol === undefined ? 'any port' : `any ${port.protocol} port`;
  const range = port.endPort === undefined ? '' : `-${port.endPort}`;
  return `${port.protocol ?? 'TCP'} port ${port.port}${range}`;
}
