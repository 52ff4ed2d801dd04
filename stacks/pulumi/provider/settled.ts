/** Arguments as a program of another language sent them: they may be Outputs even where all is known. */
import * as pulumi from '@pulumi/pulumi';

/** Arguments, plain wherever they are known and not secret. */
export interface Settled {
  readonly value: unknown;
  /** The resources that they were made of: plain text no longer tells of them. */
  readonly dependencies: ReadonlySet<pulumi.Resource>;
}

/** What the SDK has on each Output, and its types leave out: @pulumi/pulumi 3.270.0, output.js, OutputImpl. */
interface Inside {
  readonly isKnown: Promise<boolean>;
  readonly promise: (withUnknowns: boolean) => Promise<unknown>;
  readonly allResources: () => Promise<ReadonlySet<pulumi.Resource>>;
}

/**
 * Opens each Output that is known, so that a component may look into it: a program of Python has no way to say which
 * part of a text is plain. What is not known, or secret, stays an Output, at the smallest place that it is said of.
 */
export async function settled(value: unknown): Promise<Settled> {
  const dependencies = new Set<pulumi.Resource>();
  return { value: await opened(value, dependencies), dependencies };
}

async function opened(value: unknown, dependencies: Set<pulumi.Resource>): Promise<unknown> {
  if (pulumi.Output.isInstance(value)) {
    const inside = value as unknown as Inside;
    for (const resource of await inside.allResources()) dependencies.add(resource);
    const found = await inside.promise(true);
    // Nothing at all is known of it.
    if (found === undefined && !(await inside.isKnown)) return value;
    return leaves(found, { output: value, isSecret: await pulumi.isSecret(value), at: [] });
  }
  if (Array.isArray(value)) return Promise.all(value.map((item) => opened(item, dependencies)));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(async ([key, child]) => [key, await opened(child, dependencies)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Where in which Output a value lies. */
interface Whence {
  readonly output: pulumi.Output<unknown>;
  readonly isSecret: boolean;
  readonly at: readonly (string | number)[];
}

function leaves(value: unknown, whence: Whence): unknown {
  if (isUnknown(value)) return part(whence);
  if (Array.isArray(value)) return value.map((item, index) => leaves(item, inside(whence, index)));
  if (isPlainObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, leaves(child, inside(whence, key))]));
  return whence.isSecret && typeof value === 'string' ? pulumi.secret(value) : value;
}

const inside = (whence: Whence, step: string | number): Whence => ({ ...whence, at: [...whence.at, step] });

/** The part of an Output that is not known: `apply` does not run there, and so is as unknown as secret as the whole. */
const part = ({ output, at }: Whence): pulumi.Output<unknown> =>
  at.length === 0 ? output : output.apply((whole) => at.reduce<unknown>((value, step) => Object(value)[step], whole));

/** The field of the SDK's sign for what a preview does not know: @pulumi/pulumi 3.270.0, output.js, Unknown. */
const SIGN_OF_UNKNOWN = '__pulumiUnknown';

const isUnknown = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && SIGN_OF_UNKNOWN in value && value[SIGN_OF_UNKNOWN] === true;

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
