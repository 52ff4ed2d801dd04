type Cause = NonNullable<StatusDetails['causes']>[number];

/** Causes that are kept: an answer may have any number of them. */
export const MOST_CAUSES = 64;

/** A cause whose words are longer than this has a whole object in them, in characters. */
const LONGEST_CAUSE = 512;

/**
 * A Status without the objects that the API server quotes: of a Job's template that can't change it shows all, some 9,000
 * characters of Go, and says only behind them that the field is immutable. All else stays as it is.
 */
export function withoutDumps<Body extends StatusBody>(body: Body): Body {
  const all: unknown = body.details?.causes;
  const causes: readonly unknown[] = Array.isArray(all) ? all.slice(0, MOST_CAUSES) : [];
  if (!causes.some(isDump)) return body;
  const short = causes.map((cause: unknown) =>
    isDump(cause) ? { ...cause, message: withoutDump(cause.message) } : cause,
  );
  return { ...body, message: rebuilt(body.message, short), details: { ...body.details, causes: short } };
}

const isDump = (cause: unknown): cause is Cause & { readonly message: string } => {
  const { message } = ((typeof cause === 'object' ? cause : undefined) ?? {}) as Cause;
  return typeof message === 'string' && withoutDump(message) !== message;
};

/** Where Go's comparison of two objects begins: on a line of its own, with the name of a type. */
const COMPARISON = /\n\s{1,8}[*&]?\w{1,64}\.\w{1,64}[{(]/;

/** "Invalid value: …: field is immutable". */
function withoutDump(message: string): string {
  const comparison = message.search(COMPARISON);
  const words = comparison === -1 ? message : message.slice(0, comparison);
  if (words.length <= LONGEST_CAUSE) return words;
  const end = words.indexOf(': ');
  if (end === -1) return `${words.slice(0, LONGEST_CAUSE)}…`;
  const cause = words.slice(words.lastIndexOf(': ') + 2);
  return `${words.slice(0, Math.min(end, LONGEST_CAUSE))}: …: ${cause}`;
}

/** `Job.batch "fetch" is invalid: spec.template: …`, which is how the API server makes it of the causes. */
function rebuilt(message: unknown, causes: readonly unknown[]): string {
  const [subject = ''] = typeof message === 'string' ? message.split(' is invalid: ', 1) : [];
  const plain = causes.map((cause) => {
    const { field, message } = (cause ?? {}) as Readonly<Record<string, unknown>>;
    return `${wordOf(field)}: ${wordOf(message)}`;
  });
  return `${subject.slice(0, LONGEST_CAUSE)} is invalid: ${plain.join(', ')}`;
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, LONGEST_CAUSE) : '');

/** What a Status of the API server says beyond its message. */
export interface StatusDetails {
  readonly name?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly retryAfterSeconds?: number;
  readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
}

/** A Status of the API server, as far as it is read. */
export interface StatusBody {
  readonly kind?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: StatusDetails;
}
