/** A range of IP addresses. */
interface Range {
  readonly bits: 32 | 128;
  readonly prefix: number;
  readonly value: bigint;
}

/** Whether all addresses of one range are in the other: `10.1.0.0/16` in `10.0.0.0/8`. */
export function isWithin(inner: string, outer: string): boolean {
  const [a, b] = [parse(inner), parse(outer)];
  if (a.bits !== b.bits || a.prefix < b.prefix) return false;
  const shift = BigInt(b.bits - b.prefix);
  return a.value >> shift === b.value >> shift;
}

/**
 * A range as the API server takes it, without bits beyond its length: `10.1.2.3/8` is `10.0.0.0/8`. One that has none is
 * as it was written.
 */
export function masked(cidr: string): string {
  const { bits, prefix, value } = parse(cidr);
  const shift = BigInt(bits - prefix);
  const network = (value >> shift) << shift;
  if (network === value) return cidr;
  return `${bits === 32 ? groupsOf(network, 4, 8).join('.') : groupsOf(network, 8, 16).map(hex).join(':')}/${prefix}`;
}

const groupsOf = (value: bigint, count: number, bits: number): readonly bigint[] =>
  Array.from(
    { length: count },
    (_, index) => (value >> BigInt(bits * (count - 1 - index))) & ((1n << BigInt(bits)) - 1n),
  );

const hex = (group: bigint): string => group.toString(16);

/** A range of IPv4 at the end of one of IPv6 that has room for all of it: `10.0.0.0/8` in `64:ff9b::/96` is `64:ff9b::a00:0/104`. */
export function embedded(ipv4: string, prefix: string): string {
  const { value, prefix: length } = parse(ipv4);
  const address = prefix.slice(0, prefix.indexOf('/'));
  return `${address}${groupsOf(value, 2, 16).map(hex).join(':')}/${96 + length}`;
}

function parse(cidr: string): Range {
  const [address = '', prefix] = cidr.split('/');
  return address.includes(':')
    ? { bits: 128, prefix: Number(prefix), value: ofIPv6(address) }
    : { bits: 32, prefix: Number(prefix), value: ofIPv4(address) };
}

const ofIPv4 = (address: string): bigint => address.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n);

function ofIPv6(address: string): bigint {
  const [front = [], back] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = back === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array.from({ length: zeros }, () => '0'), ...(back ?? [])];
  return groups.reduce((value, group) => value * 65_536n + BigInt(`0x${group}`), 0n);
}
