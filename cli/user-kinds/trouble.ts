import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plainText } from '../../constructs/parts/values/index.ts';

/** What is known of a module that can't be loaded. */
export interface Attempt {
  /** As the user has named it. */
  readonly file: string;
  /** In which places are told. */
  readonly folder: string;
  /** Whether this Node.js reads TypeScript. */
  readonly stripsTypes: boolean;
  readonly exists: (path: string) => boolean;
}

/** What an error of Node.js has beside its message. */
interface NodeError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly stack?: unknown;
  /** Of ERR_MODULE_NOT_FOUND: what isn't there. */
  readonly url?: unknown;
}

const COMPILE = 'compile it, and name the JavaScript';

/** What a module's extension may be. */
const EXTENSIONS = '.ts, .mts, .cts, .js, .mjs or .cjs';

/** Why a module can't be loaded, in one line. */
export function troubleOf(error: unknown, attempt: Attempt): string {
  const { file, stripsTypes } = attempt;
  const { code, message, stack }: NodeError = Object(error);
  const words = oneLine(typeof message === 'string' ? message : String(error));
  const place = placeIn(typeof stack === 'string' ? stack : '', attempt.folder);
  const at = place === undefined ? '' : ` (${place})`;
  switch (code) {
    case 'ERR_UNKNOWN_FILE_EXTENSION':
      return !stripsTypes && /"\.[mc]?ts"/.test(words)
        ? `${file} is TypeScript, which this Node.js does not read: use 22.18 or newer, without --no-strip-types; or ${COMPILE}`
        : `${file} can't be loaded: ${words}. A module ends in ${EXTENSIONS}`;
    case 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX':
      return `${file} can't be loaded: ${words}${at}. Node.js removes types and translates nothing: write it without enums, namespaces and parameter properties, or ${COMPILE}`;
    case 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING':
      return `${file} can't be loaded: Node.js reads no TypeScript below node_modules: ${COMPILE}`;
    case 'ERR_MODULE_NOT_FOUND':
      return `${file} can't be loaded: ${notFound(words, Object(error) as NodeError, attempt)}`;
    default:
      return `${file} fails while it is loaded: ${words}${at}`;
  }
}

/** Compilers find a file without its extension, and Node.js does not. */
function notFound(words: string, { url }: NodeError, { folder, exists }: Attempt): string {
  if (words.startsWith('Cannot find package')) return `${words}: npm install`;
  if (typeof url !== 'string' || !url.startsWith('file:')) return words;
  const path = fileURLToPath(url);
  const without = path.replace(/\.([mc]?)js$/, '');
  const typescript = [`${path}.ts`, `${without}.ts`, `${path}/index.ts`].find(exists);
  return typescript === undefined
    ? words
    : `${words}. There is ${relative(folder, typescript)}: name it with its extension in the import`;
}

/** The first place that a stack tells of: `src/web-app.ts:12`. */
function placeIn(stack: string, folder: string): string | undefined {
  const [, path, line] = /file:\/\/(\/[^\s:()]+):(\d+)/.exec(stack) ?? [];
  return path === undefined ? undefined : `${relative(folder, decodeURI(path))}:${line}`;
}

const oneLine = (text: string): string => plainText(text.split(/\s+/).join(' ').trim(), { max: 500 });
