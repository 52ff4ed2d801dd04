/** What a request to an API server asks for, in the API's own words. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'apply' | 'patch' | 'update' | 'delete' | 'other';

/** One request, as the rules see it. */
export interface Exchange {
  readonly method: string;
  readonly verb: Verb;
  /** `''` is the core group; undefined outside `/api` and `/apis`. */
  readonly group: string | undefined;
  /** Lower-case plural: `deployments`. */
  readonly resource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Whether an answer of 2xx means that something may have changed on the server. Leases are not counted. */
  readonly write: boolean;
}

/** What is created there is a question, which is answered and not kept. */
const QUESTIONS: ReadonlySet<string | undefined> = new Set(['authentication.k8s.io', 'authorization.k8s.io']);

const MUTATIONS: Readonly<Record<string, Verb>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

function verbOf(method: string, contentType: string, query: URLSearchParams, name: string | undefined): Verb {
  if (method === 'PATCH' && contentType.includes('apply-patch')) return 'apply';
  if (method !== 'GET') return MUTATIONS[method] ?? 'other';
  if (query.get('watch') === 'true' || query.get('watch') === '1') return 'watch';
  return name === undefined ? 'list' : 'get';
}

/** Reads a request line: `/apis/apps/v1/namespaces/a/deployments/b/status` and its like. */
export function parseExchange(method: string, url: string, contentType = ''): Exchange {
  const { pathname: path, searchParams: query } = new URL(url, 'https://server');
  const parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  const core = parts[0] === 'api';
  const known = core || parts[0] === 'apis';
  const rest = known ? parts.slice(core ? 2 : 3) : [];
  // `namespaces/NAME` alone is the Namespace itself; with more behind it, it is the place of what follows.
  const namespace = rest[0] === 'namespaces' && rest.length > 2 ? rest[1] : undefined;
  const [resource, name, subresource] = namespace === undefined ? rest : rest.slice(2);
  const verb = resource === undefined ? 'other' : verbOf(method, contentType, query, name);
  const reads = verb === 'get' || verb === 'list' || verb === 'watch' || verb === 'other';
  const group = known ? (core ? '' : parts[1]) : undefined;
  return {
    method,
    verb,
    group,
    resource,
    namespace,
    name,
    subresource,
    path,
    query,
    write: !reads && resource !== 'leases' && subresource !== 'token' && !QUESTIONS.has(group) && !query.has('dryRun'),
  };
}
