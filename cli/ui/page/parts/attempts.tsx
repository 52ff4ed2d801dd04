import { useMemo, useState } from 'preact/hooks';
import type { Attempt } from '../../api.ts';
import type { State } from '../../../status/types.ts';
import { type Bar, timelineOf } from '../model/timeline.ts';
import { Sign } from './sign.tsx';

const STATES: Readonly<Record<Attempt['state'], State>> = {
  running: 'waiting',
  succeeded: 'ok',
  failed: 'failed',
  interrupted: 'leaving',
};

/** Tries of a training, or trials of a search, on a time line. The list says in words what the bars draw. */
export function Attempts({
  attempts,
  now,
  isSearch,
}: {
  readonly attempts: readonly Attempt[];
  readonly now: number;
  readonly isSearch: boolean;
}) {
  const [all, setAll] = useState(false);
  const { bars, ticks, isCompact, hidden } = useMemo(() => timelineOf(attempts, now, all), [attempts, now, all]);
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{isSearch ? 'Trials' : 'Attempts'}</h2>
        {(hidden > 0 || all) && (
          <button type="button" class="quiet" aria-pressed={all} onClick={() => setAll(!all)}>
            Show all {attempts.length}
          </button>
        )}
      </div>
      <ol class="timeline">
        {bars.map((bar, index) => (
          <Row key={index} bar={bar} ticks={ticks} isCompact={isCompact} />
        ))}
        <li class="axis" aria-hidden="true">
          <svg class="bar-line">
            {ticks.map(({ x, words }) => (
              <text key={x} x={`${x}%`} y="12" text-anchor={anchorOf(x)}>
                {words}
              </text>
            ))}
          </svg>
        </li>
      </ol>
    </section>
  );
}

/** What stands at an end of the line stays inside it. */
const anchorOf = (x: number): 'start' | 'middle' | 'end' => {
  if (x < 4) return 'start';
  return x > 96 ? 'end' : 'middle';
};

function Row({
  bar,
  ticks,
  isCompact,
}: {
  readonly bar: Bar;
  readonly ticks: readonly { readonly x: number }[];
  readonly isCompact: boolean;
}) {
  const { label, state, x, width, words, message, isAbove } = bar;
  return (
    <li>
      <span class="label">
        <Sign state={STATES[state]} /> <bdi>{label}</bdi>
      </span>
      <svg class="bar-line" aria-hidden="true">
        {ticks.map((tick) => (
          <line key={tick.x} class="tick" x1={`${tick.x}%`} x2={`${tick.x}%`} y1="0" y2="100%" />
        ))}
        <rect class={`span ${STATES[state]}`} x={`${x}%`} width={`${width}%`} y="5" height="10" rx="2" />
      </svg>
      <span class="words">
        {words}
        {isCompact && message !== '' && (
          <>
            , <bdi>{message}</bdi>
          </>
        )}
      </span>
      {!isCompact && message !== '' && <p class="message">{isAbove ? <em>as above</em> : <bdi>{message}</bdi>}</p>}
    </li>
  );
}
