import { createInterface } from 'node:readline/promises';
import { buffer } from 'node:stream/consumers';
import { styleText } from 'node:util';
import { textOf } from './file-text.ts';
import { type Screen, terminalScreen } from './screen.ts';
import { terminalTyped, type Typed } from './typed.ts';

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
   * Asks for a line each. There are as many answers as were given before an empty one.
   *
   * @default - standard input is no terminal: nobody is there to be asked
   */
  readonly ask?: (questions: readonly string[]) => Promise<readonly string[]>;
  /**
   * What a person types.
   *
   * @default - standard input, or where it is answered to, is no terminal
   */
  readonly typed?: Typed;
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
      const [answer = ''] = await answersTo([`${question} [y/N]`]);
      return /^y(es)?$/i.test(answer);
    },
    ...(process.stdin.isTTY && { ask: answersTo }),
    ...(process.stdin.isTTY && process.stderr.isTTY && { typed: terminalTyped(process.stdin, process.stderr) }),
    readInput: async () => textOf(await buffer(process.stdin)),
  };
}

/** Lines that are typed, until one is empty or the input ends. Lines that are pasted together answer several questions. */
async function answersTo(questions: readonly string[]): Promise<readonly string[]> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const lines = prompt[Symbol.asyncIterator]();
  const answers: string[] = [];
  try {
    for (const question of questions) {
      prompt.setPrompt(`${question} `);
      prompt.prompt();
      const { value, done } = await lines.next();
      if (done === true || value.trim() === '') break;
      answers.push(value.trim());
    }
    return answers;
  } finally {
    prompt.close();
  }
}
