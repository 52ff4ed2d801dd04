import * as pulumi from '@pulumi/pulumi';
import { vi } from 'vitest';

/** A resource as the SDK asks the engine for it. */
export interface Asked {
  readonly type: string;
  readonly name: string;
  readonly parent: string;
  readonly dependsOn: readonly string[];
  readonly provider: string;
  readonly timeouts: { readonly create?: string; readonly update?: string; readonly delete?: string };
  readonly retained: boolean;
  /** The outputs that the engine keeps as secrets. */
  readonly secretOutputs: readonly string[];
  /** Readable: what is unknown or secret is told by `UNKNOWN` and `secret`. */
  readonly inputs: unknown;
}

/** What a program asked for. */
export interface Deployed<T> {
  readonly result: T;
  /** In the order of their names, the stack left out. */
  readonly resources: readonly Asked[];
  /** What each component says of itself in the end. */
  readonly outputs: readonly unknown[];
  /** What its user is warned of. */
  readonly warnings: readonly string[];
}

/** Instead of a value that a preview does not know. */
export const UNKNOWN = '<unknown>';
/** Instead of a secret. */
export const secret = (value: unknown) => ({ '<secret>': value });

/** A part of what the SDK sends, in the shape of its generated classes. */
interface Request {
  getType(): string;
  getName(): string;
  getParent(): string;
  getDependenciesList(): string[];
  getProvider(): string;
  getCustomtimeouts(): { getCreate(): string; getUpdate(): string; getDelete(): string } | undefined;
  getRetainondelete(): boolean;
  getAdditionalsecretoutputsList(): string[];
  getObject(): { toJavaScript(): unknown };
}
interface OutputsRequest {
  getOutputs(): { toJavaScript(): unknown };
}
type Reply = (...reply: readonly unknown[]) => void;
interface Monitor {
  registerResource(request: Request, reply: Reply): unknown;
  registerResourceOutputs(request: OutputsRequest, reply: Reply): unknown;
}

/** How a program is run. */
export interface DeployOptions {
  /** @default false */
  readonly preview?: boolean;
  /**
   * What the cluster says of custom resources of ours.
   *
   * @default - nothing yet
   */
  readonly status?: object;
  /**
   * The generation of custom resources of ours in the cluster.
   *
   * @default - not told
   */
  readonly generation?: number;
}

/** Runs a program against the SDK's mocks, until it has asked for all that it wants. */
export async function deployed<T>(
  program: () => T | Promise<T>,
  { preview = false, status, generation }: DeployOptions = {},
): Promise<Deployed<T>> {
  await pulumi.runtime.setMocks(
    {
      call: ({ inputs }) => inputs,
      // As in a real preview, what has still to be made has no id.
      newResource: ({ name, type, inputs }) => ({
        id: preview ? undefined : name,
        state: {
          ...inputs,
          ...(status !== undefined &&
            type.includes(':trunnion.dev/') && { status, metadata: { ...inputs.metadata, generation } }),
        },
      }),
    },
    'project',
    'stack',
    preview,
  );
  const monitor = pulumi.runtime.getMonitor() as unknown as Monitor;
  const resources: Asked[] = [];
  const outputs: unknown[] = [];
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, reply) => {
    resources.push(asked(request));
    return register(request, reply);
  };
  monitor.registerResourceOutputs = (request, reply) => {
    outputs.push(readable(request.getOutputs().toJavaScript()));
    reply(null, {});
  };
  const warn = vi.spyOn(pulumi.log, 'warn').mockResolvedValue();
  try {
    const end = await ended(program);
    // What a program that fails has begun is brought to its end too, or it would end in the next one.
    await pulumi.runtime.disconnect(false);
    const result = end();
    const warnings = warn.mock.calls.map(([warning]) => warning);
    return { result, resources: resources.toSorted((a, b) => (a.name < b.name ? -1 : 1)), outputs, warnings };
  } finally {
    warn.mockRestore();
  }
}

/** What a program ended with whose outputs fail after it, which the SDK tells by unhandled rejections alone. */
export async function failures(run: () => Promise<unknown>): Promise<readonly string[]> {
  const found: string[] = [];
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (error: Error) => found.push(error.message));
  try {
    await run();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const each of others) process.on('unhandledRejection', each);
  }
  return [...new Set(found)];
}

/** Runs a program, and gives its result, or throws its error, once that is asked for. */
async function ended<T>(program: () => T | Promise<T>): Promise<() => T> {
  try {
    const result = await program();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

const asked = (request: Request): Asked => {
  const timeouts = request.getCustomtimeouts();
  return {
    type: request.getType(),
    name: request.getName(),
    parent: request.getParent(),
    dependsOn: request.getDependenciesList(),
    provider: request.getProvider(),
    timeouts: timeouts
      ? { create: timeouts.getCreate(), update: timeouts.getUpdate(), delete: timeouts.getDelete() }
      : {},
    retained: request.getRetainondelete(),
    secretOutputs: request.getAdditionalsecretoutputsList(),
    inputs: readable(request.getObject().toJavaScript()),
  };
};

/** Pulumi's own signs on the wire. */
const UNKNOWN_SIGN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
const KIND_OF_VALUE = '4dabf18193072939515e22adb298388d';
const SECRET_SIGN = '1b47061264138c4ac30d75fd1eb44270';

function readable(value: unknown): unknown {
  if (value === UNKNOWN_SIGN) return UNKNOWN;
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  if (fields[KIND_OF_VALUE] === SECRET_SIGN) return secret(readable(fields['value']));
  return Object.fromEntries(Object.entries(fields).map(([key, child]) => [key, readable(child)]));
}

/** A resource of another provider. */
export class Source extends pulumi.CustomResource {
  constructor(name: string) {
    super('test:index:Source', name);
  }
}

/** Text that only another resource knows: unknown in a preview. */
export const later = (value: string): pulumi.Output<string> => new Source(value).id;

/** The manifests that a program asked for, by their logical names. */
export const inputsOf = ({ resources }: Deployed<unknown>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    resources.filter(({ type }) => type.startsWith('kubernetes:')).map(({ name, inputs }) => [name, inputs]),
  );
