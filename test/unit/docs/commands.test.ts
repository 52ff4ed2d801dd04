import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { processIo } from '../../../cli/io.ts';
import { createProgram } from '../../../cli/program.ts';
import { EXCEPTIONS } from '../../docs/support/exceptions.ts';
import { blocks, commandsOf, isTyped, pages } from '../../support/markdown.ts';

const typed = (await blocks())
  .filter(isTyped)
  .flatMap((block) => commandsOf(block).map(({ line }) => ({ page: block.file, command: line })));

/** Those that stand in the text. */
const mentioned = (await pages()).flatMap((page) => {
  const text = readFileSync(page, 'utf8').replaceAll(/^```.*?^```$/gms, '');
  return [...text.matchAll(/`((?:npm run|trunnion) [^`]+)`/g)].map(([, command = '']) => ({ page, command }));
});

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Checks that what is ours of a command exists, with all that it is shown with. */
function check(command: string): void {
  const words = command.split(/\s+/);
  const script = /^npm run (?:-s )?(\S+)/.exec(command)?.[1];
  if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
  if (script === 'trunnion') checkVerb(createProgram(processIo()), words.slice(words.indexOf('--') + 1));
  if (words[0] === 'trunnion') checkVerb(createProgram(processIo()), words.slice(1));
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
  const used = words.filter((word) => word.startsWith('-') && word !== '-').map((word) => word.replace(/=.*/, ''));
  expect([...known, ...hidden]).toEqual(expect.arrayContaining(used));
}

/** The parts of a line that are commands: `a && b`, `x=$(a)`, `a | b`, `a > file`. */
const partsOf = (line: string): string[] =>
  line
    .replace(/^export \w+=\$\((.*)\)$/, '$1')
    .split(/ (?:&&|\||>) /)
    .map((part) => part.trim());

describe('what is ours of a command exists as it is shown', () => {
  test.for([...typed, ...mentioned])('$page: $command', ({ command }) => {
    for (const part of partsOf(command)) check(part);
  });
});

describe('a command that is not run where its page is walked through', () => {
  test.for(EXCEPTIONS)('$page: $command', (exception) => {
    expect(typed).toContainEqual({ page: exception.page, command: exception.command });
    if ('cannotRun' in exception) return expect(exception.cannotRun).toMatch(/^\w.*\.$/);
    expect(existsSync(exception.testedBy)).toBe(true);
    expect(readFileSync(exception.testedBy, 'utf8')).toContain(exception.words);
  });
});
