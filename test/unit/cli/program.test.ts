import { expect, test } from 'vitest';
import { createProgram } from '../../../cli/program.ts';
import { withSubcommands } from '../../../cli/run.ts';
import { GROUPS } from '../../../cli/options.ts';
import { processIo } from '../../../cli/io.ts';
import { lineOf } from '../../../cli/reference.ts';
import { trunnion } from '../../support/trunnion.ts';

const lines = withSubcommands(createProgram(processIo())).map(lineOf);

test.for(lines)('the help of "%s" goes to stdout and has examples', async (line) => {
  const { code, stdout, stderr } = await trunnion([...line.split(' ').slice(1), '--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/Examples:\n {2}/);
});

test('a verb that does not exist is a usage error, told on stderr', async () => {
  const { code, stdout, stderr } = await trunnion(['fly']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain("unknown command 'fly'");
});

test('no verb at all is a usage error', async () => {
  expect(await trunnion([])).toMatchObject({ code: 2, stdout: '' });
});

test('an option that is no number is a usage error', async () => {
  const { code, stderr } = await trunnion(['cluster', 'up', '--nodes', 'many']);
  expect(code).toBe(2);
  expect(stderr).toContain('It must be a whole number');
});

test('the version is that of the package', async () => {
  expect((await trunnion(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('kubectl calls it by its own name', () => {
  const status = createProgram(processIo(), 'kubectl trunnion').commands.find((verb) => verb.name() === 'status');
  expect(status && lineOf(status)).toBe('kubectl trunnion status');
});

test('exit codes are reported with the help', async () => {
  expect((await trunnion(['--help'])).stdout).toMatch(/Exit codes:\n {2}0 {2}Done\.\n {2}1 .*\n {2}2 /);
});

test('the help has a line for each command, in groups', async () => {
  const { stdout } = await trunnion(['--help']);
  const headings = stdout.split('\n').filter((line) => /^[A-Z]\w+:$/.test(line));
  expect(headings).toEqual(['Options:', ...Object.values(GROUPS), 'Examples:']);
  const lines = stdout.split('\n').map((line) => line.trim().split(/ {2,}/));
  const commands = createProgram(processIo()).commands.filter((command) => command.name() !== '__complete');
  for (const command of commands) {
    expect(lines).toContainEqual([command.name(), command.summary()]);
    expect(command.summary()).toMatch(/^[A-Z].{10,60}\.$/);
  }
});

test('a command has its whole description in its own help', async () => {
  const { stdout } = await trunnion(['doctor', '--help']);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Exit code 1 where something is missing');
});
