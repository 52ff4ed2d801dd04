import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { stringify } from 'yaml';
import type { Program } from '../../../cluster/process.ts';
import { NODE_IP } from '../../../cluster/real-node/layout.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { buildPrometheus } from '../../monitoring/setup.ts';
import { applyAll, folderOf, PATIENCE, startOnNode, writeKubeconfig } from './extensions.ts';
import type { Testbed } from './testbed.ts';

const NAMESPACE = 'monitoring';
const PORT = 9090;

/** Prometheus, which finds the pods by the API server, and scrapes those that ask for it by their annotations. */
export class NodePrometheus {
  /** For `spec.autoscaling.prometheus.serverAddress`. */
  readonly url = `http://${NODE_IP}:${PORT}`;
  readonly #testbed: Testbed;
  readonly #command: readonly string[];
  readonly #dispatcher: Agent;
  #program: Program;

  private constructor(testbed: Testbed, folder: string, command: readonly string[]) {
    this.#testbed = testbed;
    this.#command = command;
    this.#program = this.#launch();
    // From this machine into the network of the node.
    const socketPath = join(folder, 'sock');
    startOnNode(testbed, 'prometheus-relay', [
      'socat',
      `UNIX-LISTEN:${socketPath},fork,unlink-early,mode=600`,
      `TCP:${NODE_IP}:${PORT}`,
    ]);
    this.#dispatcher = new Agent({ connect: { socketPath } });
  }

  /**
   * @param scrapeInterval - of seconds; Prometheus' own default is 60
   * @returns once it answers
   */
  static async start(testbed: Testbed, scrapeInterval = 5): Promise<NodePrometheus> {
    const { prometheus: program } = await buildPrometheus();
    await applyAll(testbed, rights);
    const folder = folderOf(testbed, 'prometheus');
    const kubeconfig = join(folder, 'kubeconfig');
    await writeKubeconfig(testbed.cluster, { namespace: NAMESPACE, name: 'prometheus' }, kubeconfig);
    const config = join(folder, 'prometheus.yaml');
    writeFileSync(config, stringify(settings(kubeconfig, scrapeInterval)));
    const prometheus = new NodePrometheus(testbed, folder, [
      program,
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${NODE_IP}:${PORT}`,
    ]);
    await prometheus.#answers();
    return prometheus;
  }

  /** Ends it with SIGKILL. */
  async kill(): Promise<void> {
    await this.#program.stop(0);
  }

  /** Starts it again after a kill, and waits until it answers. */
  async restart(): Promise<void> {
    this.#program = this.#launch();
    await this.#answers();
  }

  /** The values that a query gives now, one a series. */
  async ask(query: string): Promise<readonly number[]> {
    const { body } = await this.#dispatcher.request({
      origin: this.url,
      path: `/api/v1/query?${new URLSearchParams({ query }).toString()}`,
      method: 'GET',
    });
    const { data, error } = (await body.json()) as Answer;
    if (data === undefined) throw new Error(`${query}: ${error}`);
    return data.result.map(({ value: [, text] }) => Number(text));
  }

  #launch(): Program {
    return startOnNode(this.#testbed, 'prometheus', this.#command);
  }

  #answers(): Promise<unknown> {
    return eventually(async () => {
      try {
        return await this.ask('vector(1)');
      } catch (error) {
        throw new Error(`Prometheus does not answer:\n${this.#program.lastWords()}`, { cause: error });
      }
    }, PATIENCE);
  }
}

interface Answer {
  readonly data?: { readonly result: readonly { readonly value: readonly [number, string] }[] };
  readonly error?: string;
}

const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'prometheus' };
const rights = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'prometheus', namespace: NAMESPACE } },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: role.name },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: role.name },
    roleRef: role,
    subjects: [{ kind: 'ServiceAccount', name: 'prometheus', namespace: NAMESPACE }],
  },
];

const annotation = (name: string): string => `__meta_kubernetes_pod_annotation_prometheus_io_${name}`;

/** The job of pods in Prometheus' own documentation/examples/prometheus-kubernetes.yml, with the labels namespace and pod. */
const settings = (kubeconfig: string, interval: number): object => ({
  global: { scrape_interval: `${interval}s`, scrape_timeout: `${interval}s` },
  scrape_configs: [
    {
      job_name: 'kubernetes-pods',
      kubernetes_sd_configs: [{ role: 'pod', kubeconfig_file: kubeconfig }],
      relabel_configs: [
        { source_labels: [annotation('scrape')], action: 'keep', regex: 'true' },
        { source_labels: [annotation('path')], action: 'replace', target_label: '__metrics_path__', regex: '(.+)' },
        {
          source_labels: ['__address__', annotation('port')],
          action: 'replace',
          regex: String.raw`([^:]+)(?::\d+)?;(\d+)`,
          replacement: '$1:$2',
          target_label: '__address__',
        },
        { source_labels: ['__meta_kubernetes_namespace'], action: 'replace', target_label: 'namespace' },
        { source_labels: ['__meta_kubernetes_pod_name'], action: 'replace', target_label: 'pod' },
        { source_labels: ['__meta_kubernetes_pod_phase'], action: 'drop', regex: 'Pending|Succeeded|Failed|Completed' },
      ],
    },
  ],
});
