import { globSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guarded } from '../../../cli/guarded-io.ts';
import type { Io } from '../../../cli/io.ts';
import { Prefixer } from '../../../cli/logs/prefix.ts';
import { createProgram, run } from '../../../cli/program.ts';
import { runProgram } from '../../../cli/run.ts';
import { arbitraryHostile, HOSTILE, unseenIn } from '../../support/hostile-text.ts';

const paint: Io['paint'] = (_, text) => text;

/** What was written to a terminal that has colours. */
function terminal(): Io & { readonly written: string[] } {
  const written: string[] = [];
  const write = (text: string) => void written.push(text);
  return {
    written,
    out: write,
    log: write,
    paint: (_, text) => `\u001B[32m${text}\u001B[39m`,
    width: 80,
    screen: { show: write, close: () => undefined },
    confirm: (question) => {
      write(question);
      return Promise.resolve(false);
    },
    readInput: () => Promise.resolve(''),
  };
}

describe('the one way out', () => {
  test('lets the colours of a command through, and those of others not', () => {
    const io = terminal();
    const plain = guarded(io);
    const painted: Io['paint'] = (style, text) => plain.paint(style, text);
    plain.out(`${painted('green', '✓')} \u001B[32m✓\u001B[39m ${painted('green', '\u001B[31mred')}\n`);
    plain.log(painted('red', '\u001B]0;title\u0007'));
    expect(io.written).toEqual(['\u001B[32m✓\u001B[39m ✓ \u001B[32mred\u001B[39m\n', '\u001B[32m␛]0;title␇\u001B[39m']);
  });

  test('is the same on a screen, in a question, and for whatever text there is', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryHostile(), async (words) => {
        const io = terminal();
        const plain = guarded(io);
        plain.out(words);
        plain.log(words);
        plain.screen?.show(words);
        await plain.confirm(words);
        expect(io.written).toHaveLength(4);
        expect(unseenIn(io.written.join(''))).toEqual([]);
      }),
    );
  });

  test('is passed by once only, by what was asked for as it is', () => {
    const io = terminal();
    const once = guarded(io);
    expect(guarded(once)).toBe(once);
    once.raw(`${once.paint('green', 'worker-0')} │ \u001B[31mred\u0007\n`);
    expect(io.written).toEqual(['\u001B[32mworker-0\u001B[39m │ \u001B[31mred\u0007\n']);
  });

  test('is what every command is given, those of the operator image included', async () => {
    const io = terminal();
    const program = createProgram(io);
    program.command('odd').action(() => {
      throw new Error(HOSTILE['a write to the clipboard']);
    });
    await runProgram(program, ['odd'], io);
    await run(['schema', HOSTILE['a cleared screen'] ?? ''], io);
    expect(io.written.length).toBeGreaterThanOrEqual(2);
    expect(unseenIn(io.written.join(''))).toEqual([]);
  });

  test('is the only one: no file of the command line writes to the process’s streams but the one that makes it', () => {
    // The texts of a new project are those of its user.
    const files = globSync('cli/**/*.ts').filter((file) => !file.startsWith('cli/new/files/'));
    expect(files.length).toBeGreaterThan(100);
    const writers = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(file, 'utf8'))).toSorted();
    expect(writers(/process\.(stdout|stderr)|console\.|process\.emitWarning/)).toEqual(['cli/io.ts', 'cli/main.ts']);
    expect(writers(/processIo\(/)).toEqual([
      'cli/io.ts',
      'cli/kubectl-complete.ts',
      'cli/main.ts',
      'cli/operator/main.ts',
    ]);
    expect(writers(/\.raw\(text\)/)).toEqual(['cli/logs/run.ts']);
  });
});

describe('a line of a log', () => {
  const line = (text: string, raw = false) =>
    new Prefixer({ paint }, false, raw).line({ label: 'worker-0' }, { at: '', text });

  test('stands behind its label, without colours and with its tabs', () => {
    expect(line('\u001B[1;36mINFO\u001B[0m\tready\r')).toBe('worker-0 │ INFO\tready\n');
    expect(line('10%\r20%')).toBe('worker-0 │ 10%␍20%\n');
  });

  test('is as it was written where that is asked for', () => {
    expect(line('\u001B[1mINFO\u0007', true)).toBe('worker-0 │ \u001B[1mINFO\u0007\n');
  });
});
