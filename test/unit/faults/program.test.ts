import { describe, expect, it, onTestFinished } from 'vitest';
import { Program } from '../../../testing/faults/program.ts';
import { Tail } from '../../../testing/faults/tail.ts';
import { eventually } from '../../cluster/support/eventually.ts';

/** Runs a line of the shell until the test ends. */
function program(script: string, mayEnd = false, beforeRestart = async () => undefined): Program {
  const started = new Program({ launch: { command: ['sh', '-c', script] }, mayEnd, beforeRestart, pauseMs: 10 });
  onTestFinished(() => started.stop());
  started.start();
  return started;
}

const says = (one: Program, text: string) => eventually(() => expect(one.output.lines()).toContain(text));

describe('the program of an operator', () => {
  it('is started again when it was killed, and nobody complains', async () => {
    let restarts = 0;
    const one = program('echo started; exec sleep 60', false, async () => void (restarts += 1));
    await says(one, 'started');
    one.signal('SIGKILL');
    await eventually(() => expect(one.output.lines()).toEqual(['started', 'started']));
    expect([one.kills, one.starts, restarts, one.deeds]).toEqual([1, 2, 1, []]);
  });

  it('is killed with what it has started', async () => {
    const one = program('sleep 60 & echo $!; wait');
    await eventually(() => expect(one.output.lines()).toHaveLength(1));
    const child = Number(one.output.lines()[0]);
    await one.stop();
    await eventually(() => expect(() => process.kill(child, 0)).toThrow('ESRCH'));
  });

  it('is told on where it ends by itself, and given up where it never gets to work', async () => {
    const one = program('echo no such option >&2; exit 3');
    await eventually(() => expect(one.givenUp).toBeDefined());
    expect(one.givenUp).toBe('the operator ended by itself with code 3, 8 times in a row, each soon after its start');
    expect(one.deeds).toEqual(['it ended by itself with code 3, 8 times']);
    expect(one.output.lines(1)).toEqual(['no such option']);
  });

  it('may end by itself where that is said', async () => {
    const one = program('exit 3', true);
    await eventually(() => expect(one.starts).toBeGreaterThan(2));
    expect(one.deeds).toEqual([]);
  });

  it('says that a program is not there', async () => {
    const one = new Program({
      launch: { command: ['no-such-program'] },
      mayEnd: false,
      beforeRestart: async () => undefined,
    });
    onTestFinished(() => one.stop());
    one.start();
    await eventually(() => expect(one.output.lines().join('\n')).toMatch(/no-such-program.*not found/));
  });

  it('that is asked to stop ends with 0, 143 or by the signal', async () => {
    for (const [script, deeds] of [
      ['exec sleep 60', []],
      ['trap "exit 0" TERM; while :; do sleep 0.05; done', []],
      ['trap "exit 143" TERM; while :; do sleep 0.05; done', []],
      ['trap "exit 1" TERM; while :; do sleep 0.05; done', ['it ended with code 1 after SIGTERM']],
    ] as const) {
      const one = program(`echo started; ${script}`);
      await says(one, 'started');
      await new Promise((resolve) => setTimeout(resolve, 100));
      one.signal('SIGTERM');
      await eventually(() => expect(one.starts).toBe(2));
      expect(one.deeds).toEqual(deeds);
    }
  });
});

describe('the end of an output', () => {
  it('is its last lines, whole, however they came', () => {
    const tail = new Tail(3);
    for (const piece of ['one\ntw', 'o\nthree\n', 'four\nfi', 've']) tail.push(piece);
    expect(tail.lines()).toEqual(['three', 'four', 'five']);
    expect(tail.lines(1)).toEqual(['five']);
  });

  it('is bounded, whatever is written', () => {
    const tail = new Tail(3);
    for (let round = 0; round < 100; round += 1) tail.push('x'.repeat(10_000));
    tail.push('\n'.repeat(1_000));
    expect(tail.lines().join('').length).toBeLessThan(10_000);
  });
});
