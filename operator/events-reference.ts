import { figuresOf } from './engine/api/index.ts';
import { code, table } from '../constructs/schema/markdown.ts';
import type { Kind } from './engine/api/index.ts';
import type { ManualEdit, StallReason } from './engine/reconcile/index.ts';
import { phaseEvent } from './engine/reconcile/index.ts';

/** The condition Stalled has the same reason, and says what to do. */
const STALLS: Readonly<Record<StallReason, string>> = {
  ReconcileError: 'The operator failed when it looked at the resource, and tries again.',
  SetAside: 'The resource held up all others three times in a row, so nothing is done for it any more.',
  StatusTooLarge: 'The resource and its status together are larger than the API server takes.',
  StatusRefused: 'The API server refuses the status.',
};

/** The note says which object it is, and how to pause the resource before one works on it. */
const MANUAL_EDITS: Readonly<Record<ManualEdit, string>> = {
  EditReverted:
    'Somebody has changed a field that the operator sets: which, to what, and by which field manager. It is put back.',
  ChildRecreated: 'Somebody has deleted an object of the resource. It is created again.',
};

/** All events that the operator writes on resources of these kinds, as Markdown. */
export const eventsReference = (kinds: readonly Kind[]): string =>
  [
    '# Events',
    'What the operator tells by events, which `kubectl describe` and `kubectl events` show. This page is generated from the phases of the kinds.',
    'An event is written when the phase of a resource changes, with the phase as its reason and the words of the condition that says why as its note; that a new resource is Pending is no news. The same event again within six minutes is counted, not written again. Events are written in the background, and nothing waits for them: where the API server refuses one, it is dropped and counted in `trunnion_events_dropped_total`.',
    ...kinds.flatMap((kind) => [`## ${kind.type.kind}`, eventTable(figuresOf(kind).phases)]),
    '## All kinds',
    table(
      ['reason', 'type', 'what has happened'],
      [
        [
          code('OutdatedCRD'),
          'Warning',
          'The CRD is older than the operator, so that no status can be written. Apply that of its release.',
        ],
        ...Object.entries(STALLS).map(([reason, meaning]) => [code(reason), 'Warning', meaning]),
        ...Object.entries(MANUAL_EDITS).map(([reason, meaning]) => [code(reason), 'Normal', meaning]),
      ],
    ),
    'A resource of an [earlier operator’s kind](../concepts/earlier-operators.md) has the phases of that operator.',
  ]
    .join('\n\n')
    .concat('\n');

const eventTable = (phases: Readonly<Record<string, string>>): string =>
  table(
    ['reason', 'type', 'what has happened'],
    Object.entries(phases).flatMap(([phase, meaning]) => {
      const event = phaseEvent({ phase: '' }, { phase });
      return event === undefined ? [] : [[code(event.reason), event.type, meaning]];
    }),
  );
