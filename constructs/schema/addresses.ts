/** Whether a text is an IP address as Kubernetes' CEL function `isIP` takes it: no zone, no IPv4 inside IPv6. */
export const isIP = (text: string): boolean => isIPv4(text) || isIPv6(text);

/** Whether a text is a range of IP addresses as Kubernetes' CEL function `isCIDR` takes it. */
export function isCIDR(text: string): boolean {
  const [address = '', length = '', ...more] = text.split('/');
  if (more.length > 0 || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return false;
  return (isIPv4(address) && Number(length) <= 32) || (isIPv6(address) && Number(length) <= 128);
}

const isIPv4 = (text: string): boolean => {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
};

const isIPv6 = (text: string): boolean => {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const complete = halves.length === 2 ? groups.length <= 7 : groups.length === 8;
  return complete && groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group));
};
