import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, api } from '../../cluster/api.ts';
import { kubeconfig } from '../../cluster/credentials.ts';
import { FaultProxy } from './proxy/proxy.ts';

/** The control plane that all worlds share. */
export interface Bed {
  readonly url: string;
  /** PEM: the certificate of the API server, which the proxies show as well. */
  readonly ca: string;
  readonly servingKey: string;
  readonly adminToken: string;
  /** Of a ServiceAccount with the shipped rights and no others. */
  readonly operatorToken: string;
}

export interface WorldOptions {
  readonly bed: Bed;
  readonly namespace: string;
  /** Name of a planted bug: see bugs.ts. */
  readonly bug?: string;
}

/** What a kubelet waits before it starts a container that was killed, cut short. */
const RESTART_MS = 100;

/** A namespace with an operator of its own, whose every word to the API server goes through a fault proxy. */
export class World implements AsyncDisposable {
  readonly namespace: string;
  /** Directly at the server, with all rights: the observer's. */
  readonly api: Api;
  readonly proxy: FaultProxy;
  /** What the operator wrote to its standard error and output, of all its lives. */
  readonly output: string[] = [];
  readonly #dir: string;
  readonly #bug: string | undefined;
  #operator: ChildProcess | undefined;
  #wanted = false;
  kills = 0;

  private constructor(parts: { namespace: string; api: Api; proxy: FaultProxy; dir: string; bug: string | undefined }) {
    this.namespace = parts.namespace;
    this.api = parts.api;
    this.proxy = parts.proxy;
    this.#dir = parts.dir;
    this.#bug = parts.bug;
  }

  static async open({ bed, namespace, bug }: WorldOptions): Promise<World> {
    const dir = await mkdtemp(join(tmpdir(), 'trunnion-faults-'));
    const admin = api(bed.url, bed.ca, bed.adminToken);
    await admin.apply(`/api/v1/namespaces/${namespace}`, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
    let world: World | undefined;
    const proxy = await FaultProxy.start({
      upstream: { url: bed.url, ca: bed.ca },
      tls: { cert: bed.ca, key: bed.servingKey },
      onKill: () => world?.kill(),
    });
    world = new World({ namespace, api: admin, proxy, dir, bug });
    await writeFile(join(dir, 'kubeconfig'), kubeconfig(proxy.url, bed.ca, bed.operatorToken), { mode: 0o600 });
    return world;
  }

  /** Starts the operator, and starts it again whenever it is killed. */
  start(): void {
    this.#wanted = true;
    this.#spawn();
  }

  /** Kills the operator as the kernel would, without a word. */
  kill(): void {
    this.kills += 1;
    this.#operator?.kill('SIGKILL');
  }

  /** Stops the operator for good. */
  async stop(): Promise<void> {
    this.#wanted = false;
    const operator = this.#operator;
    if (operator === undefined || operator.exitCode !== null || operator.signalCode !== null) return;
    operator.kill('SIGKILL');
    await once(operator, 'exit');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.proxy.stop();
    await this.api.delete(`/api/v1/namespaces/${this.namespace}`).catch(() => undefined);
    await this.api.close();
    await rm(this.#dir, { recursive: true, force: true });
  }

  #spawn(): void {
    const plant = this.#bug === undefined ? [] : ['--import', new URL('plant.ts', import.meta.url).href];
    const command = new URL('../../cli/main.ts', import.meta.url).pathname;
    const args = ['operator', '--kubeconfig', join(this.#dir, 'kubeconfig'), '--namespace', this.namespace];
    const operator = spawn(
      process.execPath,
      [...plant, command, ...args, '--no-leader-elect', '--simulated-pods', '--port', '0'],
      {
        // Compiled once for all of its lives: what a plan takes is mostly the time that restarts take.
        env: {
          ...process.env,
          TRUNNION_TEST_BUG: this.#bug ?? '',
          NODE_COMPILE_CACHE: join(tmpdir(), 'trunnion-compiled'),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.#operator = operator;
    for (const stream of [operator.stdout, operator.stderr]) {
      stream.on('data', (chunk: Buffer) => this.output.push(chunk.toString()));
    }
    operator.on('exit', () => {
      if (this.#wanted) void sleep(RESTART_MS).then(() => this.#wanted && this.#spawn());
    });
  }
}
