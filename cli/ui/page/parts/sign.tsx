import type { JSX } from 'preact';
import type { State } from '../../../status/types.ts';

/** A shape for each state: nobody has to tell them apart by colour. */
const SHAPES: Readonly<Record<State, JSX.Element>> = {
  ok: (
    <>
      <circle cx="8" cy="8" r="7" class="fill" />
      <path d="M4.8 8.2l2.2 2.2 4.2-4.6" class="mark" />
    </>
  ),
  waiting: (
    <>
      <circle cx="8" cy="8" r="6" class="ring" />
      <path d="M8 4.6V8l2.3 1.6" class="line" />
    </>
  ),
  failed: (
    <>
      <path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" class="fill" />
      <path d="M8 4.2v4.6M8 11.4v.4" class="mark" />
    </>
  ),
  absent: <circle cx="8" cy="8" r="6" class="dashes" />,
  leaving: (
    <>
      <circle cx="8" cy="8" r="6" class="ring" />
      <path d="M5 8h6" class="line" />
    </>
  ),
};

/** How something does, as a sign. */
export function Sign({ state, words }: { readonly state: State; readonly words?: string }) {
  const meaning = words === undefined ? { 'aria-hidden': true } : { role: 'img' as const, 'aria-label': words };
  return (
    <svg class={`sign ${state}`} viewBox="0 0 16 16" {...meaning}>
      {SHAPES[state]}
    </svg>
  );
}
