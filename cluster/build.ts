import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** What to build, and where to. */
export interface Build {
  /** What it is, for a person: `the embedded control plane`. */
  readonly what: string;
  /** How long it takes, for a person: `about 8 minutes on two cores`. */
  readonly takes: string;
  /** What else can be done where there is no Go, as a sentence's end. */
  readonly otherwise: string;
  /** The folder of the go.mod. */
  readonly modules: string;
  /** The folder that the programs go to, each under its name. */
  readonly target: string;
  readonly tools: readonly { readonly name: string; readonly package: string }[];
  /** What the linker sets, by the path of the variable: a version that a program tells. */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * Build tags, by which a program leaves parts of itself out.
   *
   * @default - none
   */
  readonly tags?: readonly string[];
  readonly log: (line: string) => void;
}

/** Between two lines of progress. */
const PROGRESS_MILLISECONDS = 10_000;

/**
 * Builds programs with Go, each into a temporary folder, from which it is moved into place once it is whole. One process
 * builds at a time, the others wait for what it makes.
 *
 * @throws where there is no Go, with what to install
 */
export async function build(options: Build): Promise<void> {
  mkdirSync(options.target, { recursive: true });
  const unlock = await lock(options);
  const temporary = mkdtempSync(`${options.target}.`);
  try {
    const missing = options.tools.filter(({ name }) => !existsSync(join(options.target, name)));
    if (missing.length > 0) {
      options.log(`building ${options.what} from ${options.modules}: once, ${options.takes}`);
    }
    for (const [index, tool] of missing.entries()) {
      const output = join(temporary, tool.name);
      await compile(options, tool.package, output, `${tool.name} (${index + 1} of ${missing.length})`);
      renameSync(output, join(options.target, tool.name));
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    unlock();
  }
}

async function compile(options: Build, path: string, output: string, title: string): Promise<void> {
  const flags = ['-v', '-trimpath', '-tags', (options.tags ?? []).join(), '-ldflags', linkerFlags(options)];
  const go = spawn('go', ['build', ...flags, '-o', output, path], {
    cwd: options.modules,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const progress = new Progress();
  createInterface({ input: go.stderr }).on('line', (line) => progress.read(line));
  const report = () => options.log(`  ${title}: ${progress.summary()}`);
  const timer = setInterval(report, PROGRESS_MILLISECONDS);
  try {
    const [code] = (await once(go, 'close')) as [number | null];
    if (code !== 0) {
      throw new Error(`go build ${path} failed:\n${progress.words.slice(-20).join('\n')}`);
    }
    report();
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new Error(noGo(options), { cause: error }) : error;
  } finally {
    clearInterval(timer);
  }
}

/** What `go build -v` says: the names of packages as it compiles them, and of modules as it downloads them. */
class Progress {
  #downloaded = 0;
  #compiled = 0;
  /** Everything else: what went wrong. */
  readonly words: string[] = [];

  read(line: string): void {
    if (line.startsWith('go: downloading ')) {
      this.#downloaded += 1;
    } else if (/^[\w.~/-]+$/.test(line)) {
      this.#compiled += 1;
    } else {
      this.words.push(line);
    }
  }

  summary(): string {
    const modules = this.#downloaded > 0 ? [`${this.#downloaded} modules downloaded`] : [];
    return [...modules, `${this.#compiled} packages compiled`].join(', ');
  }
}

const noGo = ({ what, otherwise }: Build): string => `${what} has to be built, and there is no Go on PATH.
Install Go 1.26 or newer (https://go.dev/doc/install), or ${otherwise}.`;

const linkerFlags = ({ variables }: Build): string =>
  ['-s', '-w', ...Object.entries(variables).map(([path, value]) => `-X ${path}=${value}`)].join(' ');

/**
 * Takes the lock beside the target, which has its holder's process id; one of a dead holder is broken. Two that break it at the
 * same time both build, which only costs time, since what they make is the same and is moved into place whole.
 */
async function lock({ target, what, log }: Build): Promise<() => void> {
  const file = `${target}.lock`;
  for (let waiting = false; ; waiting = true) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    }
    const holder = holderOf(file);
    if (holder !== undefined && !isAlive(holder)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!waiting) {
      log(`waiting for process ${holder}, which builds ${what}`);
    }
    await sleep(1_000);
  }
}

/** Undefined while the holder has not written yet, or has just let go. */
function holderOf(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
