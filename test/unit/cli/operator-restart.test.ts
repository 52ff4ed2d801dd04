import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { restart, type Replaceable } from '../../../operator/restart.ts';

const replaced: unknown[] = [];

const processOf = (pid: number): Replaceable => ({
  pid,
  execPath: '/usr/bin/node',
  execArgv: ['--min-semi-space-size=4'],
  argv: ['node', '/trunnion/bin/operator.js', 'operator', '--leader-elect'],
  env: { POD_NAMESPACE: 'trunnion-system' },
  execve: (...args: readonly unknown[]) => {
    replaced.push(args);
    return undefined as never;
  },
});

test('an operator in a pod that has lost its lease restarts in place, since a kubelet would let it wait', () => {
  restart(processOf(1));
  expect(replaced).toEqual([
    [
      '/usr/bin/node',
      ['/usr/bin/node', '--min-semi-space-size=4', '/trunnion/bin/operator.js', 'operator', '--leader-elect'],
      { POD_NAMESPACE: 'trunnion-system' },
    ],
  ]);
});

test('one that others start again at once ends', () => {
  const before = replaced.length;
  restart(processOf(4711));
  expect(replaced).toHaveLength(before);
});

/** A process that is the first of its own takes rights that not every machine gives. */
const isolated = [process.execPath].filter(() => spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0);

test.each(isolated)('the first process of a container does so, with its threads gone (%s)', (node) => {
  const module = new URL('../../../operator/restart.ts', import.meta.url).pathname;
  const program = `
    const { restart } = await import(${JSON.stringify(module)});
    const { Worker } = await import('node:worker_threads');
    console.log(process.pid, process.env.TIMES ?? 'first');
    if (process.env.TIMES === undefined) {
      new Worker('setInterval(() => undefined, 1000)', { eval: true });
      process.env.TIMES = 'again';
      restart();
    }
  `;
  const ended = spawnSync('unshare', ['--pid', '--fork', node, '--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(ended.stdout.trim().split('\n')).toEqual(['1 first', '1 again']);
});
