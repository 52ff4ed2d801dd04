/** The variables that name a proxy, in the order in which one of a kind counts; some programs know only those in small letters. */
export const PROXY_VARIABLES = [
  'https_proxy',
  'HTTPS_PROXY',
  'http_proxy',
  'HTTP_PROXY',
  'all_proxy',
  'ALL_PROXY',
] as const;

/** A proxy as a variable names it. */
export interface Proxy {
  /** With a scheme, and with the credentials where there are some. */
  readonly url: string;
  readonly port: number;
}

/** Scheme, credentials, host and port. Only the last `@` ends credentials: a password may have more. */
const FORM = /^(?:(https?):\/\/)?(?:[^\s/?#]*@)?(?:\[[\dA-Fa-f:.]+\]|[^\s/?#@:[\]]+)(?::(\d{1,5}))?\/?$/;

/**
 * Reads the value of a variable that names a proxy. Without a scheme it is taken for `http://`, as curl does it, and without a
 * port for that of its scheme.
 *
 * @returns undefined where it is none that speaks HTTP: a SOCKS proxy, an IPv6 address without brackets
 */
export function parseProxy(text: string): Proxy | undefined {
  const match = FORM.exec(text.trim());
  if (match === null) return undefined;
  const [whole, scheme = 'http', port = scheme === 'https' ? '443' : '80'] = match;
  const url = match[1] === undefined ? `http://${whole}` : whole;
  return URL.canParse(url) && Number(port) > 0 ? { url, port: Number(port) } : undefined;
}
