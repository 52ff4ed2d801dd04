import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, kubeconfig } from '../../cluster/index.ts';
import { type KubeClient, TYPES } from '../../operator/kube/index.ts';
import { type Launch, Program } from './program.ts';
import { FaultProxy } from './proxy/proxy.ts';
import type { Signal } from './proxy/rules.ts';

/** A token of the operator's account, and how the server is made to refuse it. */
export interface Token {
  readonly text: string;
  /** It is refused once the server has forgotten that it accepted it: within ten seconds. */
  revoke(): Promise<void>;
}

/** Where an operator runs. */
export interface Place {
  /** The namespace to work in. */
  readonly namespace: string;
  /** The path of a kubeconfig, which leads to the proxy. */
  readonly kubeconfig: string;
  /** A folder with `token`, `ca.crt` and `namespace`, as Kubernetes mounts them into a pod. */
  readonly directory: string;
  /** The port of the proxy on 127.0.0.1. */
  readonly proxyPort: string;
  /** A port of 127.0.0.1 that is free, for probes. */
  readonly port: number;
}

/** The operator, as a program. */
export interface OperatorProgram {
  readonly launch: (place: Place) => Launch;
  /**
   * Where it says with a status of 200 that it is ready.
   *
   * @default - nowhere
   */
  readonly probe?: (place: Place) => string;
  /**
   * Whether it may end by itself, where it can't reach the API server for instance: it is started again, as in a pod.
   *
   * @default false
   */
  readonly mayEnd?: boolean;
  /**
   * Whether it reads its token again where that has changed: from the folder, or from the file that the kubeconfig names.
   *
   * @default false
   */
  readonly rereadsToken?: boolean;
}

/** The control plane that all worlds share, and the operator that is led into them. */
export interface Testbed {
  readonly url: string;
  /** PEM: the certificate of the API server, which the proxies show as well. */
  readonly ca: string;
  readonly servingKey: string;
  /** Directly at the server, with all rights. */
  readonly client: KubeClient;
  readonly operator: OperatorProgram;
  /** Of a ServiceAccount with the rights of the operator and no others. */
  issueToken(): Promise<Token>;
}

export interface WorldOptions {
  readonly testbed: Testbed;
  readonly namespace: string;
}

/** A namespace with an operator of its own, whose every word to the API server goes through a fault proxy. */
export class World implements AsyncDisposable {
  readonly namespace: string;
  /** Directly at the server, with all rights: the observer's. */
  readonly client: KubeClient;
  readonly proxy: FaultProxy;
  readonly operator: OperatorProgram;
  readonly program: Program;
  /** Faults that no rule of the proxy told of. */
  interventions = 0;
  /** UIDs of what was there before, where more than its namespace is compared. */
  baseline: ReadonlySet<string> = new Set();
  readonly #testbed: Testbed;
  readonly #place: Place;
  readonly #complaints: string[] = [];
  #token: Token;

  private constructor(options: WorldOptions, proxy: FaultProxy, place: Place, token: Token) {
    const { testbed, namespace } = options;
    this.namespace = namespace;
    this.client = testbed.client;
    this.operator = testbed.operator;
    this.proxy = proxy;
    this.#testbed = testbed;
    this.#place = place;
    this.#token = token;
    this.program = new Program({
      launch: testbed.operator.launch(place),
      mayEnd: testbed.operator.mayEnd ?? false,
      beforeRestart: () => this.#releaseLeases(),
    });
  }

  static async open(options: WorldOptions): Promise<World> {
    const { testbed, namespace } = options;
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await testbed.client.create(TYPES.namespace, body);
    let world: World | undefined;
    const proxy = await FaultProxy.start({
      upstream: { url: testbed.url, ca: testbed.ca },
      tls: { cert: testbed.ca, key: testbed.servingKey },
      onKill: (signal) => world?.program.signal(signal),
    });
    const directory = await mkdtemp(join(tmpdir(), 'faults-'));
    const place = {
      namespace,
      directory,
      kubeconfig: join(directory, 'kubeconfig'),
      proxyPort: proxy.port,
      port: await freePort(),
    };
    world = new World(options, proxy, place, await testbed.issueToken());
    await Promise.all([world.#mount('ca.crt', testbed.ca), world.#mount('namespace', namespace)]);
    await world.#mountToken();
    return world;
  }

  /** How many faults hit the operator. */
  get faults(): number {
    return this.proxy.rules.strikes + this.interventions;
  }

  get kills(): number {
    return this.program.kills;
  }

  /** What the operator did that no fault explains. */
  get complaints(): readonly string[] {
    return [...this.#complaints, ...this.program.deeds];
  }

  /** Whether the operator says that it is ready; undefined where it can't be asked. */
  async isReady(): Promise<boolean | undefined> {
    const url = this.operator.probe?.(this.#place);
    if (url === undefined) return undefined;
    return fetch(url, { signal: AbortSignal.timeout(PROBE_MS) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  complain(what: string): void {
    this.#complaints.push(what);
  }

  /** Starts the operator, and starts it again whenever it has ended. */
  start(): void {
    this.program.start();
  }

  signal(name: Signal): void {
    this.program.signal(name);
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
    await this.#mountToken();
    await before.revoke();
  }

  /** Stops the operator for good. */
  async stop(): Promise<void> {
    await this.program.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.proxy.stop();
    await this.#token.revoke();
    await rm(this.#place.directory, { recursive: true, force: true });
  }

  async #mountToken(): Promise<void> {
    const { text } = this.#token;
    await this.#mount('token', text);
    const { directory, namespace } = this.#place;
    const more = { namespace, tokenFile: join(directory, 'token') };
    await this.#mount('kubeconfig', kubeconfig(this.proxy.url, this.#testbed.ca, text, more));
  }

  /** Puts a file at once where the operator finds it, so that it never reads half of one. */
  async #mount(name: string, text: string): Promise<void> {
    const file = join(this.#place.directory, name);
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  /** A killed operator holds its Leases until they expire, and no other one waits for them here. */
  async #releaseLeases(): Promise<void> {
    await Promise.all(
      leasesIn(this.proxy.log).map((ref) =>
        this.client.patch(TYPES.lease, ref, { spec: { holderIdentity: null } }).catch(() => undefined),
      ),
    );
  }
}

/** How long a probe may take. */
const PROBE_MS = 1_000;

/** The Leases that were written. */
export function leasesIn(log: FaultProxy['log']): readonly { readonly namespace: string; readonly name: string }[] {
  const written = log.flatMap(({ exchange: { resource, namespace, name, method } }) =>
    resource === 'leases' && namespace !== undefined && name !== undefined && method !== 'GET'
      ? [{ namespace, name }]
      : [],
  );
  return [...new Map(written.map((ref) => [`${ref.namespace}/${ref.name}`, ref])).values()];
}
