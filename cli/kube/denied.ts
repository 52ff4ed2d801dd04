/** Something that the API server does not let the caller do. */
export interface Denied {
  /** Who the caller is to the API server. */
  readonly user: string;
  readonly verb: string;
  /** Its plural, with a subresource: `pods/log`. */
  readonly resource: string;
  /**
   * Where it was asked.
   *
   * @default - in all namespaces, or of the cluster
   */
  readonly namespace?: string;
}

/** How an API server says that its authorizer refuses: 1.36, apiserver/pkg/endpoints/handlers/responsewriters/errors.go. */
const OF_A_RESOURCE =
  /User "([^"]*)" cannot (\w+) resource "([^"]*)" in API group "[^"]*"(?: in the namespace "([^"]*)")?/;
const OF_A_PATH = /User "([^"]*)" cannot (\w+) path "([^"]*)"/;

/**
 * What was denied, where an error is an authorizer's refusal. A quota, a policy and a webhook answer 403 as well, and say
 * something else. The error is known by its name, so that a command that asks no cluster loads no client.
 */
export function deniedIn(error: unknown): Denied | undefined {
  if (!(error instanceof Error) || error.name !== 'ApiError' || (error as { status?: unknown }).status !== 403) {
    return undefined;
  }
  const [, user = '', verb = '', resource = '', namespace] =
    OF_A_RESOURCE.exec(error.message) ?? OF_A_PATH.exec(error.message) ?? [];
  if (verb === '') return undefined;
  return { user, verb, resource, ...(namespace !== undefined && { namespace }) };
}

/** What the caller may not do, after `may not`: `list deployments, pods in prod`. */
export function deniedWords(denied: readonly Denied[]): string {
  const places = Map.groupBy(denied, ({ namespace }) => namespace);
  return [...places]
    .map(
      ([namespace, here]) => `${byVerb(here)} ${namespace === undefined ? 'in the whole cluster' : `in ${namespace}`}`,
    )
    .join(', and ');
}

function byVerb(denied: readonly Denied[]): string {
  const verbs = Map.groupBy(denied, ({ verb }) => verb);
  return [...verbs]
    .map(([verb, of]) => `${verb} ${[...new Set(of.map(({ resource }) => resource))].toSorted().join(', ')}`)
    .toSorted()
    .join(', or ');
}

/** What is shown without it. */
export const notShown = (denied: readonly Denied[], lacks = 'not shown'): readonly string[] =>
  denied.length === 0 ? [] : [`You may not ${deniedWords(denied)}: ${lacks}.`];

const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Why nothing can be done, and whom to ask for what. */
export function deniedSentence(denied: readonly Denied[]): string {
  const [first] = denied;
  if (first === undefined) return '';
  const role = denied.every(({ verb }) => READS.has(verb)) ? 'view' : 'edit';
  const advice =
    first.namespace === undefined
      ? 'Ask an administrator of the cluster for it, or name one namespace with -n'
      : `Ask an administrator of ${first.namespace} for the ClusterRole ${role} there, or for a Role with this`;
  return `you may not ${deniedWords(denied)}: you are "${first.user}". ${advice}`;
}
