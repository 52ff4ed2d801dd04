import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a person types on a terminal. */
export interface Typed {
  /**
   * What was typed until Enter: one line, or several that were pasted at once.
   *
   * @returns undefined where Ctrl-D or Ctrl-C ends it
   */
  ask(prompt: string): Promise<string | undefined>;
}

/** Lines that come within so many milliseconds of each other were pasted. */
const PASTE_MS = 30;

/** So many lines can be brought back by the arrow keys. */
const REMEMBERED = 100;

/**
 * The terminal of this process. Between two questions it is left alone, so that Ctrl-C is a signal to the process, as in every
 * other command.
 */
export function terminalTyped(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Typed {
  let history: string[] = [];
  return {
    ask: async (prompt) => {
      const reader = createInterface({ input, output, terminal: true, history: [...history], historySize: REMEMBERED });
      const lines: string[] = [];
      try {
        await new Promise<void>((resolve) => {
          reader.on('line', (line) => {
            lines.push(line);
            resolve();
          });
          reader.once('SIGINT', resolve).once('close', resolve);
          reader.on('history', (kept: string[]) => (history = [...kept]));
          reader.setPrompt(prompt);
          reader.prompt();
        });
        for (let before = 0; before < lines.length;) {
          before = lines.length;
          await sleep(PASTE_MS);
        }
      } finally {
        reader.close();
      }
      if (lines.length > 0) return lines.join('\n');
      output.write('\n');
      return undefined;
    },
  };
}
