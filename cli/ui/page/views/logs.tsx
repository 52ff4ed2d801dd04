import { useRef, useState } from 'preact/hooks';
import type { Detail } from '../../api.ts';
import { useLogs } from '../io/use-logs.ts';
import { containersOf, type LogChoice, MOST_LINES } from '../model/logs.ts';
import { queryOf, type Reference } from '../model/route.ts';
import { Choice } from '../parts/choice.tsx';
import { LogChunk } from '../parts/log-chunk.tsx';
import { useStickyEnd } from '../parts/use-sticky-end.ts';

/** What the pods print, as they print it. */
export function Logs({ of, pods }: { readonly of: Reference; readonly pods: Detail['pods'] }) {
  const [choice, setChoice] = useState<LogChoice>({ pod: '', container: '' });
  const [run, setRun] = useState(0);
  const [hasTimes, setHasTimes] = useState(false);
  const colours = useRef(new Map<string, number>()).current;
  const { buffer, ending } = useLogs(`/api/logs?${queryWith(of, choice)}`, run);
  const { view, isFollowing, unread, follow, onScroll } = useStickyEnd(buffer.count);
  return (
    <>
      <div class="bar">
        <Choice
          label="Pod"
          all="All pods"
          value={choice.pod}
          values={pods.map(({ name }) => name)}
          onChoose={(pod) => setChoice({ pod, container: '' })}
        />
        <Choice
          label="Container"
          all="All containers"
          value={choice.container}
          values={containersOf(pods, choice.pod)}
          onChoose={(container) => setChoice({ ...choice, container })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={hasTimes}
            onChange={({ currentTarget }) => setHasTimes(currentTarget.checked)}
          />{' '}
          Times
        </label>
        <button type="button" aria-pressed={isFollowing} onClick={() => follow(!isFollowing)}>
          Follow
        </button>
        <p class="summary" role="status">
          {isFollowing || unread === 0 ? '' : `${unread} new ${unread === 1 ? 'line' : 'lines'} below`}
        </p>
      </div>
      <div class="log" ref={view} onScroll={onScroll} role="log" aria-live="off" aria-label="Logs" tabIndex={0}>
        {buffer.dropped > 0 && (
          <p class="log-note">
            Earlier lines are left out: {MOST_LINES} are kept. All of them: <code>trunnion logs {of.name}</code>
          </p>
        )}
        {buffer.chunks.map(({ id, lines }) => (
          <LogChunk key={id} lines={lines} hasTimes={hasTimes} colours={colours} />
        ))}
        {buffer.count === 0 && ending === undefined && <p class="log-note">Nothing is printed yet.</p>}
        {ending !== undefined && (
          <p class="log-note">
            {ending}{' '}
            <button type="button" class="quiet" onClick={() => setRun(run + 1)}>
              Follow again
            </button>
          </p>
        )}
      </div>
    </>
  );
}

const queryWith = (of: Reference, { pod, container }: LogChoice): string => {
  const choice = new URLSearchParams({ ...(pod !== '' && { pod }), ...(container !== '' && { container }) });
  return [queryOf(of), String(choice)].filter(Boolean).join('&');
};
