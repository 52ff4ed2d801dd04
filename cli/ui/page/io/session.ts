import { arrivalOf } from '../model/token.ts';

const TOKEN = 'token';
const CHANNEL = 'trunnion-ui';

/** So long another tab has to answer, in milliseconds. */
const PATIENCE = 300;

/** What tabs say to each other: only those of the same address hear it. */
type Word = { readonly asks: true } | { readonly token: string };

/**
 * The token of the address, which it leaves there no longer. Else that of before, so that the page can be loaded again; else
 * that of another tab, so that a link can be opened in a new one.
 */
export async function takeToken(): Promise<string | undefined> {
  const { token, fragment } = arrivalOf(location.hash);
  if (token !== undefined) {
    sessionStorage.setItem(TOKEN, token);
    history.replaceState(null, '', `${location.pathname}${fragment}`);
  }
  const channel = new BroadcastChannel(CHANNEL);
  const known = sessionStorage.getItem(TOKEN) ?? (await tokenOfOthers(channel));
  if (known === undefined) return undefined;
  sessionStorage.setItem(TOKEN, known);
  channel.addEventListener('message', ({ data }: MessageEvent<Word>) => {
    if ('asks' in data) channel.postMessage({ token: known });
  });
  return known;
}

/** Another address of the same server in the address bar may have its next token: then all begins again. */
export function reloadOnToken(): void {
  addEventListener('hashchange', () => {
    if (arrivalOf(location.hash).token !== undefined) location.reload();
  });
}

function tokenOfOthers(channel: BroadcastChannel): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  setTimeout(() => resolve(undefined), PATIENCE);
  channel.addEventListener('message', ({ data }: MessageEvent<Word>) => {
    if ('token' in data) resolve(data.token);
  });
  channel.postMessage({ asks: true });
  return promise;
}
