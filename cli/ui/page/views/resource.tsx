import { useContext, useEffect, useRef } from 'preact/hooks';
import type { Detail } from '../../api.ts';
import { Shared } from '../io/shared.ts';
import { useNow } from '../io/use-now.ts';
import { usePoll } from '../io/use-poll.ts';
import { keyOf, queryOf, type Route, type ResourceRoute } from '../model/route.ts';
import { ageWords } from '../model/time.ts';
import { Link } from '../parts/link.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notes, Refused } from '../parts/notes.tsx';
import { Sign } from '../parts/sign.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Chat } from './chat.tsx';
import { Events } from './events.tsx';
import { Logs } from './logs.tsx';
import { Search } from './search.tsx';
import { Status } from './status.tsx';

const AGE_PERIOD = 5_000;

/** One resource. */
export function Resource({ route, back }: { readonly route: ResourceRoute; readonly back: Route }) {
  const { kind, namespace, name, tab } = route;
  const { value: detail, trouble } = usePoll<Detail>(`/api/resource?${queryOf(route)}`);
  const now = useNow(AGE_PERIOD);
  usePhaseAnnouncement(detail, name);
  return (
    <>
      <p class="crumbs">
        <Link to={back}>Resources</Link> / <bdi>{namespace}</bdi> / {kind}
      </p>
      <div class="title">
        <h1 tabIndex={-1}>
          {detail !== undefined && <Sign state={detail.state} />}
          <bdi>{name}</bdi>
        </h1>
        {detail !== undefined && (
          <p class="standing">
            <strong class={detail.state}>{detail.status.phase || 'New'}</strong>
            <span class="kind">
              {kind}, {ageWords(detail.status.createdAt, now)} old
            </span>
          </p>
        )}
      </div>
      <Refused trouble={trouble} />
      {detail === undefined ? (
        <Loading isOver={trouble !== undefined} />
      ) : (
        <>
          {detail.message !== '' && (
            <p class={`cause ${detail.state}`}>
              <bdi>{detail.message}</bdi>
            </p>
          )}
          <Notes notes={detail.status.notes} />
          <Tabs route={route} detail={detail} />
          <div class="part" key={`${keyOf(route)}/${tab}`}>
            {tab === 'status' && <Status detail={detail} now={now} />}
            {tab === 'events' && <Events events={detail.events} now={now} />}
            {tab === 'logs' && <Logs of={route} pods={detail.pods} />}
            {tab === 'search' && <Search of={route} detail={detail} />}
            {tab === 'chat' && <Chat of={route} chat={detail.chat} />}
          </div>
        </>
      )}
    </>
  );
}

function usePhaseAnnouncement(detail: Detail | undefined, name: string): void {
  const { announce } = useContext(Shared);
  const phase = detail?.status.phase;
  const last = useRef(phase);
  useEffect(() => {
    const before = last.current;
    last.current = phase;
    if (before !== undefined && phase !== undefined && before !== phase) announce(`${name} is ${phase || 'new'}.`);
  }, [phase, name, announce]);
}
