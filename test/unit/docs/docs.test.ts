import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { processIo } from '../../../cli/io.ts';
import { createProgram } from '../../../cli/program.ts';
import { blocks, commandsOf } from '../../support/markdown.ts';
import { trunnion } from '../../support/trunnion.ts';

const all = await blocks();
const commands = all
  .filter(({ info }) => info.startsWith('console'))
  .flatMap((block) => commandsOf(block).map((command) => ({ file: block.file, command })));

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Programs that need not be ours. */
const FOREIGN = /^(npm ci|kubectl (annotate|apply|delete|get) .*|npx cdk8s synth)$/;

/** Checks that a command of ours exists, with all that it is shown with. */
function check(command: string): void {
  if (FOREIGN.test(command)) return;
  const words = command.split(/\s+/);
  const script = /^npm (?:run (?:-s )?)?(\S+)/.exec(command)?.[1];
  if (words[0] === 'bash') expect(existsSync(words[1] ?? '')).toBe(true);
  else if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
  else expect(words[0]).toBe('trunnion');
  const args = script === 'trunnion' ? words.slice(words.indexOf('--') + 1) : words.slice(1);
  if (script === 'trunnion' || words[0] === 'trunnion') checkVerb(createProgram(processIo()), args);
}

function checkVerb(command: Command, words: readonly string[]): void {
  const [first, ...rest] = words;
  const verb = command.commands.find((candidate) => candidate.name() === first);
  if (verb !== undefined) return checkVerb(verb, rest);
  const known = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ short, long }) => [short, long]);
  const hidden = command.options.flatMap(({ short, long }) => [short, long]);
  const used = words.filter((word) => word.startsWith('-') && word !== '-');
  expect([...known, ...hidden]).toEqual(expect.arrayContaining(used));
}

/** The parts of a line that are commands: `a && b`, `x=$(a)`, `a | b`. */
const partsOf = (line: string): string[] =>
  line
    .replace(/^export \w+=\$\((.*)\)$/, '$1')
    .split(/ (?:&&|\|) /)
    .map((part) => part.trim());

test('there are commands to check', () => {
  expect(commands.length).toBeGreaterThan(10);
});

test.for(commands)('$file shows "$command", which exists with these options', ({ command }) => {
  for (const part of partsOf(command)) check(part);
});

test.for(all.filter(({ info, text }) => info === 'yaml' && text.includes('trunnion.dev/')))(
  'a resource that $file shows is valid',
  async ({ text }) => {
    expect(await trunnion(['render', '-f', '-'], text)).toMatchObject({ code: 0, stderr: '' });
  },
);

test('every example is valid', async () => {
  for await (const file of glob('examples/full/*.yaml')) {
    expect(await trunnion(['render', '-f', file])).toMatchObject({ code: 0, stderr: '' });
  }
  // Those at the top are for one namespace: one refers to another.
  const files: string[] = [];
  for await (const file of glob('examples/*.yaml')) files.push(readFileSync(file, 'utf8'));
  expect(await trunnion(['render', '-f', '-'], files.join('---\n'))).toMatchObject({ code: 0, stderr: '' });
});

test('every link to a file leads somewhere', async () => {
  for await (const file of glob(['*.md', 'docs/**/*.md'])) {
    const links = [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)];
    const broken = links.map(([, link = '']) => link).filter((link) => !existsSync(join(dirname(file), link)));
    expect({ file, broken }).toEqual({ file, broken: [] });
  }
});
