/** What an address says beside where to go. */
export interface Arrival {
  /** The token that the server asks for; undefined where the address has none. */
  readonly token: string | undefined;
  /** The fragment without it. */
  readonly fragment: string;
}

/**
 * Takes the token out of a fragment, so that it stays neither in the address bar nor in the history: `#token=TOKEN`, or
 * behind a route, `#/ml/ModelServing/llama?token=TOKEN`.
 */
export function arrivalOf(fragment: string): Arrival {
  const text = fragment.replace(/^#/, '');
  const isRoute = text.startsWith('/');
  const [path = ''] = isRoute ? text.split('?', 1) : [''];
  const values = new URLSearchParams(isRoute ? text.slice(path.length + 1) : text);
  const token = values.get('token') ?? undefined;
  values.delete('token');
  const query = values.size === 0 ? '' : `?${values}`;
  return { token, fragment: isRoute ? `#${path}${query}` : '' };
}
