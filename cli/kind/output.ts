import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { parseYaml } from '../manifests.ts';
import type { Files } from './files.ts';

/**
 * Writes files to a folder, or prints them.
 *
 * @param out - undefined for stdout
 * @param together - what stands on stdout in place of the files
 */
export async function writeFiles(
  io: Io,
  files: Files,
  out: string | undefined,
  together: (files: Files) => string,
): Promise<void> {
  if (out === undefined || out === '-') return io.out(together(files));
  for (const { path, text } of files) {
    const file = join(out, path);
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    } catch (error) {
      throw new UsageError(`${file} can't be written`, { cause: error });
    }
  }
  io.log(`wrote ${files.length === 1 ? join(out, files[0]?.path ?? '') : `${files.length} files to ${out}`}`);
}

/**
 * Removes the templates of a chart that was written before: there must be none of a kind that is gone.
 *
 * @throws UsageError where the folder has another chart
 */
export async function clearChart(out: string | undefined, name: string): Promise<void> {
  if (out === undefined || out === '-') return;
  const text = await readFile(join(out, 'Chart.yaml'), 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const [chart] = parseYaml(text, join(out, 'Chart.yaml'));
  const { name: there }: { readonly name?: unknown } = Object(chart);
  if (there !== name) throw new UsageError(`${out} has the chart ${String(there)}: name another folder, or remove it`);
  await rm(join(out, 'templates'), { recursive: true, force: true });
}

/** Documents of YAML. */
export const asDocuments = (files: Files): string => files.map(({ text }) => text).join('---\n');

/** Pages, one after the other. */
export const asPages = (files: Files): string => files.map(({ text }) => text).join('\n');

/** Each file under its path. */
export const underPaths = (files: Files): string =>
  files.map(({ path, text }) => `---\n# Source: ${path}\n${text}`).join('');
