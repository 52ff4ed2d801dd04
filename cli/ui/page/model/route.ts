/** What can be seen of a resource, each under an address of its own. */
export const TABS = ['status', 'events', 'logs', 'search', 'chat'] as const;

/** One of them. */
export type Tab = (typeof TABS)[number];

/** What names a resource. */
export interface Reference {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** All that is of one kind, of one namespace or, where that is empty, of all of them. */
export interface ListRoute {
  readonly view: 'resources' | 'gpus';
  readonly namespace: string;
  readonly filter: string;
}

/** One resource. */
export interface ResourceRoute extends Reference {
  readonly view: 'resource';
  readonly tab: Tab;
}

/** What is shown: it follows from the fragment of the address, so that the back button works and a link can be sent on. */
export type Route = ListRoute | ResourceRoute;

/** The route of a fragment, such as `#/ml/ModelServing/llama/logs`. What it does not know leads to all resources. */
export function routeOf(fragment: string): Route {
  const [path, query = ''] = splitAt(fragment.replace(/^#/, ''), '?');
  const [first = '', kind = '', name = '', tab = ''] = path.replace(/^\//, '').split('/').map(decoded);
  if (first !== '' && kind !== '' && name !== '')
    return { view: 'resource', namespace: first, kind, name, tab: TABS.find((one) => one === tab) ?? 'status' };
  const values = new URLSearchParams(query);
  return {
    view: first === 'gpus' && kind === '' ? 'gpus' : 'resources',
    namespace: values.get('namespace') ?? '',
    filter: values.get('filter') ?? '',
  };
}

/** The fragment of a route. */
export function fragmentOf(route: Route): string {
  if (route.view === 'resource') {
    const { namespace, kind, name, tab } = route;
    const parts = [namespace, kind, name, ...(tab === 'status' ? [] : [tab])];
    return `#/${parts.map(encodeURIComponent).join('/')}`;
  }
  const { view, namespace, filter } = route;
  const values = new URLSearchParams({ ...(namespace !== '' && { namespace }), ...(filter !== '' && { filter }) });
  const query = values.size === 0 ? '' : `?${values}`;
  return `#/${view === 'gpus' ? 'gpus' : ''}${query}`;
}

/** A path of the server, about one namespace; about all of them where it is empty. */
export const pathOf = (path: string, namespace: string): string =>
  namespace === '' ? path : `${path}?${new URLSearchParams({ namespace })}`;

/** What the server asks for to know the resource. */
export const queryOf = ({ kind, namespace, name }: Reference): string =>
  String(new URLSearchParams({ kind, namespace, name }));

/** A name for what belongs to one resource. */
export const keyOf = ({ kind, namespace, name }: Reference): string => `${namespace}/${kind}/${name}`;

function splitAt(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** People edit addresses: what is not an escape stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
