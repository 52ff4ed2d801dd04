import { plainText } from '../constructs/parts/values/index.ts';
import { isObject, type Json } from '../constructs/schema/json.ts';
import type { Manifest } from '../constructs/workload.ts';
import { YamlError } from '../yaml/error.ts';
import { printYaml } from '../yaml/print.ts';
import { readYaml } from '../yaml/read.ts';
import { CliError, quoted } from './errors.ts';
import { readText } from './file-text.ts';
import type { Io } from './io.ts';

/** What to do with a file that is rendered by a template engine first. */
export const HELM = 'is a template of Helm: render its chart first, helm template CHART | trunnion ... -f -';

/** Whether a text has actions that only Helm's templates have; KServe has templates of other fields. */
export const isHelmTemplate = (text: string): boolean =>
  /\{\{[^{}\n]{0,500}(?:\.(?:Values|Release|Chart|Capabilities)|\b(?:include|define|toYaml|nindent|end))\b/.test(text);

/** Fields that a kustomization has, and a resource of Kubernetes has not at its root. */
const OF_KUSTOMIZE = ['resources', 'bases', 'patches', 'patchesStrategicMerge', 'configMapGenerator', 'components'];

/** What to do with an object that is read by another program; undefined where it may be a resource. */
export function otherProgramOf(object: Json): string | undefined {
  if (!isObject(object)) return undefined;
  const { apiVersion, kind } = object;
  const isOfKustomize = typeof apiVersion === 'string' && apiVersion.startsWith('kustomize.config.k8s.io/');
  if (isOfKustomize || (kind === undefined && OF_KUSTOMIZE.some((name) => Array.isArray(object[name])))) {
    return 'is a kustomization: render its folder first, kubectl kustomize FOLDER | trunnion ... -f -';
  }
  const isChart = kind === undefined && (apiVersion === 'v1' || apiVersion === 'v2') && object['version'] !== undefined;
  return isChart
    ? 'is the description of a Helm chart: render it first, helm template CHART | trunnion ... -f -'
    : undefined;
}

/**
 * The objects of a YAML or JSON file, items of lists included.
 *
 * @param file - its path; `-` is the standard input
 */
export async function readManifests(file: string, io: Io): Promise<Manifest[]> {
  const text = file === '-' ? await io.readInput() : await readText(file, { canBePiped: true });
  return parseManifests(text, file === '-' ? 'standard input' : file);
}

/**
 * The same for text; `source` is what it is called in errors.
 *
 * @throws CliError where it is empty, and for what is not made of resources
 */
export function parseManifests(text: string, source: string): Manifest[] {
  try {
    const objects = documentsOf(text, source).flatMap(({ value, place }) => objectsOf(value, place));
    if (!objects.some(({ metadata }) => metadata.name.includes('{{')) || !isHelmTemplate(text)) return objects;
  } catch (error) {
    if (!(error instanceof CliError) || !isHelmTemplate(text)) throw error;
  }
  throw new CliError(`${source} ${HELM}`);
}

/** The documents that say something, and what they are called in errors. */
function documentsOf(text: string, source: string): readonly { readonly value: unknown; readonly place: string }[] {
  const documents = parseYaml(text, source)
    .map((value, index) => ({ value, place: `${source}, document ${index + 1}` }))
    .filter(({ value }) => value !== null);
  if (documents.length > 0) return documents;
  const what = text.trim() === '' ? 'is empty' : 'is empty but for comments';
  throw new CliError(`${source} ${what}: give YAML or JSON with at least one resource`);
}

/** Text has no NUL, which binary files have, and UTF-16 that is read as UTF-8. */
function refuseBinary(text: string, source: string): void {
  if (!text.includes('\0')) return;
  throw new CliError(`${source} is no text: give YAML or JSON in UTF-8, or in UTF-16 with a byte order mark`);
}

/** The documents of a file of YAML; `source` is what it is called in errors. */
export function parseYaml(text: string, source: string): readonly unknown[] {
  refuseBinary(text, source);
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
  const other = otherProgramOf(value as Json);
  if (other !== undefined) throw new CliError(`${place} ${other}`);
  if (!isManifest(value))
    throw new CliError(`${place}: is no object with apiVersion, kind and metadata.name${lackOf(value)}`);
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

/** Which of the three is not there, or no text. */
function lackOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const { apiVersion, kind, metadata }: Partial<Manifest> = value;
  const fields: Readonly<Record<string, unknown>> = { apiVersion, kind, 'metadata.name': metadata?.name };
  const odd = Object.entries(fields).filter(([, text]) => typeof text !== 'string');
  if (odd.length === 3) return '';
  const words = odd.map(([field, got]) => {
    if (got === undefined || got === null) return `${field} is missing`;
    const text = typeof got === 'number' || typeof got === 'boolean' ? ` (write "${got}", in quotes)` : '';
    return `${field} must be a text${text}`;
  });
  return `: ${words.join(', ')}`;
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false;
  const { apiVersion, kind, metadata }: Partial<Manifest> = value;
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string';
}
