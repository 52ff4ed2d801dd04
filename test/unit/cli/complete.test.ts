import { describe, expect, test } from 'vitest';
import { complete } from '../../../cli/complete/candidates.ts';
import { SHELLS } from '../../../cli/complete/scripts.ts';
import { processIo } from '../../../cli/io.ts';
import { createProgram } from '../../../cli/program.ts';
import { run } from '../../support/run.ts';
import { trunnion } from '../../support/trunnion.ts';

const program = createProgram(processIo());
const completed = (...words: readonly string[]) => complete(program, words);
const values = (...words: readonly string[]): string[] => completed(...words).candidates.map(({ value }) => value);

describe('what fits is', () => {
  test('a verb, with the first sentence of what it does', () => {
    expect(values('sta')).toEqual(['status']);
    expect(completed('completi').candidates).toEqual([
      { value: 'completion', description: expect.stringMatching(/^Print the script that completes commands/) },
    ]);
    expect(values('cluster', '')).toEqual(expect.arrayContaining(['up', 'down', 'status']));
  });

  test('no verb that scripts alone use', () => {
    expect(values('')).not.toContain('__complete');
  });

  test('an option of the verb, after its arguments too', () => {
    expect(values('status', 'llama', '--w')).toEqual(['--watch']);
  });

  test('one of the values of an option, in one word with it or apart, and as bash cuts it', () => {
    expect(values('plan', '-f', 'a.yaml', '-o', 'j')).toEqual(['json']);
    expect(values('plan', '--output=j')).toEqual(['--output=json']);
    expect(values('plan', '--output', '=', 'j')).toEqual(['json']);
    expect(values('plan', '--output', '=')).toEqual(['text', 'json', 'yaml']);
  });

  test('a file, where an option is about one', () => {
    expect(completed('render', '-f', '')).toEqual({ candidates: [], files: true });
    expect(completed('render', '--kinds', '')).toEqual({ candidates: [], files: true });
  });

  test('a file, where an argument is one', () => {
    expect(completed('kind', 'crd', '')).toEqual({ candidates: [], files: true });
    expect(completed('new', '')).toEqual({ candidates: [], files: true });
  });

  test('one of the choices of an argument, and nothing after the last', () => {
    expect(values('completion', 'z')).toEqual(['zsh']);
    expect(completed('completion', 'zsh', '')).toEqual({ candidates: [], files: false });
  });

  test('a resource of the cluster and the namespace that the line names', () => {
    expect(completed('status', '--context', 'staging', '-n', 'models', 'll').lookup).toEqual({
      what: 'resources',
      options: { context: 'staging', namespace: 'models' },
    });
  });

  test('a namespace', () => {
    expect(completed('logs', 'llama', '-n', '').lookup).toEqual({ what: 'namespaces', options: {} });
  });
});

test('it is told to the shells a line each, and last whether files fit too', async () => {
  expect((await trunnion(['__complete', '--', 'completion', ''])).stdout).toBe('bash\nzsh\nfish\n:4\n');
  expect((await trunnion(['__complete', '--', 'render', '-f', ''])).stdout).toBe(':0\n');
});

test.for(SHELLS)('there is a script for %s', async (shell) => {
  expect((await trunnion(['completion', shell])).stdout).toContain('trunnion __complete -- ');
});

test('bash completes by it', async () => {
  const { stdout: script } = await trunnion(['completion', 'bash']);
  const asked = `${script}
trunnion() { node cli/main.ts "$@"; }
COMP_WORDS=(trunnion cluster st); COMP_CWORD=2; _trunnion; echo "\${COMPREPLY[@]}"
COMP_WORDS=(trunnion plan --output = y); COMP_CWORD=4; _trunnion; echo "\${COMPREPLY[@]}"
complete -p trunnion`;
  const { stdout, stderr } = await run('bash', ['--norc', '-c', asked]);
  expect(stderr).toBe('');
  expect(stdout).toBe('status\nyaml\ncomplete -F _trunnion trunnion\n');
});
