import { render } from 'preact';
import type { Session } from '../api.ts';
import { Server, troubleOf } from './io/server.ts';
import { reloadOnToken, takeToken } from './io/session.ts';
import { fragmentOf } from './model/route.ts';
import type { Trouble } from './model/polling.ts';
import { App } from './views/app.tsx';

/** Asks whom the page talks to, and shows it. */
async function begin(): Promise<void> {
  const server = new Server(await takeToken());
  let session: Session | undefined;
  let trouble: Trouble | undefined;
  try {
    session = await server.json<Session>('/api/session', new AbortController().signal);
  } catch (error) {
    trouble = troubleOf(error);
  }
  const namespace = session?.namespace ?? '';
  if (location.hash === '') history.replaceState(null, '', fragmentOf({ view: 'resources', namespace, filter: '' }));
  const root = document.querySelector('#page');
  if (root !== null) render(<App server={server} session={session} trouble={trouble} />, root);
}

reloadOnToken();
void begin();
