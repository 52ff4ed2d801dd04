import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** What stands in the package.json that a module belongs to. */
export interface Package {
  readonly version: string;
  readonly description?: string;
}

/** The package of a module: the first package.json above it that has a version. */
export async function packageOf(file: string): Promise<Package> {
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
    const found = text === undefined ? undefined : packageIn(text);
    if (found !== undefined) return found;
    if (folder === dirname(folder)) return { version: '0.1.0' };
  }
}

/** What a package.json says; undefined where it has no version, or is none. */
export function packageIn(text: string): Package | undefined {
  try {
    const { version, description }: { readonly version?: unknown; readonly description?: unknown } = Object(
      JSON.parse(text),
    );
    if (typeof version !== 'string' || version === '') return undefined;
    return { version, ...(typeof description === 'string' && description !== '' && { description }) };
  } catch {
    return undefined;
  }
}
