import { randomUUID } from 'node:crypto';
import { plainText } from '../constructs/parts/values/index.ts';
import type { Io } from './io.ts';

/** Where commands write: nothing of it steers the terminal but the colours that they choose themselves. */
export interface GuardedIo extends Io {
  /** Writes text of others to stdout as it is, whatever a terminal makes of it: for those who ask for that by name. */
  raw(text: string): void;
}

const ESCAPE = '\u001B';

const guardedOnes = new WeakSet<Io>();

/**
 * The one way out for all that commands say: names, statuses, messages and logs are of others, and are written as plain
 * text. A command can't forget that, since it is given nothing else to write to.
 *
 * Colours of ours are told from those of others by a mark that nobody can guess; it becomes an escape at the very end.
 */
export function guarded(io: Io): GuardedIo {
  if (isGuarded(io)) return io;
  const mark = randomUUID();
  const plain = (text: string) =>
    text
      .split(mark)
      .map((part) => plainText(part, { lines: true }))
      .join(ESCAPE);
  const { screen, ask, typed } = io;
  const result: GuardedIo = {
    out: (text) => io.out(plain(text)),
    raw: (text) => io.out(text.replaceAll(mark, ESCAPE)),
    log: (line) => io.log(plain(line)),
    paint: (style, text) => io.paint(style, plainText(text, { lines: true })).replaceAll(ESCAPE, mark),
    width: io.width,
    ...(screen && { screen: { show: (page) => screen.show(plain(page)), close: () => screen.close() } }),
    confirm: (question) => io.confirm(plainText(question)),
    ...(ask && { ask: (questions) => ask(questions.map((question) => plainText(question))) }),
    ...(typed && { typed: { ask: (prompt) => typed.ask(plainText(prompt)) } }),
    readInput: () => io.readInput(),
  };
  guardedOnes.add(result);
  return result;
}

const isGuarded = (io: Io): io is GuardedIo => guardedOnes.has(io);
