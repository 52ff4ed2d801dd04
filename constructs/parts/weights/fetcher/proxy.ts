import http from 'node:http';
import { EXIT } from '../layout.ts';
import { hasReadableCredentials, parseProxy, PROXY_VARIABLES } from '../proxy.ts';
import { FetchError } from './errors.ts';
import { quoted } from './names.ts';

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
  for (const name of PROXY_VARIABLES) delete env[name];
  const no_proxy = env['no_proxy'] ?? env['NO_PROXY'];
  http.setGlobalProxyFromEnv({ https_proxy, http_proxy, no_proxy });
}

/** What of a value that names no proxy can be no password: the host, or all of it where it has no credentials. */
function shownOf(text: string): string {
  const host = text.slice(text.lastIndexOf('@') + 1).trim();
  if (host.length < text.trim().length && !/^[-\w.:[\]]+\/?$/.test(host)) return '***';
  return host.replace(/:(?!\/\/|\d{1,5}\/?$).*/, ':***');
}
