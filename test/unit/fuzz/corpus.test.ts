import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exercise } from '../../fuzz/target.ts';
import { targets } from '../../fuzz/targets/index.ts';

const CORPUS = 'test/fuzz/corpus';

const filesOf = (name: string): readonly string[] =>
  existsSync(join(CORPUS, name)) ? readdirSync(join(CORPUS, name)) : [];

test.for(targets)('$name holds for every input of its corpus', async (target) => {
  const files = filesOf(target.name);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const bytes = readFileSync(join(CORPUS, target.name, file));
    await exercise(target, bytes).catch((error: unknown) => {
      throw new Error(`${CORPUS}/${target.name}/${file}`, { cause: error });
    });
  }
});

test('every folder of the corpus is of a target, and every input is small', () => {
  const names = targets.map(({ name }) => name);
  for (const folder of readdirSync(CORPUS)) {
    expect(names).toContain(folder);
    for (const file of filesOf(folder)) {
      expect(readFileSync(join(CORPUS, folder, file)).length, `${folder}/${file}`).toBeLessThanOrEqual(16_384);
    }
  }
});
