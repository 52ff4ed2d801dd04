import { existsSync, readFileSync } from 'node:fs';
import { api } from './api.ts';
import type { Files, Ports } from './components.ts';
import { credentials, kubeconfig } from './credentials.ts';
import type { Tokens } from './credentials.ts';
import { freePort } from './ports.ts';
import { privateFolder, writePrivately } from './private.ts';
import { kwokConfig, manifest } from './simulation.ts';

/** What a cluster leaves in its folder for a later start. */
interface State {
  readonly ports: Ports;
}

/**
 * Makes the folder ready for the components: keys, configuration, ports.
 *
 * @param pace - by what the delays of simulated pods are multiplied
 * @throws where a cluster runs in it
 */
export async function prepare(files: Files, pace: number): Promise<{ ports: Ports; tokens: Tokens }> {
  const earlier = existsSync(files.state) ? (JSON.parse(readFileSync(files.state, 'utf8')) as State) : undefined;
  if (earlier !== undefined && (await answers(earlier.ports, files))) {
    throw new Error(`a cluster runs in this folder already: its kubeconfig is ${files.kubeconfig}`);
  }
  for (const folder of [files.pki, files.etcd, files.logs, files.podLogs]) {
    privateFolder(folder);
  }
  const ports = await choosePorts(earlier?.ports);
  writePrivately(files.state, JSON.stringify({ ports } satisfies State));
  writePrivately(files.kwokConfig, kwokConfig(pace, files.podLogs));
  writePrivately(files.auditPolicy, manifest('audit-policy.yaml'));
  return { ports, tokens: credentials(files) };
}

/** The kubeconfigs of the user and of the components. */
export function writeKubeconfigs(files: Files, url: string, ca: string, tokens: Tokens): void {
  const write = (file: string, token: string) => writePrivately(file, kubeconfig(url, ca, token));
  write(files.kubeconfig, tokens.admin);
  write(files.controllerManagerKubeconfig, tokens['kube-controller-manager']);
  write(files.schedulerKubeconfig, tokens['kube-scheduler']);
}

/** The API server's certificate, once it is there and whole. */
export function readCa(files: Files): string | undefined {
  const text = existsSync(files.ca) ? readFileSync(files.ca, 'utf8') : '';
  return text.endsWith('-----END CERTIFICATE-----\n') ? text : undefined;
}

/** Whether the API server that this folder tells of answers: only it has the key of the folder's certificate. */
async function answers(ports: Ports, files: Files): Promise<boolean> {
  const ca = readCa(files);
  if (ca === undefined) {
    return false;
  }
  const client = api(`https://127.0.0.1:${ports.api}`, ca, credentials(files).admin);
  try {
    await client.get('/livez');
    return true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}

/** Those of an earlier run where they are free, so that anyone who has its kubeconfig finds it again. */
async function choosePorts(earlier: Ports | undefined): Promise<Ports> {
  return {
    etcd: await freePort(earlier?.etcd),
    etcdPeer: await freePort(earlier?.etcdPeer),
    api: await freePort(earlier?.api),
    kubelet: await freePort(earlier?.kubelet),
  };
}
