import { plainText } from '../../constructs/parts/values/index.ts';
import { isObject, own, type JsonObject, type PlainObject } from '../../constructs/schema/json.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import { DeadlineError, withDeadline } from '../engine/telemetry/index.ts';
import { plainJson } from './plain-json.ts';

/** An object that is not converted; the message says which, from where to where, and why. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

/**
 * Calls a function of a kind, and breaks it off where it takes too long.
 *
 * @param about - what tells the same call again: the function, and the spec that it gets
 */
export type Call = (work: () => unknown, about: { readonly where: string; readonly spec: JsonObject }) => unknown;

/** Longest time of one function, in milliseconds: as a decision of a kind has. */
const DEADLINE_MS = 500;

export const callInTime: Call = (work) => withDeadline(DEADLINE_MS, work);

/** Longest part of a message that is somebody else's words, in characters. */
const LONGEST_WORDS = 500;
const LONGEST_NAME = 253;

type Step = { readonly version: string; readonly direction: 'toStored' | 'fromStored' };

/**
 * The same object in another version: its spec is converted, and all else is kept. An object without a spec has only its
 * `apiVersion` changed: the API server converts such objects while it merges what is applied.
 *
 * @param desired - `acme.dev/v1`
 * @throws ConversionError
 */
export function convertObject(
  object: unknown,
  desired: string,
  kinds: readonly KindSchema[],
  call: Call = callInTime,
): PlainObject {
  if (!isObject(object)) throw new ConversionError('an object to convert must be a JSON object');
  const resource: PlainObject = object;
  const from = textOf(resource['apiVersion']);
  const fail = (why: string): never => {
    throw new ConversionError(
      `${nameOf(resource)} can't be converted from ${shown(from)} to ${shown(desired)}: ${why}`,
    );
  };
  const kind = kinds.find((each) => each.group === groupOf(desired) && each.kind === resource['kind']);
  if (kind === undefined) return fail(`this operator converts ${kinds.map(typeOf).join(', ') || 'no kind'}`);
  if (groupOf(from) !== kind.group) return fail(`resources of ${kind.kind} are of the group ${kind.group}`);
  const names = [kind.version, ...kind.versions.map(({ name }) => name)];
  for (const apiVersion of [from, desired]) {
    if (!names.includes(versionOf(apiVersion))) return fail(`the versions of ${kind.kind} are ${names.join(', ')}`);
  }
  const spec = own(resource, 'spec');
  // The API server refuses an answer without metadata.
  const moved = { ...resource, metadata: resource['metadata'] ?? {}, apiVersion: desired };
  if (from === desired || spec === undefined || spec === null) return moved;
  if (!isObject(spec)) return fail('spec must be an object');
  try {
    const converted = stepsOf(kind, versionOf(from), versionOf(desired)).reduce(
      (value, step) => convertSpec(kind, value, step, call),
      plainJson(spec, 'spec') as JsonObject,
    );
    return { ...moved, spec: converted };
  } catch (error) {
    return fail(messageOf(error));
  }
}

/** Always by the stored version: there is one function each way. */
function stepsOf(kind: KindSchema, from: string, to: string): readonly Step[] {
  return [
    ...(from === kind.version ? [] : [{ version: from, direction: 'toStored' } as const]),
    ...(to === kind.version ? [] : [{ version: to, direction: 'fromStored' } as const]),
  ];
}

function convertSpec(kind: KindSchema, spec: JsonObject, { version, direction }: Step, call: Call): JsonObject {
  const of = kind.versions.find(({ name }) => name === version);
  if (of?.[direction] === undefined) return spec;
  const where = `${direction} of ${version}`;
  const answer = answerOf(where, () => call(() => of[direction]?.(spec), { where: `${typeOf(kind)}: ${where}`, spec }));
  if (isThenable(answer)) {
    // Nobody waits for it; a rejection would end the operator.
    Promise.resolve(answer).catch(() => undefined);
    throw new ConversionError(`${where} is asynchronous, and must give its answer at once`);
  }
  if (!isObject(answer)) throw new ConversionError(`${where} must return a spec, which is an object`);
  const converted = answerOf(where, () => plainJson(answer, 'spec'));
  return converted as JsonObject;
}

function answerOf<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new ConversionError(`${where} failed: ${messageOf(error)}`);
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  isObject(value) && typeof (value as { then?: unknown }).then === 'function';

/** What was thrown may be anything, and may throw when it is read. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof ConversionError || error instanceof DeadlineError) return error.message;
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return plainText(text, { max: LONGEST_WORDS });
  } catch {
    return 'it threw something that has no text';
  }
}

/** `WebApp shop/front` */
export function nameOf(object: PlainObject): string {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const [namespace, name] = [own(metadata, 'namespace'), own(metadata, 'name')].map(textOf);
  return [
    shown(textOf(object['kind'])),
    [namespace, name]
      .filter(Boolean)
      .map((part = '') => shown(part))
      .join('/'),
  ]
    .filter(Boolean)
    .join(' ');
}

const typeOf = ({ kind, group }: KindSchema): string => `${kind} of ${group}`;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const shown = (text: string): string => plainText(text, { max: LONGEST_NAME }) || '(nothing)';
const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(apiVersion.indexOf('/'), 0));
const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);
