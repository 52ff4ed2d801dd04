/** Values as they travel between the engine and a provider: JSON, in which some objects and texts are signs. */
import structs, { type Struct } from 'google-protobuf/google/protobuf/struct_pb.js';

/** The properties of a resource. */
export type Properties = Readonly<Record<string, unknown>>;

/** Instead of a value that a preview does not know. */
export const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
/** The key whose value tells what an object stands for. */
const SIGN = '4dabf18193072939515e22adb298388d';
const SECRET = '1b47061264138c4ac30d75fd1eb44270';

/** What the engine sent, secrets marked as such. */
export const received = (struct: Struct | undefined): Properties => struct?.toJavaScript() ?? {};

/** What the engine takes. */
export const sent = (properties: Properties): Struct => structs.Struct.fromJavaScript(properties as {});

/** The same without the marks of secrets. */
export function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (!isObject(value)) return value;
  if (isSecret(value)) return open(value['value']);
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, open(child)]));
}

/**
 * `value` with the marks of secrets wherever `like` has them: of a list, all of it (provider/provider.go, annotateSecrets).
 */
export function closed(value: unknown, like: unknown): unknown {
  if (isObject(like) && isSecret(like)) return value === undefined ? undefined : { ...like, value };
  if (Array.isArray(value) && Array.isArray(like)) return hasSecret(like) ? { [SIGN]: SECRET, value } : value;
  if (!isObject(value) || !isObject(like)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, closed(child, like[key])]));
}

/** Whether a preview does not know all of a value. */
export const hasUnknown = (value: unknown): boolean =>
  value === UNKNOWN || (typeof value === 'object' && value !== null && Object.values(value).some(hasUnknown));

const hasSecret = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ((isObject(value) && isSecret(value)) || Object.values(value).some(hasSecret));

/** Whether a value is an object, and no list. */
export const isObject = (value: unknown): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSecret = (value: Properties): boolean => value[SIGN] === SECRET;
