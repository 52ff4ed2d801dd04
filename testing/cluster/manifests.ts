import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../constructs/workload.ts';
import { objectIn } from '../../constructs/schema/json.ts';
import { readYaml } from '../../yaml/read.ts';

/** A manifest, the path of a file or folder with YAML or JSON, or a list of these. */
export type Manifests = Manifest | string | readonly Manifests[];

const FILES = ['.yaml', '.yml', '.json'];

/**
 * The manifests, those of files read.
 *
 * @param where - what they are called in an error: `crds`
 * @throws Error where a file can't be read, and where it holds something else
 */
export function manifestsOf(what: Manifests, where = 'manifests'): readonly Manifest[] {
  if (typeof what === 'string') return filesIn(what, where).flatMap((file) => inFile(file, where));
  if (isMany(what)) return what.flatMap((one, index) => manifestsOf(one, `${where}[${index}]`));
  return [checked(what, where)];
}

const isMany = (what: Manifest | readonly Manifests[]): what is readonly Manifests[] => Array.isArray(what);

function filesIn(path: string, where: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    throw new Error(`${where}: there is no file or folder ${path}. Paths begin in ${process.cwd()}.`);
  if (!found.isDirectory()) return [path];
  const files = readdirSync(path).filter((name) => FILES.some((ending) => name.endsWith(ending)));
  if (files.length > 0) return files.toSorted().map((name) => join(path, name));
  throw new Error(`${where}: the folder ${path} has no file that ends in ${FILES.join(', ')}`);
}

function inFile(file: string, where: string): readonly Manifest[] {
  let documents: readonly unknown[];
  try {
    documents = readYaml(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${where}: ${file} can't be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  return documents.filter((document) => document !== null).map((document) => checked(document, `${where}: ${file}`));
}

function checked(value: unknown, where: string): Manifest {
  const { apiVersion, kind, metadata } = objectIn(value);
  const { name } = objectIn(metadata);
  const missing = Object.entries({ apiVersion, kind, 'metadata.name': name }).filter(
    ([, field]) => typeof field !== 'string' || field === '',
  );
  if (missing.length === 0) return value as Manifest;
  throw new Error(`${where} is not a manifest: it has no ${missing.map(([field]) => field).join(', ')}`);
}
