import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { packageFile } from '../../../cli/package.ts';
import { run } from '../../support/run.ts';
import { cluster } from '../../cluster/support/cluster.ts';

interface Kubeconfig {
  readonly contexts: readonly { readonly name: string; readonly context: object }[];
}

/** A terminal of a user of an earlier operator: in a folder with the files that they have, with kubectl and jq. */
export class Terminal {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;

  /** @param namespace - that of the context, for resources that name none */
  constructor(namespace: string) {
    this.folder = mkdtempSync(join(tmpdir(), 'trunnion-existing-'));
    onTestFinished(() => rmSync(this.folder, { recursive: true }));
    cpSync(packageFile('examples', 'existing'), this.folder, { recursive: true });
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
   * Starts a line that goes on until the test ends, and waits until it has said something.
   *
   * @throws where it ends by itself before, or says nothing of the kind for a minute
   */
  async start(line: string, until: RegExp): Promise<void> {
    // A group of its own: npm does not hand on what ends it.
    const child = spawn('bash', ['-c', `exec ${line}`], { cwd: this.folder, env: this.#env, detached: true });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (until.test(text)) resolve();
    });
    child.once('close', (code) => reject(new Error(`${line} ended with ${code} after saying ${text}`)));
    const timer = setTimeout(() => reject(new Error(`${line} said only ${text}`)), 60_000);
    onTestFinished(async () => {
      if (child.pid === undefined || child.exitCode !== null) return;
      const ended = once(child, 'close');
      process.kill(-child.pid, 'SIGTERM');
      await ended;
    });
    await promise.finally(() => clearTimeout(timer));
  }

  /**
   * Runs a line that goes on for ever (`-w`, `-f`), and interrupts it once it has printed what is waited for.
   *
   * @returns what it printed until then
   * @throws where it ends by itself before, or takes more than a minute
   */
  async follow(line: string, until: RegExp): Promise<string> {
    const child = spawn('bash', ['-c', `exec ${line}`], { cwd: this.folder, env: this.#env });
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (until.test(text)) resolve(text);
    });
    child.once('close', (code) => reject(new Error(`${line} ended with ${code} after printing ${text}`)));
    const timer = setTimeout(() => reject(new Error(`${line} printed only ${text}`)), 60_000);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      child.kill('SIGINT');
    }
  }
}
