import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installFiles } from './files.ts';
import type { Release } from './chart/trunnion.ts';

/** Writes all by which the operator is installed to a folder: `dist`, or the one that is named. */
const root = join(import.meta.dirname, '../..');
const [folder = join(root, 'dist')] = process.argv.slice(2);
const release = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Release;
const samples = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.yaml'));
const texts = Object.fromEntries(samples.map((file) => [file, readFileSync(join(root, 'examples', file), 'utf8')]));
for (const { path, text } of installFiles(release, texts)) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
