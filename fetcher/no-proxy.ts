import { BlockList, isIP } from 'node:net';

/**
 * Whether NO_PROXY exempts a host, in all forms that curl and Go know: a domain, which stands for those below it, with or
 * without a dot or `*.` before it; an address; a range of addresses; any of the first three with a port; `*` for all.
 *
 * @param hostname - as a URL has it: in small letters, an IPv6 address in brackets
 */
export function isExempt(noProxy: string, hostname: string, port: number): boolean {
  const address = hostname.replaceAll(/^\[|\]$/g, '');
  return noProxy
    .toLowerCase()
    .split(/[,\s]/)
    .some((entry) => {
      const [, name = entry, onPort] = /^([^:]*|\[[^\]]*\]):(\d{1,5})$/.exec(entry) ?? [];
      if (entry === '' || (onPort !== undefined && Number(onPort) !== port)) return false;
      const plain = name.replaceAll(/^\*?\.|^\[|\]$/g, '');
      return plain === '*' || isAddressIn(address, plain) || address === plain || address.endsWith(`.${plain}`);
    });
}

/** Whether an address is in a range, or is the one address; a name is in none. */
function isAddressIn(address: string, range: string): boolean {
  const [network = '', length = ''] = range.split('/');
  const family = isIP(network);
  const longest = family === 4 ? 32 : 128;
  const bits = range.includes('/') ? Number(length) : longest;
  if (family === 0 || isIP(address) !== family || !/^\d{0,3}$/.test(length) || bits > longest) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, `ipv${family}` as 'ipv4' | 'ipv6');
  return list.check(address, `ipv${family}` as 'ipv4' | 'ipv6');
}
