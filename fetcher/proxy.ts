import http from 'node:http';
import { EXIT, hasReadableCredentials, parseProxy, PROXY_VARIABLES } from '../constructs/parts/weights/index.ts';
import { FetchError } from './errors.ts';
import { quoted } from './names.ts';
import { isExempt } from './no-proxy.ts';

/** How requests leave; undefined where no proxy is named. */
let way: { readonly proxies: object; readonly noProxy: string; readonly exempt: Set<string> } | undefined;

/**
 * Has all requests go through the proxy that the environment names, where it names one. Node.js would do so by itself, but it
 * ends before our first line where it can't read the name.
 *
 * @param env - the process's own; the variables go from it
 * @throws FetchError where a variable names no proxy that speaks HTTP
 */
export function useProxy(env: NodeJS.ProcessEnv): void {
  const problems = new Set<string>();
  const read = (...names: readonly string[]): string | undefined => {
    const name = names.find((each) => env[each]?.trim());
    const text = name === undefined ? undefined : env[name];
    if (text === undefined) return undefined;
    const url = parseProxy(text)?.url;
    if (url === undefined) {
      problems.add(
        hasReadableCredentials(text)
          ? `${name} must name an HTTP proxy, for instance http://proxy.example:3128, not ${quoted(shownOf(text))}`
          : `${name} must have its user and password percent-encoded: % as %25, a backslash as %5C`,
      );
    }
    return url;
  };
  const https_proxy = read('https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY');
  const http_proxy = read('http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY');
  if (problems.size > 0) throw new FetchError([...problems].join('; '), EXIT.usage);
  if (https_proxy === undefined && http_proxy === undefined) return;
  if (typeof http.setGlobalProxyFromEnv !== 'function') {
    throw new FetchError(
      `Node.js ${process.version} can't go through a proxy that a program names: take a fetcher.image with 24.14 or newer`,
      EXIT.usage,
    );
  }
  // What is not said in the call, Node.js reads from there.
  const noProxy = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  for (const name of [...PROXY_VARIABLES, 'no_proxy', 'NO_PROXY']) delete env[name];
  const proxies = { https_proxy, http_proxy };
  http.setGlobalProxyFromEnv({ ...proxies, no_proxy: '' });
  way = { proxies, noProxy, exempt: new Set() };
}

/**
 * Has requests to the host of a URL go past the proxy where NO_PROXY says so: to be called before the first one. Node.js knows
 * only some of the forms of that variable, so it is told each host as it comes.
 *
 * @param isDirect - whether no proxy may see these requests, whatever the variable says
 */
export function takeWay({ protocol, hostname, port }: URL, isDirect: boolean): void {
  const at = Number(port || (protocol === 'https:' ? 443 : 80));
  const host = `${hostname}:${at}`;
  if (!way || way.exempt.has(host) || !(isDirect || isExempt(way.noProxy, hostname, at))) return;
  way.exempt.add(host);
  http.setGlobalProxyFromEnv({ ...way.proxies, no_proxy: [...way.exempt].join(',') });
}

/** What of a value that names no proxy can be no password: the host, or all of it where it has no credentials. */
function shownOf(text: string): string {
  const host = text.slice(text.lastIndexOf('@') + 1).trim();
  if (host.length < text.trim().length && !/^[-\w.:[\]]+\/?$/.test(host)) return '***';
  return host.replace(/:(?!\/\/|\d{1,5}\/?$).*/, ':***');
}
