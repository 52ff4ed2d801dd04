import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { kubeconfigJson } from './kubeconfig-text.ts';

/** What is wrong with a kubeconfig, in a sentence that names its file and says what to do. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}

const CHOOSE = 'Name a kubeconfig with --kubeconfig, or set KUBECONFIG.';

/**
 * The files of a kubeconfig that are there, the most important first: `path`, else KUBECONFIG, else ~/.kube/config. Of
 * several in KUBECONFIG those that are not there are passed over, as client-go does.
 *
 * @throws KubeconfigError where there is none, or where one can't be read
 */
export function kubeconfigFiles(path: string | undefined, env: NodeJS.ProcessEnv = process.env): readonly string[] {
  if (path !== undefined) {
    if (!isThere(path)) throw new KubeconfigError(`there is no kubeconfig ${path}. ${CHOOSE}`);
    return [path];
  }
  const named = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  if (named.length > 0) {
    const found = named.filter(isThere);
    if (found.length > 0) return found;
    throw new KubeconfigError(`KUBECONFIG names ${named.join(' and ')}, and there is no such file. Correct it.`);
  }
  const usual = join(env['HOME'] || homedir(), '.kube', 'config');
  if (isThere(usual)) return [usual];
  throw new KubeconfigError(`there is no kubeconfig: KUBECONFIG is not set, and there is no ${usual}. ${CHOOSE}`);
}

/** @throws KubeconfigError where it can't be read, or is no kubeconfig */
function isThere(path: string): boolean {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw new KubeconfigError(`the kubeconfig ${path} can't be read: ${WORDS[code] ?? message}`, { cause: error });
  }
  refuseOthers(path, text);
  return true;
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'you may not read it (EACCES). Change its owner or its mode.',
  EPERM: 'you may not read it (EPERM). Change its owner or its mode.',
  EISDIR: 'it is a folder. Name the file in it.',
};

/** What a kubeconfig has. */
const FIELDS = ['clusters', 'contexts', 'users'] as const;

function refuseOthers(path: string, text: string): void {
  let content: unknown;
  try {
    content = JSON.parse(kubeconfigJson(text));
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new KubeconfigError(`the kubeconfig ${path} is no YAML: ${words}`, { cause: error });
  }
  const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
  const wrong = isObject
    ? FIELDS.filter((field) => !isListOrNone((content as Readonly<Record<string, unknown>>)[field]))
    : FIELDS;
  if (wrong.length === 0) return;
  const must = isObject ? `${wrong.join(' and ')} must be a list` : `it must have the fields ${FIELDS.join(', ')}`;
  throw new KubeconfigError(`${path} is no kubeconfig: ${must}. ${CHOOSE}`);
}

const isListOrNone = (value: unknown): boolean => value === undefined || value === null || Array.isArray(value);
