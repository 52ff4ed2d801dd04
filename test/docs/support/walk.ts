import { chmodSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { entryPoint } from '../../../cli/entry-point.ts';
import { Terminal } from '../../compat/support/terminal.ts';
import { type Block, type Command, commandsOf, fileOf, isTyped } from '../../support/markdown.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { prints } from './output.ts';

/** What stays in the foreground: readers continue in another terminal. */
const ENDLESS = /^(npm run -s )?trunnion (-- )?operator\b/;

/** An operator that the page has its reader write. */
const OWN_OPERATOR = /^node operator\.ts$/;

// What the page has its reader write imports our packages by their names.
const FOUND =
  'export PATH="$PWD/.bin:$PATH" TRUNNION_TEST_POD_LOOPBACK=true NODE_OPTIONS="--import $PWD/test/support/published.mjs";';

/** A terminal in a copy of the repository, with a `trunnion` that is found. */
export class Reader extends Terminal {
  constructor() {
    super('default');
    const repository = readdirSync('.').filter((name) => !name.startsWith('.git'));
    for (const name of repository) symlinkSync(resolve(name), join(this.folder, name));
    this.write('.bin/trunnion', `#!/bin/sh\nexec ${process.execPath} ${entryPoint()} "$@"\n`);
    chmodSync(join(this.folder, '.bin', 'trunnion'), 0o755);
  }

  override run(line: string): Promise<string> {
    return super.run(`${FOUND} ${line}`);
  }

  override start(line: string, until: RegExp): Promise<void> {
    return super.start(`bash -c '${FOUND} exec ${line}'`, until);
  }
}

/** Does what a page says, from its top to its bottom. */
export async function walk(reader: Reader, blocks: readonly Block[]): Promise<void> {
  for (const block of blocks) {
    for (const command of isTyped(block) ? commandsOf(block) : []) await type(reader, block.file, command);
  }
}

/** Saves the files that a page has its reader save. */
export function save(reader: Reader, blocks: readonly Block[]): void {
  for (const block of blocks) {
    const file = fileOf(block);
    if (file !== undefined) reader.write(file, block.text);
  }
}

async function type(reader: Reader, page: string, { line, prints: shown }: Command): Promise<void> {
  if (EXCEPTIONS.some((exception) => exception.page === page && exception.command === line)) return;
  if (OWN_OPERATOR.test(line)) return reader.start(`env PORT=0 ${line}`, /caches synced/);
  if (ENDLESS.test(line)) return reader.start(`${line} --port 0`, /caches synced/);
  const printed = (await reader.run(`(${line}) 2>&1`)).split('\n');
  if (!prints(printed, shown)) expect({ line, printed }).toEqual({ line, printed: shown });
}
