import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** What to build, and where to. */
export interface Build {
  /** The folder of the go.mod. */
  readonly modules: string;
  /** The folder that the programs go to, each under its name. */
  readonly target: string;
  readonly tools: readonly { readonly name: string; readonly package: string }[];
  /** `v1.36.3`: what the programs say of themselves; without it clients see v0.0.0. */
  readonly kubernetesVersion: string;
  readonly say: (line: string) => void;
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
  const unlock = await lock(`${options.target}.lock`, options.say);
  const temporary = mkdtempSync(`${options.target}.`);
  try {
    const missing = options.tools.filter(({ name }) => !existsSync(join(options.target, name)));
    if (missing.length > 0) {
      options.say(`building the control plane from ${options.modules}: once, about 8 minutes on two cores`);
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
  const go = spawn('go', ['build', '-v', '-trimpath', '-ldflags', linkerFlags(options), '-o', output, path], {
    cwd: options.modules,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const progress = new Progress();
  createInterface({ input: go.stderr }).on('line', (line) => progress.read(line));
  const report = () => options.say(`  ${title}: ${progress.summary()}`);
  const timer = setInterval(report, PROGRESS_MILLISECONDS);
  try {
    const [code] = (await once(go, 'close')) as [number | null];
    if (code !== 0) {
      throw new Error(`go build ${path} failed:\n${progress.words.slice(-20).join('\n')}`);
    }
    report();
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new Error(NO_GO, { cause: error }) : error;
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

const NO_GO = `the embedded control plane has to be built, and there is no Go on PATH.
Install Go 1.26 or newer (https://go.dev/doc/install), or point KUBEBUILDER_ASSETS or PATH to a folder with etcd,
kube-apiserver, kube-controller-manager, kube-scheduler, kubectl and kwok of the versions in cluster/control-plane/go.mod.`;

function linkerFlags({ kubernetesVersion }: Build): string {
  const [major, minor] = kubernetesVersion.replace(/^v/, '').split('.');
  const version = 'k8s.io/component-base/version';
  return `-s -w -X ${version}.gitVersion=${kubernetesVersion} -X ${version}.gitMajor=${major} -X ${version}.gitMinor=${minor}`;
}

/**
 * Takes the lock `file`, which has its holder's process id; one of a dead holder is broken. Two that break it at the
 * same time both build, which only costs time, since what they make is the same and is moved into place whole.
 */
async function lock(file: string, say: (line: string) => void): Promise<() => void> {
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
      say(`waiting for process ${holder}, which builds the control plane`);
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
