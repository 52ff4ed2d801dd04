import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from './errors.ts';

/** Whether the input may be the standard input as well, so that an error can say how. */
interface Input {
  /** @default false */
  readonly canBePiped?: boolean;
}

/**
 * The text of a file that a user names.
 *
 * @throws UsageError where it can't be read, with what to name instead
 */
export async function readText(file: string, { canBePiped = false }: Input = {}): Promise<string> {
  if (/^https?:\/\//i.test(file)) {
    const how = canBePiped ? `curl -sL ${file} | trunnion ... -f -` : `curl -sLO ${file}, then name the file`;
    throw new UsageError(`${file} is a URL, and only files are read: ${how}`);
  }
  try {
    return textOf(await readFile(file));
  } catch (error) {
    if (isFolder(error)) throw new UsageError(`${file} is a folder, and one file is read: ${await fileIn(file)}`);
    throw new UsageError(`${file} can't be read`, { cause: error });
  }
}

/**
 * The text of bytes: UTF-16 where they begin with its byte order mark, else UTF-8. kubectl reads files and its standard
 * input the same way (unicode.BOMOverride in pkg/resource/visitor.go of k8s.io/cli-runtime).
 */
export function textOf(bytes: Uint8Array): string {
  const mark = (bytes[0] ?? 0) * 0x1_00 + (bytes[1] ?? 0);
  if (mark === 0xff_fe) return new TextDecoder('utf-16le').decode(bytes);
  if (mark === 0xfe_ff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder('utf-8').decode(bytes);
}

const isFolder = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EISDIR';

const KUSTOMIZATIONS: ReadonlySet<string> = new Set(['kustomization.yaml', 'kustomization.yml', 'Kustomization']);

/** What to name instead of a folder. */
async function fileIn(folder: string): Promise<string> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.some((name) => KUSTOMIZATIONS.has(name))) return `kubectl kustomize ${folder} | trunnion ... -f -`;
  if (names.includes('Chart.yaml')) return `helm template ${folder} | trunnion ... -f -`;
  const first = names.toSorted().find((name) => /\.(?:ya?ml|json)$/i.test(name));
  return `name one in it, ${first === undefined ? `as ${join(folder, 'FILE')}` : `such as ${join(folder, first)}`}`;
}
