import { isIPv4 } from 'node:net';

/** The bytes of an IP address, as certificates have them: 4 or 16. */
export function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = [], tail = []] = withHexTail(address)
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const groups = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

/** An IPv6 address may end in one of IPv4: `::ffff:10.0.0.1`. */
function withHexTail(address: string): string {
  const at = address.lastIndexOf(':') + 1;
  const tail = address.slice(at);
  if (!isIPv4(tail)) return address;
  const hex = Buffer.from(tail.split('.').map(Number)).toString('hex');
  return `${address.slice(0, at)}${hex.slice(0, 4)}:${hex.slice(4)}`;
}
