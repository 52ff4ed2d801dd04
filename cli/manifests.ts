import { readFile } from 'node:fs/promises';
import { plainText } from '../constructs/parts/plain-text.ts';
import type { Manifest } from '../constructs/workload.ts';
import { YamlError } from '../yaml/error.ts';
import { printYaml } from '../yaml/print.ts';
import { readYaml } from '../yaml/read.ts';
import { CliError, quoted, UsageError } from './errors.ts';
import type { Io } from './io.ts';

/**
 * The objects of a YAML or JSON file, items of lists included.
 *
 * @param file - its path; `-` is the standard input
 */
export async function readManifests(file: string, io: Io): Promise<Manifest[]> {
  const text = file === '-' ? await io.readInput() : await readText(file);
  return parseManifests(text, file === '-' ? 'standard input' : file);
}

/** The same for text; `source` is what it is called in errors. */
export function parseManifests(text: string, source: string): Manifest[] {
  return parseYaml(text, source).flatMap((value, index) =>
    value === null ? [] : objectsOf(value, `${source}, document ${index + 1}`),
  );
}

/** The documents of a file of YAML; `source` is what it is called in errors. */
export function parseYaml(text: string, source: string): readonly unknown[] {
  try {
    return readYaml(text);
  } catch (error) {
    if (error instanceof YamlError) throw new CliError(`${source}: ${quoted(error.message)}`, { cause: error });
    throw error;
  }
}

/** Objects as YAML documents. */
export const printManifests = (manifests: readonly object[]): string => manifests.map(printYaml).join('---\n');

function objectsOf(value: unknown, place: string): Manifest[] {
  if (isList(value)) return value.items.flatMap((item, index) => objectsOf(item, `${place}, item ${index + 1}`));
  if (!isManifest(value)) throw new CliError(`${place}: is no object with apiVersion, kind and metadata.name`);
  const { apiVersion, kind, metadata } = value;
  const odd = [apiVersion, kind, metadata.name].find((text) => plainText(text, { max: LONGEST_NAME }) !== text);
  if (odd !== undefined) {
    const got = plainText(JSON.stringify(odd), { max: LONGEST_NAME });
    throw new CliError(
      `${place}: apiVersion, kind and metadata.name must be plain text in one line, as Kubernetes takes them (got ${got})`,
    );
  }
  return [value];
}

/** What Kubernetes takes as a name, in characters; with a group and a version before it, no more than this. */
const LONGEST_NAME = 512;

function isList(value: unknown): value is { items: readonly unknown[] } {
  return typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items);
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false;
  const { apiVersion, kind, metadata }: Partial<Manifest> = value;
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string';
}

/**
 * The text of a file that a user names.
 *
 * @throws UsageError where it can't be read
 */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} can't be read`, { cause: error });
  }
}
