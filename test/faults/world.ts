import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { FaultProxy } from './proxy/proxy.ts';
import type { Signal } from './proxy/rules.ts';

/** A token of the operator's account, and how the server is made to refuse it. */
export interface Token {
  readonly text: string;
  /** It is refused once the server has forgotten that it accepted it: within ten seconds. */
  revoke(): Promise<void>;
}

/** The control plane that all worlds share. */
export interface Testbed {
  readonly url: string;
  /** PEM: the certificate of the API server, which the proxies show as well. */
  readonly ca: string;
  readonly servingKey: string;
  /** Directly at the server, with all rights. */
  readonly client: KubeClient;
  /** Of a ServiceAccount with the shipped rights and no others. */
  issueToken(): Promise<Token>;
}

export interface WorldOptions {
  readonly testbed: Testbed;
  readonly namespace: string;
  /** Name of a planted bug: see bugs.ts. */
  readonly bug?: string;
}

/** What a kubelet waits before it starts a container that was killed, cut short. */
const RESTART_MS = 100;

/** What a kubelet waits between SIGTERM and SIGKILL. */
const GRACE_MS = 30_000;

/** Operators that run; none outlives the campaign, however it ends. */
const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((operator) => operator.kill('SIGKILL')));

/** A namespace with an operator of its own, whose every word to the API server goes through a fault proxy. */
export class World implements AsyncDisposable {
  readonly namespace: string;
  /** Directly at the server, with all rights: the observer's. */
  readonly client: KubeClient;
  readonly proxy: FaultProxy;
  /** What the operator wrote to its standard error and output, over all its restarts. */
  readonly output: string[] = [];
  /** What the operator's process did that no fault explains. */
  readonly complaints: string[] = [];
  /** Faults that no rule of the proxy told of. */
  interventions = 0;
  kills = 0;
  readonly #testbed: Testbed;
  readonly #dir: string;
  readonly #bug: string | undefined;
  #token: Token;
  #operator: ChildProcess | undefined;
  #wanted = false;

  private constructor(parts: { options: WorldOptions; proxy: FaultProxy; dir: string; token: Token }) {
    const { options, proxy, dir, token } = parts;
    this.namespace = options.namespace;
    this.client = options.testbed.client;
    this.proxy = proxy;
    this.#testbed = options.testbed;
    this.#bug = options.bug;
    this.#dir = dir;
    this.#token = token;
  }

  static async open(options: WorldOptions): Promise<World> {
    const { testbed, namespace } = options;
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await testbed.client.create(TYPES.namespace, body);
    let world: World | undefined;
    const proxy = await FaultProxy.start({
      upstream: { url: testbed.url, ca: testbed.ca },
      tls: { cert: testbed.ca, key: testbed.servingKey },
      onKill: (signal) => world?.signal(signal),
    });
    const dir = await mkdtemp(join(tmpdir(), 'trunnion-faults-'));
    world = new World({ options, proxy, dir, token: await testbed.issueToken() });
    await Promise.all([world.#mount('ca.crt', testbed.ca), world.#mount('namespace', namespace)]);
    await world.#mount('token', world.#token.text);
    return world;
  }

  /** How many faults hit the operator. */
  get faults(): number {
    return this.proxy.rules.strikes + this.interventions;
  }

  /** Starts the operator, and starts it again whenever it has ended. */
  start(): void {
    this.#wanted = true;
    this.#spawn();
  }

  /** Sends the operator a signal. Who asks it to stop waits as long for its end as a kubelet does. */
  signal(name: Signal): void {
    const operator = this.#operator;
    if (operator === undefined || isOver(operator)) return;
    operator.kill(name);
    if (name === 'SIGKILL') this.kills += 1;
    if (name !== 'SIGTERM') return;
    const timer = setTimeout(() => {
      this.complaints.push(`it continued for ${GRACE_MS / 1000} s after SIGTERM`);
      operator.kill('SIGKILL');
    }, GRACE_MS);
    operator.on('exit', () => clearTimeout(timer));
  }

  /** Kills the operator, whatever it does. */
  killNow(): void {
    this.interventions += 1;
    this.signal('SIGKILL');
  }

  /** Cuts the operator off for a while. */
  cutOff(milliseconds: number): void {
    this.interventions += 1;
    this.proxy.cut();
    setTimeout(() => this.proxy.mend(), milliseconds).unref();
  }

  /** Resets all connections, once. */
  dropConnections(): void {
    this.interventions += 1;
    this.proxy.dropConnections();
  }

  /** Mounts a new token, and has the server refuse the one before. */
  async rotateToken(): Promise<void> {
    const before = this.#token;
    this.interventions += 1;
    this.#token = await this.#testbed.issueToken();
    await this.#mount('token', this.#token.text);
    await before.revoke();
  }

  /** Stops the operator for good. */
  async stop(): Promise<void> {
    this.#wanted = false;
    const operator = this.#operator;
    if (operator === undefined || isOver(operator)) return;
    const ended = once(operator, 'exit');
    operator.kill('SIGKILL');
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.proxy.stop();
    await this.#token.revoke();
    await rm(this.#dir, { recursive: true, force: true });
  }

  /** Puts a file at once where the operator finds it, so that it never reads half of one. */
  async #mount(name: string, text: string): Promise<void> {
    const file = join(this.#dir, name);
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  #spawn(): void {
    const plant = this.#bug === undefined ? [] : ['--import', new URL('plant.ts', import.meta.url).href];
    const program = new URL('operator.ts', import.meta.url).pathname;
    const operator = spawn(process.execPath, [...plant, program, this.#dir, this.proxy.port, this.namespace], {
      env: {
        ...process.env,
        TRUNNION_TEST_BUG: this.#bug ?? '',
        // Compiled once for all restarts.
        NODE_COMPILE_CACHE: join(tmpdir(), 'trunnion-compiled'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#operator = operator;
    running.add(operator);
    for (const stream of [operator.stdout, operator.stderr]) {
      stream.on('data', (chunk: Buffer) => this.output.push(chunk.toString()));
    }
    operator.on('exit', (code) => {
      running.delete(operator);
      // Signals end it without a code, and a stop in good order with 0.
      if (code !== null && code !== 0) this.complaints.push(`it ended by itself with code ${code}`);
      if (this.#wanted) void sleep(RESTART_MS).then(() => this.#wanted && this.#spawn());
    });
  }
}

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;
