import type { LiveResource } from '../../live.ts';
import { followLogs } from '../../logs/follow.ts';
import { plainLine } from '../../logs/prefix.ts';
import type { LogPiece } from '../api.ts';
import type { Cluster } from './overview.ts';

/** Lines that each container begins with, where the page asks for no other number. */
export const TAIL_LINES = 200;

/** A training may have a thousand ranks: so many containers are followed for one page. */
const MOST_CONTAINERS = 40;

/** What is followed. */
export interface Followed {
  readonly live: LiveResource;
  readonly pod?: string | undefined;
  readonly container?: string | undefined;
  readonly tail: number;
}

/** Follows the logs of a resource, until it has ended or `signal` is aborted. What is said is plain text. */
export async function followResource(
  { client }: Pick<Cluster, 'client'>,
  { live, pod, container, tail }: Followed,
  write: (piece: LogPiece) => Promise<void> | undefined,
  signal: AbortSignal,
): Promise<void> {
  await followLogs({
    client,
    ...live,
    selection: { ...(pod !== undefined && { pod }), ...(container !== undefined && { container }) },
    tailLines: tail,
    most: MOST_CONTAINERS,
    add: () => undefined,
    write: ({ label }, { at, text }) => write({ source: label, at, text: plainLine(text) }),
    log: (note) => void write({ note }),
    signal,
  });
}
