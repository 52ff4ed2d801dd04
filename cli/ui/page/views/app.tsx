import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Session } from '../../api.ts';
import { focusOn, focusRow, moveInList, openTab } from '../io/focus.ts';
import type { Server } from '../io/server.ts';
import { Shared } from '../io/shared.ts';
import { useKeys, useKeySetting } from '../io/use-keys.ts';
import { useRoute } from '../io/use-route.ts';
import type { Command } from '../model/keys.ts';
import { type Trouble, wordsOf } from '../model/polling.ts';
import { keyOf, type Route, type ListRoute } from '../model/route.ts';
import { Header } from '../parts/header.tsx';
import { KeysHelp } from '../parts/keys-help.tsx';
import { Gpus } from './gpus.tsx';
import { Resource } from './resource.tsx';
import { Resources } from './resources.tsx';

/** The whole page. */
export function App({
  server,
  session,
  trouble: first,
}: {
  readonly server: Server;
  readonly session: Session | undefined;
  /** Why there is no session. */
  readonly trouble: Trouble | undefined;
}) {
  const navigation = useRoute();
  const { route, go } = navigation;
  const [trouble, setTrouble] = useState(first);
  const [words, setWords] = useState('');
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [areKeysOn, setKeysOn] = useKeySetting();
  const list = useLastList(route);
  const namespaces = useRef(new Set([session?.namespace ?? ''].filter(Boolean))).current;
  const shared = useMemo(() => ({ server, report: setTrouble, announce: setWords }), [server]);
  useTitle(route);
  useFocus(route);
  const run = useCallback(
    (command: Command, field: HTMLElement | undefined): boolean => {
      if (typeof command === 'number') return openTab(command);
      if (command === 'next' || command === 'previous') return moveInList(command === 'next' ? 1 : -1);
      if (command === 'filter') return focusOn('#filter');
      if (command === 'help') setHelpOpen(true);
      else if (command === 'resources' || command === 'gpus') go({ ...list, view: command });
      else if (field !== undefined) leave(field);
      else if (route.view === 'resource') go(list);
      else return false;
      return true;
    },
    [go, list, route.view],
  );
  useKeys(areKeysOn, run);
  return (
    <Shared.Provider value={shared}>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          focusOn('main');
        }}
      >
        Skip to the content
      </a>
      <Header route={route} list={list} session={session} onHelp={() => setHelpOpen(true)} />
      {trouble !== undefined && (
        <p class="banner failed page-wide" role="alert">
          {wordsOf(trouble)}
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {route.view === 'resource' && <Resource key={keyOf(route)} route={route} back={list} />}
        {route.view === 'resources' && <Resources route={route} navigation={navigation} namespaces={namespaces} />}
        {route.view === 'gpus' && <Gpus route={route} navigation={navigation} namespaces={namespaces} />}
      </main>
      <p class="unseen" role="status" aria-live="polite">
        {words}
      </p>
      <KeysHelp isOpen={isHelpOpen} isOn={areKeysOn} onClose={() => setHelpOpen(false)} onSwitch={setKeysOn} />
    </Shared.Provider>
  );
}

/** The list that one goes back to, with its filter. */
function useLastList(route: Route): ListRoute {
  const last = useRef<ListRoute>({ view: 'resources', namespace: '', filter: '' });
  if (route.view !== 'resource') last.current = route;
  return last.current;
}

/** Back in a list, the row that was opened has the focus; in a resource, its heading. */
function useFocus(route: Route): void {
  const before = useRef<Route>(route);
  useEffect(() => {
    const last = before.current;
    before.current = route;
    const isSame = placeOf(last) === placeOf(route);
    if (isSame) return;
    scrollTo(0, 0);
    if (!(last.view === 'resource' && focusRow(keyOf(last)))) focusOn('h1');
  }, [route]);
}

const placeOf = (route: Route): string => (route.view === 'resource' ? keyOf(route) : route.view);

function useTitle(route: Route): void {
  const place = route.view === 'resource' ? route.name : { resources: 'Resources', gpus: 'GPUs' }[route.view];
  useEffect(() => {
    document.title = `${place} · Trunnion`;
  }, [place]);
}

/** Out of a field, and where it is a filter, to what it leaves. */
function leave(field: HTMLElement): void {
  field.blur();
  if (field.id === 'filter') moveInList(1);
}
