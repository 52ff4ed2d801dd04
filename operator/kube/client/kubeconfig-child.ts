/**
 * Prints the connection that a kubeconfig describes, as JSON. It runs as a child process of its own, because loading
 * client-node costs 85 MiB that would otherwise stay resident; only this file may import it for more than its types.
 */
import { KubeConfig } from '@kubernetes/client-node';
import type { RequestOptions } from 'node:https';
import type { Connection, ConnectionSettings } from './connection.ts';
import { kubeconfigJson } from './kubeconfig-text.ts';

/** client-node reads YAML 1.2, where `no` is text, and so true; kubectl does not. All its ways to load use this. */
// oxlint-disable-next-line typescript/unbound-method -- it is called for the object that it is called on
const { loadFromString } = KubeConfig.prototype;
KubeConfig.prototype.loadFromString = function (this: KubeConfig, text, options) {
  loadFromString.call(this, kubeconfigJson(text), options);
};

async function load(settings: ConnectionSettings & { from: 'kubeconfig' }): Promise<Connection> {
  const config = new KubeConfig();
  if (settings.path === undefined) config.loadFromDefault();
  else config.loadFromFile(settings.path);
  if (settings.context !== undefined) config.setCurrentContext(settings.context);

  const cluster = config.getCurrentCluster();
  if (cluster === null) {
    const known = config.getContexts().map(({ name }) => name);
    throw new Error(`no context "${config.getCurrentContext()}"; there are: ${known.join(', ') || 'none'}`);
  }
  if (cluster.skipTLSVerify) {
    throw new Error(
      `cluster "${cluster.name}" has insecure-skip-tls-verify, which is not supported: ` +
        'put its certificate-authority into the kubeconfig instead',
    );
  }
  if (cluster.proxyUrl !== undefined) {
    throw new Error(`cluster "${cluster.name}" has proxy-url "${cluster.proxyUrl}", which is not supported`);
  }

  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
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
      namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? 'default',
    }),
  ) as Connection;
}

try {
  process.stdout.write(JSON.stringify(await load(JSON.parse(process.argv[2] ?? '{}'))));
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
