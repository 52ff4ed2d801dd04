import { END_OF_LIST, readFrame } from './frames.ts';
import type { Moment } from './rules.ts';

interface Entry {
  /** Which stream told it: the path and the selection of the watch. */
  readonly stream: string;
  readonly uid: string;
  readonly version: bigint;
  readonly text: string;
  readonly gone: boolean;
  /** Milliseconds of any clock that only goes forward. */
  readonly at: number;
}

/** What a server that lags behind would answer to a watch that begins with all that exists. */
export interface Past {
  /** The initial events, and the bookmark that ends them. */
  readonly frames: readonly string[];
  /** The same as the answer to a list. */
  readonly list: string;
  /** Where the events that it has yet to learn of begin. */
  readonly version: string;
}

/** All that the watches of a client were told, so that an earlier state can be shown again. */
export class History {
  readonly #entries: Entry[] = [];
  readonly #known = new Set<string>();
  /** The version of the last list of each stream that has told of no object yet. */
  readonly #emptyAt = new Map<string, bigint>();
  /** What the answers to lists of a stream call themselves. */
  readonly #heads = new Map<string, ListHead>();
  /** Streams whose past the server has forgotten, until they are listed again. */
  readonly #forgotten = new Set<string>();

  /**
   * Listens to one watch of a stream.
   *
   * @param lists - whether it begins with all that exists: what it leaves out was deleted while nobody listened. There
   *   is no state in between
   */
  listener(stream: string, lists: boolean): (text: string, at: number) => void {
    const listed: string[] = [];
    let isListing = lists;
    return (text, at) => {
      if (!isListing) this.note(stream, text, at);
      else if (!text.includes(END_OF_LIST)) listed.push(text);
      else {
        isListing = false;
        for (const one of listed) this.note(stream, one, at);
        const { version } = readFrame(text);
        this.#miss(stream, new Set(listed.map((one) => readFrame(one).uid)), version, at);
        if (version !== undefined && this.#isPending(stream)) this.#emptyAt.set(stream, BigInt(version));
      }
    };
  }

  /** Takes note of the answer to a list, which is one of several pages or all that there is. */
  list(stream: string, text: string, isPage: boolean, at: number): void {
    const list = listIn(text);
    if (list === undefined) return;
    const { apiVersion, kind, metadata, items } = list;
    this.#heads.set(stream, { apiVersion, kind });
    // The server leaves these two out of the items of a type of its own.
    const type = { apiVersion, kind: kind.replace(/List$/, '') };
    const frames = items.map((item) => JSON.stringify({ type: 'ADDED', object: { ...type, ...item } }));
    if (isPage || (metadata.continue ?? '') !== '') {
      for (const frame of frames) this.note(stream, frame, at);
      return;
    }
    const listen = this.listener(stream, true);
    for (const frame of [...frames, initialEnd(type, metadata.resourceVersion)]) listen(frame, at);
  }

  /** Takes note of a frame, however many streams and repetitions tell it. */
  note(stream: string, text: string, at: number): void {
    const { type, uid, version } = readFrame(text);
    if (type === 'ERROR') this.#forgotten.add(stream);
    if (uid === undefined || version === undefined || type === 'BOOKMARK') return;
    const id = `${stream} ${uid} ${version}`;
    if (this.#known.has(id)) return;
    this.#known.add(id);
    this.#entries.push({ stream, uid, version: BigInt(version), text, gone: type === 'DELETED', at });
  }

  /** When a moment was, by the clock of the entries; undefined where it never came. */
  timeOf(moment: Moment, now: number): number | undefined {
    if ('millisecondsAgo' in moment) return now - moment.millisecondsAgo;
    const end = this.#entries.findLast(({ gone, stream }) => gone && resourceOf(stream) === moment.beforeTheLastEndOf);
    // Frames that came together are told apart by nothing, so it is the moment before all of them.
    return end && end.at - 1;
  }

  /**
   * The state that a stream would have told at a time; undefined where that is not known, or where the server could not continue
   * from there the last time: many others change what is of the same type, and it forgets.
   */
  at(stream: string, time: number): Past | undefined {
    if (this.#forgotten.delete(stream)) return undefined;
    const own = this.#entries.filter((entry) => entry.stream === stream && entry.at <= time);
    // Never by what another stream has told: they are not in step, so that this one would miss what is under way.
    const empty = this.#emptyAt.get(stream);
    if (own.length === 0 && empty === undefined) return undefined;
    const version = own.reduce((newest, one) => (one.version > newest ? one.version : newest), empty ?? 0n);
    const live = liveOf(own);
    const frames = live.map(({ text }) => asAdded(text));
    return {
      frames: [...frames, initialEnd(this.#example(stream), `${version}`)],
      list: JSON.stringify({
        ...this.#heads.get(stream),
        metadata: { resourceVersion: `${version}` },
        items: live.map(({ text }) => (JSON.parse(text) as { object: unknown }).object),
      }),
      version: `${version}`,
    };
  }

  /** Takes note of the end of what a list did not tell. */
  #miss(stream: string, listed: ReadonlySet<string | undefined>, version: string | undefined, at: number): void {
    if (version === undefined) return;
    const missed = liveOf(this.#entries.filter((entry) => entry.stream === stream)).filter(
      ({ uid }) => !listed.has(uid),
    );
    for (const entry of missed) this.#entries.push({ ...entry, version: BigInt(version), gone: true, at });
  }

  /** Whether it has told of no object yet. */
  #isPending(stream: string): boolean {
    return this.#entries.every((entry) => entry.stream !== stream);
  }

  /** An object of the stream, for the type that its bookmarks have. */
  #example(stream: string): { readonly apiVersion?: string; readonly kind?: string } {
    const entry = this.#entries.find((one) => one.stream === stream);
    return entry === undefined
      ? {}
      : (JSON.parse(entry.text) as { object: { apiVersion: string; kind: string } }).object;
  }
}

/** The newest states of all objects that are not gone. */
function liveOf(entries: readonly Entry[]): readonly Entry[] {
  const newest = new Map<string, Entry>();
  for (const entry of entries) {
    if ((newest.get(entry.uid)?.version ?? 0n) < entry.version) newest.set(entry.uid, entry);
  }
  return [...newest.values()].filter(({ gone }) => !gone);
}

/** `/apis/apps/v1/namespaces/a/deployments SELECTOR` */
const resourceOf = (stream: string): string | undefined => stream.split(' ', 1)[0]?.split('/').at(-1);

const asAdded = (text: string): string =>
  JSON.stringify({ ...(JSON.parse(text) as Record<string, unknown>), type: 'ADDED' });

const initialEnd = ({ apiVersion, kind }: { apiVersion?: string; kind?: string }, version: string): string =>
  JSON.stringify({
    type: 'BOOKMARK',
    object: {
      apiVersion,
      kind,
      metadata: { resourceVersion: version, annotations: { [END_OF_LIST]: 'true' } },
    },
  });

interface ListHead {
  readonly apiVersion: string;
  readonly kind: string;
}

interface List extends ListHead {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly object[];
}

/** The list that an answer holds; undefined where it holds something else, or lacks what a list has. */
function listIn(text: string): List | undefined {
  try {
    const { apiVersion, kind, metadata, items } = JSON.parse(text) as Partial<List>;
    if (apiVersion === undefined || kind === undefined || !Array.isArray(items)) return undefined;
    return metadata?.resourceVersion === undefined ? undefined : { apiVersion, kind, metadata, items };
  } catch {
    return undefined;
  }
}
