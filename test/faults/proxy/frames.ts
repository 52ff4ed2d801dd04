import type { FrameFault } from './rules.ts';

/** What is to be sent for one frame that came, and what becomes of the stream after it. */
export interface Passage {
  readonly send: readonly string[];
  readonly stream: 'go on' | 'end' | 'reset' | 'freeze';
}

/** One frame of a watch, told apart from its neighbours. */
interface Frame {
  readonly text: string;
  /** UID of its object; undefined for bookmarks, errors and what can't be read. */
  readonly uid: string | undefined;
  readonly bookmark: boolean;
}

function read(text: string): Frame {
  try {
    const { type, object } = JSON.parse(text) as { type?: string; object?: { metadata?: { uid?: string } } };
    return { text, uid: object?.metadata?.uid, bookmark: type === 'BOOKMARK' };
  } catch {
    return { text, uid: undefined, bookmark: false };
  }
}

const pass = (...send: string[]): Passage => ({ send, stream: 'go on' });

/** Applies one fault to the frames of one watch: a function of the frames that came, with no I/O. */
export class FrameEditor {
  readonly #fault: FrameFault;
  readonly #last = new Map<string, string>();
  #count = 0;
  #kept: string | undefined;
  #held: string[] | undefined;

  constructor(fault: FrameFault) {
    this.#fault = fault;
  }

  /** Takes the next frame, without its line feed. */
  next(text: string): Passage {
    const frame = read(text);
    if (this.#held !== undefined) return this.#hold(text);
    if (frame.bookmark) return pass(text);
    const index = this.#count;
    this.#count += 1;
    const fault = this.#fault;
    switch (fault.do) {
      case 'dropFrames':
        return index >= fault.from && index < fault.from + fault.count ? pass() : pass(text);
      case 'holdFrames':
        return index < fault.from ? pass(text) : this.#hold(text);
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
        return index < fault.after ? pass(text) : { send: [], stream: 'freeze' };
    }
  }

  /** Lets go of what was held; later frames pass. */
  release(): readonly string[] {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#count = Number.NEGATIVE_INFINITY;
    return held;
  }

  #hold(text: string): Passage {
    this.#held = [...(this.#held ?? []), text];
    return pass();
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
