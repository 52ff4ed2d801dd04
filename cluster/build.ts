import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** What to build, and where to. */
export interface Build {
  /** The folder of the go.mod. */
  readonly modules: string;
  /** Where the programs go, each under its name. */
  readonly target: string;
  readonly tools: readonly { readonly name: string; readonly package: string }[];
  /** `v1.36.3`: what the programs say of themselves; without it clients see v0.0.0. */
  readonly kubernetesVersion: string;
  readonly say: (line: string) => void;
}

/** Between two lines of progress. */
const PROGRESS_MILLISECONDS = 10_000;

/**
 * Builds programs with Go, into a folder beside the target from which each is moved into place complete. One process
 * builds at a time, the others wait for what it makes.
 */
export async function build(options: Build): Promise<void> {
  mkdirSync(options.target, { recursive: true });
  const unlock = await lock(`${options.target}.lock`, options.say);
  const temporary = `${options.target}.${process.pid}`;
  try {
    mkdirSync(temporary, { recursive: true });
    const missing = options.tools.filter(({ name }) => !existsSync(join(options.target, name)));
    if (missing.length > 0) {
      options.say(`building the control plane from ${options.modules}: once, about 8 minutes on two cores`);
    }
    for (const [index, tool] of missing.entries()) {
      await compile(options, tool, join(temporary, tool.name), `${tool.name} (${index + 1} of ${missing.length})`);
    }
    for (const name of readdirSync(temporary)) {
      renameSync(join(temporary, name), join(options.target, name));
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    unlock();
  }
}

async function compile(options: Build, tool: { package: string }, output: string, title: string): Promise<void> {
  const go = spawn('go', ['build', '-v', '-trimpath', '-ldflags', linkerFlags(options), '-o', output, tool.package], {
    cwd: options.modules,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(go, 'exit') as Promise<[number | null]>;
  // Go gives the names of packages as it compiles them; anything else that it says is worth keeping for an error.
  const words: string[] = [];
  let [compiled, downloaded] = [0, 0];
  const report = () =>
    options.say(
      `  ${title}: ${downloaded > 0 ? `${downloaded} modules downloaded, ` : ''}${compiled} packages compiled`,
    );
  const timer = setInterval(report, PROGRESS_MILLISECONDS);
  try {
    const lines = createInterface({ input: go.stderr });
    lines.on('line', (line) => {
      if (line.startsWith('go: downloading ')) {
        downloaded += 1;
      } else if (/^[\w.~/-]+$/.test(line)) {
        compiled += 1;
      } else {
        words.push(line);
      }
    });
    const [code] = await ended;
    if (code !== 0) {
      throw new Error(`go build ${tool.package} failed:\n${words.slice(-20).join('\n')}`);
    }
    report();
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new Error(NO_GO, { cause: error }) : error;
  } finally {
    clearInterval(timer);
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
    mkdirSync(dirname(file), { recursive: true });
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
