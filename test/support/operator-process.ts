import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Usage, usageOf } from '../../bench/process.ts';
import { kubeconfig } from '../../cluster/credentials.ts';
import { freePort } from '../../cluster/ports.ts';
import { MALLOC_ENV, V8_FLAGS } from '../../scripts/image/memory.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { imageCommand } from './image.ts';

export interface OperatorProcessOptions {
  /** The API server, or the proxy before it. */
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
  /** More of the command line: `--namespace`, `--leader-elect`. */
  readonly args?: readonly string[];
  /**
   * Options of Node itself, beside those that the image gives it.
   *
   * @default - none
   */
  readonly node?: readonly string[];
  /**
   * What is run.
   *
   * @default - the command line of this checkout
   */
  readonly program?: string;
  /**
   * The root file system of the image, whose Node.js, options, program and variables are then taken, and no others.
   *
   * @default - none: this Node.js with the image's options, and the variables of this process
   */
  readonly root?: string;
  /** Variables of the environment that come on top. */
  readonly env?: Readonly<Record<string, string>>;
}

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A line of the operator's log. */
export interface LogLine {
  readonly msg: string;
  readonly [field: string]: unknown;
}

const PROGRAM = new URL('../../cli/main.ts', import.meta.url).pathname;

/** The operator as it is deployed: a process of its own, known by its command line, its probes, its metrics and its log. */
export class OperatorProcess implements AsyncDisposable {
  readonly log: LogLine[] = [];
  readonly ended: Promise<Ending>;
  /** Of its probes and metrics, on 127.0.0.1. */
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number, dir: string) {
    this.#child = child;
    this.port = port;
    this.ended = once(child, 'exit').then(([code, signal]) => {
      rmSync(dir, { recursive: true, force: true });
      return { code: code as Ending['code'], signal: signal as Ending['signal'], at: Date.now() };
    });
    if (child.stderr !== null) {
      createInterface(child.stderr).on('line', (line) => this.log.push(readLine(line)));
    }
  }

  static async start(options: OperatorProcessOptions): Promise<OperatorProcess> {
    const { url, ca, token, args = [], env = {} } = options;
    const command = commandOf(options);
    const dir = mkdtempSync(join(tmpdir(), 'trunnion-operator-'));
    const file = join(dir, 'kubeconfig');
    writeFileSync(file, kubeconfig(url, ca, token), { mode: 0o600 });
    const port = await freePort();
    const child = spawn(
      command.program,
      [...command.args, 'operator', '--kubeconfig', file, '--host', '127.0.0.1', '--port', `${port}`, ...args],
      { stdio: ['ignore', 'ignore', 'pipe'], env: { ...command.env, ...env } },
    );
    return new OperatorProcess(child, port, dir);
  }

  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('the operator did not start');
    return pid;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  usage(): Usage {
    return usageOf(this.pid);
  }

  /** Sends a signal, at which the operator may or may not end. */
  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Waits until its caches are complete. */
  async ready(timeout = 60_000): Promise<void> {
    await eventually(
      async () => {
        const { ok } = await this.#ask('readyz');
        if (!ok) throw new Error(`the operator is not ready:\n${this.words()}`);
      },
      { timeout },
    );
  }

  /**
   * The value of a metric, summed over all series that have these labels.
   *
   * @param labels - parts of the series' text: `verb="list"`
   */
  async metric(name: string, ...labels: readonly (string | RegExp)[]): Promise<number> {
    const text = await (await this.#ask('metrics')).text();
    const values = text.split('\n').flatMap((line) => {
      const isMeant =
        (line.startsWith(`${name} `) || line.startsWith(`${name}{`)) &&
        labels.every((label) => (typeof label === 'string' ? line.includes(label) : label.test(line)));
      return isMeant ? [Number(line.slice(line.lastIndexOf(' ')))] : [];
    });
    return values.reduce((sum, value) => sum + value, 0);
  }

  /** The end of its log, for messages of errors. */
  words(): string {
    return this.log
      .slice(-10)
      .map((line) => JSON.stringify(line))
      .join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isRunning) {
      this.signal('SIGCONT');
      this.signal('SIGKILL');
    }
    await this.ended;
  }

  #ask(path: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.port}/${path}`, { signal: AbortSignal.timeout(5_000) });
  }
}

const commandOf = ({ root, node = [], program = PROGRAM }: OperatorProcessOptions) =>
  root === undefined
    ? {
        program: process.execPath,
        args: [...V8_FLAGS, ...node, program],
        env: { ...MALLOC_ENV, ...process.env },
      }
    : imageCommand(root);

function readLine(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { msg: line };
  }
}
