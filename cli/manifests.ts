import { readFile } from 'node:fs/promises';
import { type Document, parseAllDocuments } from 'yaml';
import { plainText } from '../constructs/parts/plain-text.ts';
import type { Manifest } from '../constructs/workload.ts';
import { CliError, quoted, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { yamlText } from './output.ts';

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
  return parseAllDocuments(text).flatMap((document, index) => {
    const [error] = document.errors;
    if (error !== undefined) throw new CliError(`${source}: ${quoted(error.message)}`);
    const value = valueOf(document, source);
    return value === null ? [] : objectsOf(value, `${source}, document ${index + 1}`);
  });
}

/** What a document says. An alias may stand for nothing, for what it is a part of, or for so much that it fills the memory. */
function valueOf(document: Document, source: string): unknown {
  try {
    const value: unknown = document.toJS();
    // An object that holds itself has no end.
    JSON.stringify(value);
    return value;
  } catch (error) {
    throw new CliError(
      `${source}: its aliases can't be resolved: ${quoted(error instanceof Error ? error.message : String(error))}`,
    );
  }
}

/** Objects as YAML documents. kubectl reads them as YAML 1.1, in which `yes` and `on` are no texts: such are quoted. */
export const printManifests = (manifests: readonly object[]): string =>
  manifests.map((manifest) => yamlText(manifest, { compat: 'yaml-1.1' })).join('---\n');

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
