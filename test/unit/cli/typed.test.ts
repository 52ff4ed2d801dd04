import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { terminalTyped } from '../../../cli/typed.ts';

/** A terminal on which keys are pressed once it asks. */
function terminal(...pressed: readonly string[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const typed = terminalTyped(input as unknown as NodeJS.ReadStream, output as unknown as NodeJS.WriteStream);
  const rest = [...pressed];
  return async () => {
    const answer = typed.ask('> ');
    input.write(rest.shift() ?? '\u0004');
    return answer;
  };
}

test('a line is what was typed before Enter, again and again', async () => {
  const ask = terminal('one\r', 'two\r');
  expect([await ask(), await ask(), await ask()]).toEqual(['one', 'two', undefined]);
});

test('lines that are pasted at once are one question', async () => {
  expect(await terminal('one\rtwo\rthree\r')()).toBe('one\ntwo\nthree');
});

test.each([
  ['Ctrl-D', '\u0004'],
  ['Ctrl-C', '\u0003'],
])('%s ends it', async (_, key) => {
  expect(await terminal(key)()).toBeUndefined();
});

test('an arrow brings back what was typed before', async () => {
  const ask = terminal('one\r', '\u001B[A\r');
  expect([await ask(), await ask()]).toEqual(['one', 'one']);
});
