import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { FETCHER_SCRIPTS } from '../../../../constructs/parts/weights/fetcher.generated.ts';

type Scheme = keyof typeof FETCHER_SCRIPTS;

/** One line of the fetcher's output. */
export type Line = Readonly<Record<string, unknown>>;

/** How a run of the fetcher ended. */
export interface Ended {
  readonly code: number | null;
  readonly lines: readonly Line[];
  /** All that it wrote, on both streams. */
  readonly output: string;
  /** The termination message. */
  readonly lastWord: string;
}

/** A run of the fetcher. */
export interface Run {
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the first line that fulfils a condition. */
  line(condition: (line: Line) => boolean): Promise<Line>;
}

/** A volume in a temporary folder, and the fetcher as a pod would run it. */
export interface Volume extends AsyncDisposable {
  readonly root: string;
  path(name: string): string;
  /** @param scheme - whose script runs; that of the URI where it is left out */
  start(env: Readonly<Record<string, string>>, scheme?: Scheme): Run;
  run(env: Readonly<Record<string, string>>, scheme?: Scheme): Promise<Ended>;
}

/** Quick where a pod would be patient. */
const QUICK = {
  TRUNNION_RETRY_MS: '10',
  TRUNNION_STALL_MS: '5000',
  TRUNNION_PROGRESS_MS: '20',
  // A fetcher that a busy machine stops for half of it believes that it has lost the volume, and ends.
  TRUNNION_LOCK_STALE_MS: '10000',
  TRUNNION_POD: 'pod-a',
};

export async function makeVolume(): Promise<Volume> {
  const home = await mkdtemp(join(tmpdir(), 'trunnion-weights-'));
  const root = join(home, 'models');
  await mkdir(root);
  await Promise.all(
    Object.entries(FETCHER_SCRIPTS).map(([scheme, text]) => writeFile(join(home, `${scheme}.mjs`), text)),
  );
  let runs = 0;
  const start = (env: Readonly<Record<string, string>>, scheme = schemeOf(env)): Run => {
    runs += 1;
    const log = join(home, `termination-log-${runs}`);
    return follow(join(home, `${scheme}.mjs`), log, {
      ...QUICK,
      PATH: process.env['PATH'] ?? '',
      TRUNNION_ROOT: root,
      TRUNNION_TERMINATION_LOG: log,
      ...env,
    });
  };
  return {
    root,
    path: (name) => join(root, name),
    start,
    run: (env, scheme) => start(env, scheme).ended,
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

/** The scheme whose script a ConfigMap would carry; for what is not a URI, any scheme. */
function schemeOf({ TRUNNION_URI: uri = '' }: Readonly<Record<string, string>>): Scheme {
  const scheme = uri.split('://')[0] ?? '';
  return scheme in FETCHER_SCRIPTS ? (scheme as Scheme) : 'hf';
}

function follow(script: string, log: string, env: Readonly<Record<string, string>>): Run {
  const child = spawn(process.execPath, [script], { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: Line[] = [];
  const waiting = new Set<() => void>();
  let output = '';
  let done = false;
  createInterface(child.stdout).on('line', (text) => {
    output += `${text}\n`;
    lines.push(JSON.parse(text) as Line);
    for (const observe of waiting) observe();
  });
  child.stderr.on('data', (data: Buffer) => {
    output += data.toString();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => {
      done = true;
      for (const observe of waiting) observe();
      readFile(log, 'utf8').then(
        (lastWord) => resolve({ code, lines, output, lastWord }),
        () => resolve({ code, lines, output, lastWord: '' }),
      );
    });
  });
  return {
    ended,
    kill: (signal) => void child.kill(signal),
    line: (condition) =>
      new Promise((resolve, reject) => {
        const observe = (): void => {
          const found = lines.find(condition);
          if (found) resolve(found);
          else if (done) reject(new Error(`the fetcher ended without such a line:\n${output}`));
          else return;
          waiting.delete(observe);
        };
        waiting.add(observe);
        observe();
      }),
  };
}
