import { join } from 'node:path';
import { NODE_IP } from '../../../cluster/real-node/layout.ts';
import {
  applyAll,
  folderOf,
  manifestsIn,
  serves,
  serviceOnNode,
  sourceOf,
  startOnNode,
  writeKubeconfig,
} from './extensions.ts';
import { buildMetricsServer, METRICS_SERVER } from './scaling-programs.ts';
import type { Testbed } from './testbed.ts';

const NAMESPACE = 'kube-system';
const NAME = 'metrics-server';
/** 10250, as its manifests have it, is the kubelet's. */
const PORT = 4443;

/**
 * Installs metrics-server by its own manifests, and runs it with its rights. It asks the real node alone: simulated ones have
 * no figures.
 *
 * @returns once the API server serves the figures of the node
 */
export async function startMetricsServer(testbed: Testbed): Promise<void> {
  const program = await buildMetricsServer();
  const base = join(await sourceOf(METRICS_SERVER.modules, METRICS_SERVER.module), 'manifests/base');
  const folder = folderOf(testbed, NAME);
  await applyAll(testbed, [
    ...['rbac.yaml', 'apiservice.yaml'].flatMap((file) => manifestsIn(join(base, file))),
    ...serviceOnNode(NAMESPACE, NAME, 443, PORT),
  ]);
  const kubeconfig = join(folder, 'kubeconfig');
  await writeKubeconfig(testbed.cluster, { namespace: NAMESPACE, name: NAME }, kubeconfig);
  const started = startOnNode(testbed, NAME, [
    program,
    `--cert-dir=${folder}`,
    `--bind-address=${NODE_IP}`,
    `--secure-port=${PORT}`,
    '--kubelet-preferred-address-types=InternalIP',
    '--kubelet-use-node-status-port',
    // Certificates of kubelets are made by themselves here, as kubeadm has them.
    '--kubelet-insecure-tls',
    '--metric-resolution=15s',
    '--node-selector=node.kubernetes.io/instance-type=real',
    ...['', 'authentication-', 'authorization-'].map((of) => `--${of}kubeconfig=${kubeconfig}`),
  ]);
  await serves(testbed, '/apis/metrics.k8s.io/v1beta1/nodes/real-0', started);
}
