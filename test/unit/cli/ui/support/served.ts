import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { UiServer } from '../../../../../cli/ui/server.ts';
import { connect, KubeClient } from '../../../../../operator/kube/index.ts';
import { type Contents, ForwardingCluster } from '../../support/forwarding-cluster.ts';

/** What a server answered. */
export interface Answered {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** What is sent. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A server of the page, on a cluster of the test. */
export class Served {
  readonly server: UiServer;
  readonly cluster: ForwardingCluster;
  readonly port: number;
  readonly token: string;

  private constructor(server: UiServer, cluster: ForwardingCluster) {
    const { port, hash } = new URL(server.url);
    this.server = server;
    this.cluster = cluster;
    this.port = Number(port);
    this.token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  }

  static async start(contents: Contents): Promise<Served> {
    const cluster = await ForwardingCluster.start(contents);
    const connection = connect({ from: 'kubeconfig', path: cluster.kubeconfig });
    const client = new KubeClient({ connection, patient: false });
    const session = { version: '1.2.3', context: 'a', server: 'https://x', namespace: 'models' };
    const server = await UiServer.start({ client, connection, operatorNamespace: 'trunnion-system', session }, 0);
    onTestFinished(async () => {
      await server.close();
      await client.close();
    });
    return new Served(server, cluster);
  }

  /** Asks as its page does. */
  async ask(path: string, { headers = {}, ...sent }: Sent = {}): Promise<Answered> {
    return this.askBare(path, { ...sent, headers: { authorization: `Bearer ${this.token}`, ...headers } });
  }

  /** Asks without the token. */
  async askBare(path: string, { method = 'GET', headers = {}, body = '' }: Sent = {}): Promise<Answered> {
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    const asked = request({ host: '127.0.0.1', port: this.port, path, method, headers, agent: false }, (response) => {
      const { statusCode: status = 0, headers: sent } = response;
      text(response).then((answer) => resolve({ status, headers: sent, body: answer }), reject);
    });
    asked.on('error', reject).end(body);
    return promise;
  }
}
