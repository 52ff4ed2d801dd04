import { TRUNNION } from '../../operator/trunnion.ts';
import type { ObservedPod } from '../../operator/engine/api/index.ts';
import { listAll, observePod } from '../../operator/engine/observe/index.ts';
import { allKinds } from '../kinds.ts';
import { ApiError, TYPES } from '../../operator/kube/index.ts';
import type { KubeClient } from '../../operator/kube/index.ts';
import { CliError, describe, UsageError } from '../errors.ts';
import type { GuardedIo } from '../guarded-io.ts';
import { deniedIn } from '../kube/denied.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import type { ClusterOptions } from '../options.ts';
import { liveResource } from '../live.ts';
import type { KnownResource } from '../resources.ts';
import { untilEnded } from '../signals.ts';
import { followLogs } from './follow.ts';
import { linesOf } from './lines.ts';
import { inOrder, selectorOf } from './pods.ts';
import { Prefixer } from './prefix.ts';
import { sourcesOf } from './sources.ts';

/** The options of `trunnion logs`. */
export interface LogsOptions extends ClusterOptions {
  readonly namespace?: string;
  readonly follow?: boolean;
  readonly tail?: number;
  readonly previous?: boolean;
  readonly container?: string;
  readonly rank?: number;
  readonly timestamps?: boolean;
  readonly raw?: boolean;
}

/** Prints what the pods of a resource say. */
export async function runLogs(io: GuardedIo, reference: string, options: LogsOptions): Promise<void> {
  const { follow = false, previous = false } = options;
  if (follow && previous) throw new UsageError('what is over can not be followed: leave out --follow or --previous');
  const namespace = await namespaceOf(options);
  await withClient(settingsOf(options), async (client) => {
    const known = await liveResource(client, reference, namespace, allKinds, (line) => io.log(line));
    await untilEnded((signal) => (follow ? followed : printed)({ io, client, known, options, signal }));
  });
}

interface Task {
  readonly io: GuardedIo;
  readonly client: KubeClient;
  readonly known: Pick<KnownResource, 'kind' | 'resource'>;
  readonly options: LogsOptions;
  readonly signal: AbortSignal;
}

/** What pods say goes to a terminal as plain text, unless somebody asked for it as it is. */
const writerOf = (io: GuardedIo, raw: boolean): ((text: string) => void) =>
  raw ? (text) => io.raw(text) : (text) => io.out(text);

async function followed({ io, client, known, options, signal }: Task): Promise<void> {
  const { tail, timestamps = false, raw = false } = options;
  const prefixer = new Prefixer(io, timestamps, raw);
  const write = writerOf(io, raw);
  await followLogs({
    client,
    ...known,
    selection: options,
    ...(tail !== undefined && { tailLines: tail }),
    add: (source) => prefixer.add(source),
    write: (source, line) => write(prefixer.line(source, line)),
    log: (line) => io.log(line),
    signal,
  });
}

/** Prints what has been said so far, pod by pod. */
async function printed({ io, client, known, options, signal }: Task): Promise<void> {
  const { tail, previous = false, timestamps = false, raw = false } = options;
  const { kind, resource } = known;
  const { namespace = '', name } = resource.metadata;
  const pods = (await listAll(client, TYPES.pod, namespace, selectorOf(kind, resource))).map((pod) =>
    observePod(pod, TRUNNION),
  );
  const sources = inOrder(pods).flatMap((pod: ObservedPod) => sourcesOf(pod, options));
  if (sources.length === 0) {
    throw new CliError(
      `no pod of ${kind.type.kind} ${namespace}/${name} has ${previous ? 'such ' : ''}a log: trunnion status ${name} says how it is doing`,
    );
  }
  const prefixer = new Prefixer(io, timestamps, raw);
  const write = writerOf(io, raw);
  for (const source of sources) prefixer.add(source);
  const part = { timestamps: true, previous, ...(tail !== undefined && { tailLines: tail }) };
  for (const source of sources) {
    try {
      const ref = { namespace, name: source.pod };
      const log = await client.openLog(ref, { container: source.container, ...part }, signal);
      for await (const line of linesOf(log)) write(prefixer.line(source, line));
    } catch (error) {
      // It is the same for all of them.
      if (!(error instanceof ApiError) || deniedIn(error) !== undefined) throw error;
      io.log(`${source.label}: ${describe(error)}`);
    }
  }
}
