import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { plainText } from '../../../constructs/parts/values/index.ts';

/** How to reach an API server, and as whom. */
export interface Connection {
  /** `https://10.0.0.1:443`, with a path where the API is served below one. */
  readonly url: string;
  /**
   * The certificates to trust, PEM.
   *
   * @default - those that Node trusts
   */
  readonly ca?: string;
  /**
   * The name to expect in the server's certificate.
   *
   * @default - the host of `url`
   */
  readonly serverName?: string;
  /** Client certificate, PEM. */
  readonly cert?: string;
  /** Key of the client certificate, PEM. */
  readonly key?: string;
  /** The Authorization header: `Bearer …`. */
  readonly authorization?: string;
  /** The namespace that is meant where none is named. */
  readonly namespace: string;
  /**
   * Where it was read, for words about it.
   *
   * @default - the ServiceAccount of this pod, or a program
   */
  readonly origin?: {
    /** Path of the kubeconfig; of several, all of them. */
    readonly file: string;
    readonly context: string;
    readonly user?: string;
  };
}

/** There is no way to connect: a file is missing, or says something that does not fit. Its message says what to do. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** Where the settings come from. Plain data, so that a worker thread can connect by itself. */
export type ConnectionSettings =
  /** The ServiceAccount that Kubernetes mounts into a pod. */
  | { readonly from: 'cluster'; readonly directory?: string; readonly host?: string; readonly port?: string }
  /** A kubeconfig, by the rules of kubectl: `path`, else KUBECONFIG, else ~/.kube/config. */
  | {
      readonly from: 'kubeconfig';
      readonly path?: string;
      readonly context?: string;
      /**
       * How long a credential plug-in may take, in milliseconds.
       *
       * @default 120000
       */
      readonly pluginTimeoutMs?: number;
    }
  | { readonly from: 'fixed'; readonly connection: Connection };

/** The settings where none are given: by KUBECONFIG; in a pod without it by its ServiceAccount; else as kubectl has them. */
export const defaultConnection = (): ConnectionSettings =>
  variable('KUBECONFIG') === undefined && variable('KUBERNETES_SERVICE_HOST') !== undefined
    ? { from: 'cluster' }
    : { from: 'kubeconfig' };

/** Settings that may change while we run: tokens and certificates rotate. */
export interface ConnectionSource {
  /** The settings to use now. */
  current(): Promise<Connection>;
  /** Reads them again, since the server refused them. Called often, it reads seldom. */
  reload(): Promise<Connection>;
}

/** Where Kubernetes mounts the ServiceAccount. */
const MOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The kubelet renews tokens long before they expire; client-go too reads the file once a minute. */
const MOUNT_MAX_AGE_MS = 60_000;

/** Shortest time between two reloads, so that a server that refuses everything costs no storm of child processes. */
const RELOAD_INTERVAL_MS = 5_000;

/** Longer than a credential plug-in may take: the loader says itself that one has not ended. */
const LOADER_TIMEOUT_MS = 150_000;

/** Longest explanation that is told, in characters. */
const LONGEST_WORDS = 4_096;

/** The settings' source. */
export function connect(settings: ConnectionSettings): ConnectionSource {
  if (settings.from === 'fixed') return new CachedConnection(() => Promise.resolve(settings.connection), Infinity);
  if (settings.from === 'cluster') return new CachedConnection(() => fromMount(settings), MOUNT_MAX_AGE_MS);
  return new CachedConnection(() => fromKubeconfig(settings), Infinity);
}

/** Settings as last read; a read that fails leaves them as they are. */
export class CachedConnection implements ConnectionSource {
  readonly #load: () => Promise<Connection>;
  readonly #maxAgeMs: number;
  #connection: Connection | undefined;
  #loadedAt = -Infinity;
  #loading: Promise<Connection> | undefined;

  constructor(load: () => Promise<Connection>, maxAgeMs: number) {
    this.#load = load;
    this.#maxAgeMs = maxAgeMs;
  }

  async current(): Promise<Connection> {
    return this.#youngerThan(this.#maxAgeMs);
  }

  async reload(): Promise<Connection> {
    return this.#youngerThan(RELOAD_INTERVAL_MS);
  }

  async #youngerThan(ageMs: number): Promise<Connection> {
    if (this.#connection !== undefined && performance.now() - this.#loadedAt < ageMs) return this.#connection;
    this.#loading ??= this.#read().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #read(): Promise<Connection> {
    try {
      this.#connection = await this.#load();
    } catch (error) {
      if (this.#connection === undefined) throw error;
    }
    this.#loadedAt = performance.now();
    return this.#connection;
  }
}

async function fromMount(settings: ConnectionSettings & { from: 'cluster' }): Promise<Connection> {
  const host = settings.host ?? variable('KUBERNETES_SERVICE_HOST');
  const port = settings.port ?? variable('KUBERNETES_SERVICE_PORT');
  if (host === undefined || port === undefined) {
    throw new ConnectionError(
      'not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; outside a pod, use a kubeconfig',
    );
  }
  const directory = settings.directory ?? MOUNT;
  const [token, ca, namespace] = await Promise.all(
    ['token', 'ca.crt', 'namespace'].map((file) => readMounted(join(directory, file))),
  );
  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca: ca ?? '',
    authorization: `Bearer ${token?.trim()}`,
    namespace: namespace?.trim() ?? 'default',
  };
}

async function readMounted(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new ConnectionError(
      `this pod has no credentials of a ServiceAccount: ${file} can't be read (${code}). Set automountServiceAccountToken to true, or name a kubeconfig with --kubeconfig.`,
    );
  }
}

async function fromKubeconfig(settings: ConnectionSettings & { from: 'kubeconfig' }): Promise<Connection> {
  const loader = fileURLToPath(new URL(`./kubeconfig-child${extname(import.meta.url)}`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [loader, JSON.stringify(settings)], {
    timeout: LOADER_TIMEOUT_MS,
    maxBuffer: 16 * 2 ** 20,
  }).catch((error: Error & { stderr?: string }) => {
    // It quotes the file, and what a credential plug-in says. Without a word it was ended from outside.
    const words = plainText(error.stderr?.trim() ?? '', { lines: true, max: LONGEST_WORDS });
    const silent = `the kubeconfig ${settings.path ?? variable('KUBECONFIG') ?? '~/.kube/config'} could not be loaded within ${LOADER_TIMEOUT_MS / 1000} s`;
    throw new ConnectionError(words === '' ? silent : words);
  });
  return JSON.parse(stdout) as Connection;
}

/**
 * A variable of the environment. One that is empty counts as unset: `NAME= program` is how shells and manifests take a
 * variable away.
 */
export const variable = (name: string): string | undefined => process.env[name] || undefined;
