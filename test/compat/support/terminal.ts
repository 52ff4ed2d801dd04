import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  spawn,
  type SpawnOptionsWithoutStdio,
} from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { packageFile } from '../../../cli/package.ts';
import { run } from '../../support/run.ts';
import { cluster } from '../../cluster/support/cluster.ts';

/** What kubectl says with `-v=6` once the server has answered its watch. */
const WATCHING = /watch=true" status="200 OK"/;

interface Kubeconfig {
  readonly contexts: readonly { readonly name: string; readonly context: object }[];
}

/** A terminal of a user of an earlier operator: in a folder with the files that they have, with kubectl and jq. */
export class Terminal {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;

  /** @param namespace - that of the context, for resources that name none */
  constructor(namespace: string) {
    this.folder = mkdtempSync(join(tmpdir(), 'trunnion-compat-'));
    onTestFinished(() => rmSync(this.folder, { recursive: true }));
    cpSync(packageFile('examples', 'compat'), this.folder, { recursive: true });
    const { kubeconfig, kubectl } = cluster();
    const config = parse(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
    const contexts = config.contexts.map((each) => ({ ...each, context: { ...each.context, namespace } }));
    this.write('kubeconfig', stringify({ ...config, contexts }));
    const PATH = [dirname(kubectl), process.env['PATH']].join(delimiter);
    this.#env = { ...process.env, PATH, KUBECONFIG: join(this.folder, 'kubeconfig') };
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  /**
   * Runs a line to its end.
   *
   * @returns what it printed
   * @throws where it fails, with what it said
   */
  async run(line: string): Promise<string> {
    const { code, stdout, stderr } = await run('bash', ['-o', 'pipefail', '-c', line], {
      cwd: this.folder,
      env: this.#env,
    });
    if (code !== 0) throw new Error(`${line}: exit code ${code}: ${stderr}`);
    return stdout;
  }

  /**
   * Starts a line that continues until the test ends, and waits until it has said something.
   *
   * @throws where it ends by itself before, or says nothing of the kind for a minute
   */
  async start(line: string, until: RegExp): Promise<void> {
    // A group of its own: npm does not hand on what ends it.
    const child = this.#begin(line, { detached: true });
    onTestFinished(async () => {
      if (child.pid === undefined || child.exitCode !== null) return;
      const ended = once(child, 'close');
      process.kill(-child.pid, 'SIGTERM');
      await ended;
    });
    await outputUntil(child.stderr, child, line, until);
  }

  /**
   * Runs a line that continues forever (`-w`, `-f`), and interrupts it once it has printed what is waited for.
   *
   * @returns what it printed until then
   * @throws where it ends by itself before, or takes more than a minute
   */
  async follow(line: string, until: RegExp): Promise<string> {
    const child = this.#begin(line);
    return outputUntil(child.stdout, child, line, until).finally(() => child.kill('SIGINT'));
  }

  /**
   * Follows a `kubectl get -w`, from the moment that this resolves: nothing that happens after it is missed.
   *
   * @returns resolves with what it printed, once that is what is waited for; rejects as `follow` does
   */
  async watch(line: string, until: RegExp): Promise<() => Promise<string>> {
    const child = this.#begin(`${line} -v=6`);
    const shown = outputUntil(child.stdout, child, line, until).finally(() => child.kill('SIGINT'));
    await Promise.race([outputUntil(child.stderr, child, line, WATCHING), shown]);
    return () => shown;
  }

  #begin(line: string, options: SpawnOptionsWithoutStdio = {}): ChildProcessWithoutNullStreams {
    return spawn('bash', ['-c', `exec ${line}`], { cwd: this.folder, env: this.#env, ...options });
  }
}

/** Waits until a stream of a line that runs has said something. */
async function outputUntil(stream: Readable, child: ChildProcess, line: string, until: RegExp): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (until.test(text)) resolve(text);
  });
  child.once('close', (code) => reject(new Error(`${line} ended with ${code} after saying ${text}`)));
  const timer = setTimeout(() => reject(new Error(`${line} said only ${text}`)), 60_000);
  return promise.finally(() => clearTimeout(timer));
}
