import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { killGroup, spawnTethered } from '../../cluster/index.ts';
import type { Signal } from './proxy/rules.ts';
import { Tail } from './tail.ts';

/** How a program is started. */
export interface Launch {
  /** The program and its arguments, without a shell. */
  readonly command: readonly string[];
  /**
   * Variables on top of those of this process; undefined takes one away.
   *
   * @default - none
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** @default - the folder of this process */
  readonly cwd?: string;
}

export interface ProgramOptions {
  readonly launch: Launch;
  /** Whether it may end by itself, as what runs in a pod may: it is started again. */
  readonly mayEnd: boolean;
  /** Done before it is started again. */
  readonly beforeRestart: () => Promise<unknown>;
  /**
   * The first pause before it is started again, in milliseconds.
   *
   * @default 100
   */
  readonly pauseMs?: number;
}

/**
 * What a kubelet waits before it starts a container that ended, cut short; twice as long after each end that came soon, and
 * at most so many times as long.
 */
const PAUSE_MS = 100;
const LONGEST_PAUSE = 20;

/** What a kubelet waits between SIGTERM and SIGKILL. */
const GRACE_MS = 30_000;

/** What ends so soon after its start did not get to work. */
const SOON_MS = 10_000;

/** After so many of them in a row it isn't started again. */
const MOST_SOON = 8;

/** How a shell says that a program ended by SIGTERM. */
const ENDED_BY_SIGTERM = 143;

/** How many lines of the output are kept. */
const LINES = 200;

/** A program that is started again whenever it has ended, as a kubelet does. */
export class Program {
  /** What it wrote to both streams, over all its restarts. */
  readonly output = new Tail(LINES);
  /** How often it was killed. */
  kills = 0;
  /** How often it was started. */
  starts = 0;
  readonly #options: ProgramOptions;
  /** What it did that nobody asked for, and how often. */
  readonly #deeds = new Map<string, number>();
  #child: ChildProcess | undefined;
  /** Whether the process that runs was sent a signal by us. */
  #signalled = false;
  #wanted = false;
  #soon = 0;
  #givenUp: string | undefined;

  constructor(options: ProgramOptions) {
    this.#options = options;
  }

  /** Why it isn't started any more; undefined where it is. */
  get givenUp(): string | undefined {
    return this.#givenUp;
  }

  /** What it did that nobody asked for. */
  get deeds(): readonly string[] {
    return [...this.#deeds].map(([deed, times]) => (times === 1 ? deed : `${deed}, ${times} times`));
  }

  /** Starts it, and starts it again whenever it has ended. */
  start(): void {
    this.#wanted = true;
    this.#spawn();
  }

  /** Sends it a signal. Who asks it to stop waits as long for its end as a kubelet does. */
  signal(name: Signal): void {
    const child = this.#child;
    if (child === undefined || isOver(child)) return;
    this.#signalled = true;
    if (name === 'SIGKILL') {
      this.kills += 1;
      killGroup(child);
      return;
    }
    child.kill(name);
    const timer = setTimeout(() => {
      this.#did(`it continued for ${GRACE_MS / 1000} s after SIGTERM`);
      killGroup(child);
    }, GRACE_MS);
    child.on('exit', () => clearTimeout(timer));
  }

  /** Ends it for good, at once. */
  async stop(): Promise<void> {
    this.#wanted = false;
    const child = this.#child;
    if (child === undefined || isOver(child)) return;
    this.#signalled = true;
    child.ref();
    const ended = once(child, 'exit');
    killGroup(child);
    await ended;
  }

  #did(deed: string): void {
    this.#deeds.set(deed, (this.#deeds.get(deed) ?? 0) + 1);
  }

  #spawn(): void {
    const { command, env = {}, cwd } = this.#options.launch;
    const child = spawnTethered(command, 'pipe', {
      env: { ...process.env, ...env },
      ...(cwd !== undefined && { cwd }),
    });
    const startedAt = performance.now();
    this.#child = child;
    this.#signalled = false;
    this.starts += 1;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.output.push(text));
    }
    child.once('error', (error) => this.#ended(`could not be started: ${error.message}`, startedAt));
    child.once('exit', (code, signal) => this.#exited(code, signal, startedAt));
  }

  #exited(code: number | null, signal: NodeJS.Signals | null, startedAt: number): void {
    if (!this.#signalled)
      this.#ended(code === null ? `was ended by ${signal}` : `ended by itself with code ${code}`, startedAt);
    else {
      this.#soon = 0;
      if (code !== null && code !== 0 && code !== ENDED_BY_SIGTERM)
        this.#did(`it ended with code ${code} after SIGTERM`);
      void this.#startAgain();
    }
  }

  #ended(how: string, startedAt: number): void {
    this.#soon = performance.now() - startedAt < SOON_MS ? this.#soon + 1 : 0;
    if (!this.#options.mayEnd) this.#did(`it ${how}`);
    if (this.#soon >= MOST_SOON)
      this.#givenUp = `the operator ${how}, ${MOST_SOON} times in a row, each soon after its start`;
    else void this.#startAgain();
  }

  async #startAgain(): Promise<void> {
    if (!this.#wanted) return;
    const { pauseMs = PAUSE_MS, beforeRestart } = this.#options;
    await Promise.all([sleep(pauseMs * Math.min(2 ** this.#soon, LONGEST_PAUSE)), beforeRestart()]);
    if (this.#wanted) this.#spawn();
  }
}

const isOver = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null;
