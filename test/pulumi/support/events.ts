/** What the engine tells of an operation: its own events, as `--event-log` has them. */

/** How an operation went. */
export interface Outcome extends Reported {
  readonly code: number | null;
  /** All that was printed. */
  readonly text: string;
}

/** What an operation told. */
export interface Reported {
  /** How many resources were created, updated, and so on, by the engine's own count: `{create: 20, same: 1}`. */
  readonly counts: Readonly<Record<string, number>>;
  /** What was done, or in a preview is to be done, resource by resource. */
  readonly steps: readonly Step[];
  /** What was wrong. */
  readonly errors: readonly string[];
}

/** What is done with one resource. */
export interface Step {
  /** `create`, `update`, `replace`, `same`… */
  readonly op: string;
  readonly urn: string;
  /** The last part of the URN: the logical name. */
  readonly name: string;
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

interface Event {
  readonly summaryEvent?: { readonly resourceChanges: Readonly<Record<string, number>> };
  readonly resourcePreEvent?: { readonly metadata: Metadata };
  readonly diagnosticEvent?: { readonly severity: string; readonly message: string };
}

interface Metadata {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly new: { readonly inputs?: Readonly<Record<string, unknown>> } | null;
}

/** @param log - a line of JSON for each event */
export function eventsOf(log: string): Reported {
  const events = log
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Event);
  const counts = events.findLast(({ summaryEvent }) => summaryEvent !== undefined)?.summaryEvent?.resourceChanges ?? {};
  return {
    counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    steps: events.flatMap(({ resourcePreEvent }) => (resourcePreEvent ? [stepOf(resourcePreEvent.metadata)] : [])),
    errors: events.flatMap(({ diagnosticEvent }) =>
      diagnosticEvent?.severity === 'error' ? [plain(diagnosticEvent.message)] : [],
    ),
  };
}

const stepOf = ({ op, urn, type, new: state }: Metadata): Step => ({
  op,
  urn,
  type,
  name: urn.split('::').at(-1) ?? '',
  inputs: state?.inputs ?? {},
});

/** What was done with what, in short: `replace llama-fetch`. */
export const opsOf = (steps: readonly Step[]): readonly string[] => steps.map(({ op, name }) => `${op} ${name}`);

/** A message without the engine's signs for colours, `<{%reset%}>`, and a terminal's. */
// oxlint-disable-next-line no-control-regex
const plain = (message: string): string => message.replaceAll(/<\{%.*?%\}>|\u001B\[[\d;]*m/g, '');
