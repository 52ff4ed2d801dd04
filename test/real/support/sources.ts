import type { Cluster } from '../../../cluster/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { selfSigned } from '../../unit/weights/support/certificate.ts';
import { type ProgramsImage, programsImage } from '../images/programs.ts';
import { PORTS } from '../sources/ports.ts';
import { available, RESTRICTED_CONTAINER, RESTRICTED_POD } from './pods.ts';
import { mainProcess, runInNetworkOf } from './processes.ts';

const SOURCES: ProgramsImage = {
  name: 'docker.io/library/trunnion-sources:real',
  programs: { sources: 'test/real/sources/main.ts' },
};
const NAME = 'sources';
const labels = { app: NAME };

/** A request that a source was asked. */
export interface Asked {
  /** Path and query. */
  readonly url: string;
  /** The header Range; empty where there was none. */
  readonly range: string;
  /** How many bytes of content were sent in answer. */
  readonly sent: number;
}

/** Where models come from: hosts in a pod, which go slowly and remember what they were asked. */
export interface Sources {
  /** In the cluster, without a port. */
  readonly host: string;
  /** Whom the web server is trusted by: itself, in PEM. */
  readonly certificate: string;
  asked(host: 'hub' | 'damagedHub' | 'web'): Promise<readonly Asked[]>;
}

/** Starts the sources, and waits until they answer. */
export async function startSources(cluster: Cluster, client: KubeClient, namespace: string): Promise<Sources> {
  await cluster.loadImage(await programsImage(SOURCES));
  const host = `${NAME}.${namespace}.svc.cluster.local`;
  const { key, cert } = selfSigned(host);
  const container = {
    name: NAME,
    image: SOURCES.name,
    env: [
      { name: 'SOURCES_KEY', value: key },
      { name: 'SOURCES_CERT', value: cert },
    ],
    readinessProbe: { tcpSocket: { port: PORTS.requests }, periodSeconds: 1 },
    securityContext: RESTRICTED_CONTAINER,
  };
  await client.create(TYPES.deployment, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { securityContext: RESTRICTED_POD, containers: [container] } },
    },
  });
  await client.create(TYPES.service, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: NAME, namespace },
    spec: {
      selector: labels,
      ports: Object.entries(PORTS).map(([name, port]) => ({ name: name.toLowerCase(), port })),
    },
  });
  await available(client, namespace, NAME, 1);
  return {
    host,
    certificate: cert,
    async asked(which) {
      const { items } = await client.list(TYPES.pod, { namespace, labelSelector: `app=${NAME}` });
      const id = await mainProcess(client, { namespace, name: items[0]?.metadata.name ?? '' }, NAME);
      const script = `console.log(await (await fetch('http://127.0.0.1:${PORTS.requests}')).text())`;
      const text = await runInNetworkOf(id, [process.execPath, '--input-type=module', '-e', script]);
      return (JSON.parse(text) as Readonly<Record<string, readonly Asked[]>>)[which] ?? [];
    },
  };
}
