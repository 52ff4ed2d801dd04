import type { FrameFault } from './rules.ts';

/** What is to be sent for one frame that came, and what happens to the stream after it. */
export interface Passage {
  readonly send: readonly string[];
  readonly stream: 'continue' | 'end' | 'reset' | 'freeze';
  /** All of this so many milliseconds later; the frames that come meanwhile are edited at once. */
  readonly afterMs?: number;
  /** A stream that freezes is reset after so many milliseconds; left out: never. */
  readonly thawMs?: number;
}

/** One frame of a watch, told apart from its neighbours. */
export interface Frame {
  readonly text: string;
  /** `ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK`, `ERROR`; undefined for what can't be read. */
  readonly type: string | undefined;
  /** UID of its object; undefined for bookmarks, errors and what can't be read. */
  readonly uid: string | undefined;
  readonly version: string | undefined;
}

/** Reads a frame, whatever it is. */
export function readFrame(text: string): Frame {
  try {
    const { type, object } = JSON.parse(text) as {
      type?: string;
      object?: { metadata?: { uid?: string; resourceVersion?: string } };
    };
    return { text, type, uid: object?.metadata?.uid, version: object?.metadata?.resourceVersion };
  } catch {
    return { text, type: undefined, uid: undefined, version: undefined };
  }
}

/** What an API server says in a watch whose version it has forgotten. */
export const EXPIRED = JSON.stringify({
  type: 'ERROR',
  object: {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'Expired',
    message: 'too old resource version',
    code: 410,
  },
});

/** The annotation of the bookmark that ends a streamed list. */
export const END_OF_LIST = 'k8s.io/initial-events-end';

const thawOf = ({ milliseconds }: { readonly milliseconds?: number }): Pick<Passage, 'thawMs'> =>
  milliseconds === undefined ? {} : { thawMs: milliseconds };

const pass = (...send: string[]): Passage => ({ send, stream: 'continue' });

/** Applies one fault to the frames of one watch: a function of the frames that came, with no I/O and no clock. */
export class FrameEditor {
  readonly #fault: FrameFault;
  readonly #last = new Map<string, string>();
  #count = 0;
  #kept: string | undefined;
  #blind = false;
  #lists: boolean;

  /** @param lists - whether the stream begins with all that there is, up to the bookmark that ends it */
  constructor(fault: FrameFault, lists = false) {
    this.#fault = fault;
    this.#lists = lists;
  }

  /** Takes the next frame, without its line feed. */
  next(text: string): Passage {
    const frame = readFrame(text);
    const fault = this.#fault;
    if (this.#blind) return pass();
    if (fault.do === 'delayFrames') return { ...pass(text), afterMs: fault.milliseconds };
    if (frame.type === 'BOOKMARK') {
      this.#lists &&= !text.includes(END_OF_LIST);
      return fault.do === 'dropBookmarks' ? pass() : pass(text);
    }
    // A list that never ends is another fault.
    if (fault.do === 'loseFrames' && this.#lists) return pass(text);
    const index = this.#count;
    this.#count += 1;
    switch (fault.do) {
      case 'dropBookmarks':
        return pass(text);
      case 'loseFrames':
        if (index < fault.from || (fault.type !== undefined && frame.type !== fault.type)) return pass(text);
        this.#blind = true;
        return { send: [EXPIRED], stream: 'end', afterMs: fault.milliseconds };
      case 'repeatFrames':
        return pass(text, text);
      case 'replayOldFrames':
        return this.#replay(frame);
      case 'swapFrames':
        return this.#swap(text);
      case 'endStream':
        if (index < fault.after) return pass(text);
        return fault.how === 'cut'
          ? { send: [text.slice(0, Math.floor(text.length / 2))], stream: 'reset' }
          : { send: [], stream: fault.how === 'reset' ? 'reset' : 'end' };
      case 'insertFrame':
        return index === fault.after ? pass(fault.frame, text) : pass(text);
      case 'freezeStream':
        return index < fault.after ? pass(text) : { send: [], stream: 'freeze', ...thawOf(fault) };
    }
  }

  #replay(frame: Frame): Passage {
    if (frame.uid === undefined) return pass(frame.text);
    const before = this.#last.get(frame.uid);
    this.#last.set(frame.uid, frame.text);
    return before === undefined ? pass(frame.text) : pass(frame.text, before);
  }

  #swap(text: string): Passage {
    const before = this.#kept;
    this.#kept = before === undefined ? text : undefined;
    return before === undefined ? pass() : pass(text, before);
  }
}
