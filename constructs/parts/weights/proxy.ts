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
const FORM = /^(?:(https?):\/\/)?(?:([^\s/?#]*)@)?(\[[\dA-Fa-f:.]+\]|[^\s/?#@:[\]]+)(?::(\d{1,5}))?\/?$/i;

/** What credentials may have: anything else is percent-encoded. Go refuses the rest (net/url, validUserinfo), curl takes it as it is. */
const CREDENTIALS = /^(?:[-\w.:~!$&'()*+,;=@]|%[\dA-Fa-f]{2})*$/;

/**
 * Reads the value of a variable that names a proxy. Without a scheme it is taken for `http://`, as curl and Go do it, and without
 * a port for that of its scheme.
 *
 * @returns undefined where it is none that speaks HTTP (a SOCKS proxy, an IPv6 address without brackets), or one that programs
 * read in different ways (`50%off` as a password, a host that is a number)
 */
export function parseProxy(text: string): Proxy | undefined {
  const match = FORM.exec(text.trim());
  if (match === null) return undefined;
  const [whole, given = 'http', , host = '', digits] = match;
  const scheme = given.toLowerCase();
  const url = `${scheme}://${whole.slice(match[1] === undefined ? 0 : given.length + 3)}`;
  const port = Number(digits ?? (scheme === 'https' ? 443 : 80));
  const read = hasReadableCredentials(text) && port > 0 ? URL.parse(url) : null;
  // `127.1` and `3128` are addresses to a URL, and names to other programs.
  if (read === null || (!host.startsWith('[') && read.hostname !== host.toLowerCase())) return undefined;
  return { url, port };
}

/** Whether all programs read one user and one password in the value, if it has some. */
export function hasReadableCredentials(text: string): boolean {
  const credentials = FORM.exec(text.trim())?.[2] ?? '';
  if (!CREDENTIALS.test(credentials)) return false;
  try {
    decodeURIComponent(credentials);
    return true;
  } catch {
    // Bytes that are no UTF-8.
    return false;
  }
}
