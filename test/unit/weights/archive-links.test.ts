import { lstat, readFile, readdir, realpath, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { gnuLong, pax, tarOf } from './support/tar.ts';
import { file, folder, hardLink, link, makeUnpacker } from './support/unpacked.ts';

/** All paths below a folder, links not followed. */
async function below(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  const paths = entries.map(async (entry) => {
    const found = join(path, entry.name);
    return entry.isDirectory() ? [found, ...(await below(found))] : [found];
  });
  return (await Promise.all(paths)).flat();
}

test('whatever an archive of files, folders and links says, nothing of it leads out of its folder', async () => {
  await using unpacker = await makeUnpacker();
  const { home, unpacked } = unpacker;
  const name = fc.constantFrom('a', 'b', 'c', '..', '.', '');
  const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));
  const target = fc.oneof(
    path,
    path.map((text) => `/${text}`),
    fc.constant(`${'../'.repeat(6)}secret`),
    fc.constant('a/../b/c'),
  );
  const entry = fc.oneof(
    path.map((text) => file(text)),
    path.map(folder),
    fc.tuple(path, target).map(([at, to]) => link(at, to)),
    fc.tuple(path, target).map(([at, to]) => hardLink(at, to)),
    fc.tuple(path, path).map(([text, other]) => [gnuLong('L', text), file(other)]),
    fc.tuple(path, target).map(([text, to]) => [pax({ path: text, linkpath: to }), link('x', 'y')]),
  );
  // Links of all ways among files that are there, so that many archives are unpacked.
  const step = fc.constantFrom('..', '..', 'a', 'b', 'f', 'l1', 'l2', 'l3', 'l4');
  const near = fc.constantFrom('.', '..', '../..', '../../f', '../../a', 'f', 'l1', 'l2/f', '../b/l1', '../../a/b');
  const way = fc.oneof(
    near,
    fc.tuple(near, near).map(([first, second]) => `${first}/${second}`),
    fc.array(step, { minLength: 1, maxLength: 5 }).map((steps) => steps.join('/')),
  );
  const place = fc.constantFrom('a/b/l1', 'a/b/l2', 'a/b/l3', 'a/l4');
  const links = fc.uniqueArray(fc.tuple(place, way), { minLength: 1, maxLength: 3, selector: ([at]) => at });
  const likely = links.map((list) => [file('a/b/f'), file('f'), ...list.map(([at, to]) => link(at, to))]);
  const entries = fc.oneof(fc.array(entry, { maxLength: 8 }), { weight: 4, arbitrary: likely });
  await writeFile(join(home, 'secret'), 'of the host');
  let whole = 0;
  await fc.assert(
    fc.asyncProperty(entries, async (list) => {
      let model: string;
      try {
        model = await unpacked(tarOf(...list.flat()));
      } catch (error) {
        expect(error).toMatchObject({ name: 'FetchError' });
        return;
      }
      whole += 1;
      for (const found of await below(model)) {
        expect(relative(model, await realpath(found))).not.toMatch(/^\.\.(\/|$)/);
        if ((await lstat(found)).isFile()) expect(await readFile(found, 'utf8')).toBe('x');
      }
    }),
    { numRuns: 300 },
  );
  expect(await readFile(join(home, 'secret'), 'utf8')).toBe('of the host');
  expect(whole).toBeGreaterThan(20);
});
