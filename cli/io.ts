import { createInterface } from 'node:readline/promises';
import { buffer } from 'node:stream/consumers';
import { styleText } from 'node:util';
import { textOf } from './file-text.ts';
import { type Screen, terminalScreen } from './screen.ts';

/** How text may stand out. */
export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan' | 'magenta' | 'blue';

/** Where a command reads and writes: data goes to stdout, talk to stderr. */
export interface Io {
  /** Writes to stdout: data, or lines for a person. */
  out(text: string): void;
  /** Writes a line for the person to stderr. */
  log(line: string): void;
  /** Makes text stand out on stdout, where that is a terminal and NO_COLOR is not set. */
  paint(style: Style, text: string): string;
  /** Columns of the terminal; Infinity where stdout is none. */
  readonly width: number;
  /**
   * Shows pages, each instead of the one before.
   *
   * @default - stdout is no terminal
   */
  readonly screen?: Screen;
  /** Asks a yes-or-no question; anything but yes is no, and so is a standard input that is no terminal. */
  confirm(question: string): Promise<boolean>;
  /**
   * Asks for a line; empty where none is given.
   *
   * @default - standard input is no terminal: nobody is there to be asked
   */
  readonly ask?: (question: string) => Promise<string>;
  /** All of standard input. */
  readInput(): Promise<string>;
}

/** The terminal, or whatever this process was connected to. */
export function processIo(): Io {
  return {
    out: (text) => void process.stdout.write(text),
    log: (line) => void process.stderr.write(`${line}\n`),
    paint: (style, text) => styleText(style, text, { stream: process.stdout }),
    width: process.stdout.isTTY ? process.stdout.columns : Infinity,
    ...(process.stdout.isTTY && { screen: terminalScreen(process.stdout) }),
    confirm: async (question) => {
      if (!process.stdin.isTTY) return false;
      return /^y(es)?$/i.test(await answerTo(`${question} [y/N] `));
    },
    ...(process.stdin.isTTY && { ask: (question) => answerTo(`${question} `) }),
    readInput: async () => textOf(await buffer(process.stdin)),
  };
}

/** A line that is typed; empty where the input ends (Ctrl-D), after which a question would never be answered. */
async function answerTo(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => void prompt.once('close', () => resolve('')));
  try {
    return (await Promise.race([prompt.question(question), ended])).trim();
  } finally {
    prompt.close();
  }
}
