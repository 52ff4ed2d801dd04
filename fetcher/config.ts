import { hostname } from 'node:os';
import {
  CREDENTIALS,
  variablesOf,
  COMPANIONS,
  companionSelection,
  EXIT,
  VOLUME_PATH,
  WEIGHTS_FOLDER,
  isFetched,
  parseModelUri,
} from '../constructs/parts/weights/index.ts';
import type { FetchedUri, Selection } from '../constructs/parts/weights/index.ts';
import { FetchError } from './errors.ts';
import { objectIn, type PlainObject } from '../constructs/schema/json.ts';

/** The environment, the fetcher's only input. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One thing to fetch, which becomes a folder of the volume. */
export interface Part {
  readonly folder: string;
  /** The URI as written. */
  readonly uri: string;
  readonly source: FetchedUri;
  /** Which files of it are fetched, as written; undefined where that is left to the defaults. */
  readonly selectionText: string | undefined;
  readonly selection: Selection;
  /** Whether a model in GGUF may be found in the folder. */
  readonly takesGguf: boolean;
}

/** What the fetcher goes by. */
export interface Config {
  /** `fetch` brings the weights; `wait` waits until another fetcher has. */
  readonly mode: 'fetch' | 'wait';
  /** In the order in which they are fetched: the model comes last, so that all is there once it is. */
  readonly parts: readonly Part[];
  /** The mount point of the volume. */
  readonly root: string;
  readonly terminationLog: string;
  /** Who we are to other fetchers on the volume: the pod. */
  readonly holder: string;
  /** Without a byte for so long, a connection is given up. */
  readonly stallMs: number;
  /** How long to wait before a request is made again; doubled each time. */
  readonly retryMs: number;
  /** How often in a row a request may fail. */
  readonly attempts: number;
  /** Between two lines of progress. */
  readonly progressMs: number;
  /** A lock whose heartbeat has not changed for so long is taken over. */
  readonly lockStaleMs: number;
  /** How many files are fetched at a time. */
  readonly parallel: number;
  readonly env: Environment;
}

/** Reads the configuration; tells all that is wrong with it. */
export function configFrom(env: Environment): Config {
  const problems: string[] = [];
  const milliseconds = (name: string, fallback: number): number => {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    const value = Number(text);
    if (Number.isInteger(value) && value > 0) return value;
    problems.push(`${name} must be a positive whole number, not ${JSON.stringify(text)}`);
    return fallback;
  };
  const mode = env['TRUNNION_MODE'] ?? 'fetch';
  if (mode !== 'fetch' && mode !== 'wait')
    problems.push(`TRUNNION_MODE must be fetch or wait, not ${JSON.stringify(mode)}`);
  const config: Config = {
    mode: mode === 'wait' ? 'wait' : 'fetch',
    parts: [...besideIn(env, problems), ...modelIn(env, problems)],
    root: env['TRUNNION_ROOT'] ?? VOLUME_PATH,
    terminationLog: env['TRUNNION_TERMINATION_LOG'] ?? '/dev/termination-log',
    holder: env['TRUNNION_POD'] ?? hostname(),
    stallMs: milliseconds('TRUNNION_STALL_MS', 60_000),
    retryMs: milliseconds('TRUNNION_RETRY_MS', 1000),
    attempts: milliseconds('TRUNNION_ATTEMPTS', 8),
    progressMs: milliseconds('TRUNNION_PROGRESS_MS', 5000),
    lockStaleMs: milliseconds('TRUNNION_LOCK_STALE_MS', 60_000),
    parallel: milliseconds('TRUNNION_PARALLEL', 4),
    env: withCredentials(env),
  };
  if (problems.length > 0) throw new FetchError(problems.join('; '), EXIT.usage);
  return config;
}

/** The model itself; nothing where its URI is none. */
function modelIn(env: Environment, problems: string[]): Part[] {
  const { include, exclude, file } = jsonIn(env, 'TRUNNION_FILES', problems);
  const patterns = { ...(isTexts(include) && { include }), ...(isTexts(exclude) && { exclude }) };
  const selection = { ...patterns, ...(typeof file === 'string' && { file }) };
  const uri = env['TRUNNION_URI'] ?? '';
  const selectionText = env['TRUNNION_FILES'] || undefined;
  return sourceOf(uri, 'TRUNNION_URI', problems).map((source) => ({
    folder: WEIGHTS_FOLDER,
    uri,
    source,
    selection,
    selectionText,
    takesGguf: env['TRUNNION_GGUF'] === 'folder',
  }));
}

/** What comes with it. */
function besideIn(env: Environment, problems: string[]): Part[] {
  const beside = jsonIn(env, 'TRUNNION_BESIDE', problems);
  return COMPANIONS.flatMap((folder) => {
    const uri = beside[folder];
    if (typeof uri !== 'string') return [];
    const selection = companionSelection(folder);
    return sourceOf(uri, `TRUNNION_BESIDE.${folder}`, problems).map((source) => ({
      folder,
      uri,
      source,
      selection,
      selectionText: undefined,
      takesGguf: true,
    }));
  });
}

function sourceOf(uri: string, name: string, problems: string[]): FetchedUri[] {
  try {
    const source = parseModelUri(uri);
    if (isFetched(source)) return [source];
    problems.push(`${uri} is mounted, not fetched`);
  } catch (error) {
    problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return [];
}

function jsonIn(env: Environment, name: string, problems: string[]): PlainObject {
  const text = env[name] || '{}';
  try {
    return objectIn(JSON.parse(text));
  } catch {
    problems.push(`${name} must be JSON, not ${JSON.stringify(text)}`);
    return {};
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** The environment with each credential under its own variable, whichever key of the Secret it came from. */
function withCredentials(env: Environment): Environment {
  const found = Object.values(CREDENTIALS)
    .flat()
    .map((credential): [string, string | undefined] => {
      const values = variablesOf(credential).flatMap(({ variable, key }) => [env[variable]?.trim(), env[key]?.trim()]);
      return [credential.variable, values.find((value) => value !== undefined && value !== '')];
    });
  return { ...env, ...Object.fromEntries(found) };
}
