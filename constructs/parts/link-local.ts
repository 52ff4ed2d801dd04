import { isWithin } from './cidr.ts';

/**
 * The ranges where clouds serve a node's credentials to whoever asks: the link-local ones, and the address that AWS has
 * for that in IPv6.
 */
const METADATA_RANGES = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::/32'];

/** A range of a NetworkPolicy, less those ranges where it holds them among others: they must be named to be meant. */
export function withoutMetadata(cidr: string): { readonly cidr: string; readonly except?: readonly string[] } {
  const except = METADATA_RANGES.filter((range) => isWithin(range, cidr) && !isWithin(cidr, range));
  return except.length > 0 ? { cidr, except } : { cidr };
}
