import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { KnownSizes } from '../../constructs/parts/sizing/index.ts';
import { objectIn } from '../../constructs/schema/json.ts';
import { withoutCopies, isWeights } from '../../fetcher/copies.ts';
import { UsageError } from '../errors.ts';
import { readText } from '../file-text.ts';

/** What a config.json, or a folder with one, says of a model. */
export interface LocalModel {
  readonly config: unknown;
  readonly from: string;
  readonly sizes: KnownSizes;
}

/** The index of a model whose weights are in several files; it has the bytes of all of them. */
const INDEX = 'model.safetensors.index.json';

/**
 * Reads the config of a model, and the sizes of its weights where they lie beside it, or their index does.
 *
 * @throws UsageError where it can't be read
 */
export async function readLocal(path: string): Promise<LocalModel> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const file = isFolder ? join(path, 'config.json') : path;
  const config = jsonOf(await readText(file), file);
  return { config, from: file, sizes: isFolder ? await sizesIn(path) : {} };
}

async function sizesIn(folder: string): Promise<KnownSizes> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map(async ({ name }) => ({ path: name, bytes: (await stat(join(folder, name)).catch(() => undefined))?.size })),
  );
  const kept = withoutCopies(files);
  const sum = (some: typeof kept): number => some.reduce((total, { bytes = 0 }) => total + bytes, 0);
  const weightBytes = sum(kept.filter((each) => isWeights(each)));
  if (weightBytes > 0) return { weightBytes, fileBytes: sum(kept) };
  const index = await readFile(join(folder, INDEX), 'utf8').catch(() => undefined);
  const total = index === undefined ? undefined : objectIn(objectIn(jsonOf(index, INDEX))['metadata'])['total_size'];
  return typeof total === 'number' && Number.isSafeInteger(total) && total > 0 ? { weightBytes: total } : {};
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new UsageError(`${file} is no JSON`, { cause });
  }
}
