/**
 * Prints the connection that a kubeconfig describes, as JSON. It runs as a child process of its own, because loading
 * client-node costs 85 MiB that would otherwise stay resident; only this file may import it for more than its types.
 */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { type Cluster, type Context, KubeConfig, type User } from '@kubernetes/client-node';
import type { RequestOptions } from 'node:https';
import { delimiter } from 'node:path';
import type { Connection, ConnectionSettings } from './connection.ts';
import { KubeconfigError, kubeconfigFiles } from './kubeconfig-files.ts';
import { kubeconfigJson } from './kubeconfig-text.ts';
import { similarTo } from '../../../constructs/parts/values/index.ts';

/** client-node reads YAML 1.2, where `no` is text, and so true; kubectl does not. All its ways to load use this. */
// oxlint-disable-next-line typescript/unbound-method -- it is called for the object that it is called on
const { loadFromString } = KubeConfig.prototype;
KubeConfig.prototype.loadFromString = function (this: KubeConfig, text, options) {
  loadFromString.call(this, kubeconfigJson(text), options);
};

type Settings = ConnectionSettings & { readonly from: 'kubeconfig' };

async function load(settings: Settings): Promise<Connection> {
  const files = kubeconfigFiles(settings.path);
  const file = files.join(delimiter);
  const config = read(files);
  if (settings.context !== undefined) config.setCurrentContext(settings.context);
  const context = contextOf(config, file);
  const cluster = clusterOf(config, context, file);
  const user = userOf(config, context, file);
  const options = await optionsOf(config, { context, user, file, timeoutMs: settings.pluginTimeoutMs });
  const headers = (options.headers ?? {}) as Readonly<Record<string, string>>;
  const authorization =
    headers['Authorization'] ?? (options.auth ? `Basic ${Buffer.from(options.auth).toString('base64')}` : undefined);
  const text = (pem: unknown) => (typeof pem === 'string' || Buffer.isBuffer(pem) ? pem.toString() : undefined);
  return JSON.parse(
    JSON.stringify({
      url: cluster.server,
      ca: text(options.ca),
      serverName: options.servername,
      cert: text(options.cert),
      key: text(options.key),
      authorization,
      namespace: context.namespace ?? 'default',
      origin: { file, context: context.name, user: context.user },
    }),
  ) as Connection;
}

/** Of several files the first one that chooses a context does. */
function read(files: readonly string[]): KubeConfig {
  const config = new KubeConfig();
  for (const [index, file] of files.entries()) {
    const next = index === 0 ? config : new KubeConfig();
    try {
      next.loadFromFile(file);
      if (index > 0) config.mergeConfig(next, Boolean(config.getCurrentContext()));
    } catch (error) {
      throw new KubeconfigError(`the kubeconfig ${file} can't be used: ${wordsOf(error)}`, { cause: error });
    }
  }
  return config;
}

function contextOf(config: KubeConfig, file: string): Context {
  const known = config.getContexts().map(({ name }) => name);
  const there = `There are: ${known.join(', ') || 'none'}`;
  const name = config.getCurrentContext();
  if (!name)
    throw new KubeconfigError(`the kubeconfig ${file} has no current-context. Choose one with --context. ${there}`);
  const context = config.getContextObject(name);
  if (context !== null) return context;
  const meant = similarTo(name, known);
  const question = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  throw new KubeconfigError(`the kubeconfig ${file} has no context "${name}".${question} ${there}`);
}

function clusterOf(config: KubeConfig, { name, cluster: wanted }: Context, file: string): Cluster {
  const cluster = config.getCluster(wanted);
  const where = `of the context "${name}" in the kubeconfig ${file}`;
  if (cluster === null) throw new KubeconfigError(`the cluster "${wanted}" ${where} is not there. Add it to clusters.`);
  if (URL.parse(cluster.server ?? '')?.protocol !== 'https:') {
    throw new KubeconfigError(
      `the cluster "${wanted}" ${where} has the server "${cluster.server ?? ''}". Write an address that begins with https://, such as https://10.0.0.1:6443; plain HTTP is not supported.`,
    );
  }
  if (cluster.skipTLSVerify) {
    throw new KubeconfigError(
      `the cluster "${wanted}" ${where} has insecure-skip-tls-verify, which is not supported: anybody between could read its token. Put its certificate-authority into the kubeconfig instead.`,
    );
  }
  if (cluster.proxyUrl !== undefined) {
    throw new KubeconfigError(
      `the cluster "${wanted}" ${where} has proxy-url "${cluster.proxyUrl}", which is not supported. Reach ${cluster.server} without it: by a VPN, or by a tunnel whose address is the server of another context.`,
    );
  }
  return cluster;
}

/** A context without a user is anonymous. */
function userOf(config: KubeConfig, { name, user: wanted }: Context, file: string): User | undefined {
  if (!wanted) return undefined;
  const user = config.getUser(wanted);
  if (user !== null) return user;
  throw new KubeconfigError(
    `the user "${wanted}" of the context "${name}" in the kubeconfig ${file} is not there. Add it to users.`,
  );
}

interface Chosen {
  readonly context: Context;
  readonly user: User | undefined;
  readonly file: string;
  readonly timeoutMs: number | undefined;
}

/** A credential plug-in may ask its user to log in. */
const PLUGIN_TIMEOUT_MS = 120_000;

/** Certificates and credentials. Of the latter a program may be asked, which may be missing, fail, or never end. */
async function optionsOf(
  config: KubeConfig,
  { context, user, file, timeoutMs = PLUGIN_TIMEOUT_MS }: Chosen,
): Promise<RequestOptions> {
  const where = `of the user "${context.user}" (context "${context.name}" of ${file})`;
  const command = (user?.exec as { readonly command?: string } | undefined)?.command;
  const plugin = `the credential plug-in "${command}" ${where}`;
  const plugins = new Plugins(config);
  const options: RequestOptions = {};
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    plugins.kill();
    const advice = 'Call it by hand: it may wait for you to log in.';
    late.reject(new KubeconfigError(`${plugin} has not ended within ${timeoutMs / 1000} s. ${advice}`));
  }, timeoutMs);
  try {
    await Promise.race([config.applyToHTTPSOptions(options), late.promise]);
    return options;
  } catch (error) {
    if (error instanceof KubeconfigError) throw error;
    const because = { cause: error };
    if (command === undefined)
      throw new KubeconfigError(`the credentials ${where} can't be used: ${wordsOf(error)}`, because);
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing) throw new KubeconfigError(`${plugin} is not there. Install it, or put its folder on PATH.`, because);
    throw new KubeconfigError(`${plugin} failed: ${wordsOf(error) || 'it said nothing'}`, because);
  } finally {
    clearTimeout(timer);
  }
}

/** The programs that client-node starts. Nobody types into them, so what waits for that is told that nobody will. */
class Plugins {
  readonly #started: ChildProcess[] = [];

  constructor(config: KubeConfig) {
    const { authenticators } = config as unknown as { readonly authenticators: readonly { execFn?: unknown }[] };
    for (const authenticator of authenticators.filter((one) => 'execFn' in one)) {
      authenticator.execFn = (command: string, args: readonly string[] = [], options: SpawnOptions = {}) => {
        const plugin = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
        this.#started.push(plugin);
        return plugin;
      };
    }
  }

  kill(): void {
    for (const plugin of this.#started) {
      plugin.kill('SIGKILL');
      // What it has started itself may keep these open.
      plugin.stdout?.destroy();
      plugin.stderr?.destroy();
    }
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).trim();

try {
  process.stdout.write(JSON.stringify(await load(JSON.parse(process.argv[2] ?? '{}'))));
} catch (error) {
  process.stderr.write(wordsOf(error));
  process.exitCode = 1;
}
