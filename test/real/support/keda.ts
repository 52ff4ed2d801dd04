import { join } from 'node:path';
import { selfSigned } from '../../../certificates/index.ts';
import { writePrivately } from '../../../cluster/private.ts';
import { NODE_IP } from '../../../cluster/real-node/layout.ts';
import type { Manifest } from '../../../constructs/workload.ts';
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
import { buildKeda, KEDA } from './scaling-programs.ts';
import type { Testbed } from './testbed.ts';

const NAMESPACE = 'keda';
const ADAPTER = 'keda-metrics-apiserver';
/** Where the operator tells the adapter figures: on the loopback of the node. */
const FIGURES = '127.0.0.1:9666';
/** Where the API server asks the adapter; 6443 is the API server's own. */
const ADAPTER_PORT = 6444;

/** What KEDA's own manifests install of its config folder, but for its webhooks. */
const MANIFESTS = [
  'general/namespace.yaml',
  'crd/bases',
  'service_account/service_account.yaml',
  'rbac/role.yaml',
  'rbac/role_binding.yaml',
  'metrics-server/role.yaml',
  'metrics-server/role_binding.yaml',
];

/**
 * Installs KEDA, and runs its operator and its adapter as its own manifests do, with their rights.
 *
 * @returns once its operator leads, and the API server serves external metrics
 */
export async function startKeda(testbed: Testbed): Promise<void> {
  const { operator, adapter } = await buildKeda();
  const config = join(await sourceOf(KEDA.modules, KEDA.module), 'config');
  const folder = folderOf(testbed, 'keda');
  const { certificate, key } = selfSigned('keda', [`${ADAPTER}.${NAMESPACE}.svc`]);
  // Its operator and its adapter know each other by one certificate, which is its own authority.
  for (const name of ['ca.crt', 'tls.crt']) writePrivately(join(folder, name), certificate);
  writePrivately(join(folder, 'tls.key'), key);

  await applyAll(
    testbed,
    MANIFESTS.flatMap((path) => manifestsIn(join(config, path))),
    NAMESPACE,
  );
  await applyAll(testbed, [...serviceOnNode(NAMESPACE, ADAPTER, 443, ADAPTER_PORT), apiService(certificate)]);
  const kubeconfig = join(folder, 'kubeconfig');
  await writeKubeconfig(testbed.cluster, { namespace: NAMESPACE, name: 'keda-operator' }, kubeconfig);
  const env = {
    POD_NAMESPACE: NAMESPACE,
    WATCH_NAMESPACE: '',
    // A pod would read it from its service account's files.
    KEDA_CLUSTER_OBJECT_NAMESPACE: NAMESPACE,
    KUBECONFIG: kubeconfig,
  };

  const leads = startOnNode(
    testbed,
    'keda-operator',
    [
      operator,
      '--leader-elect',
      '--zap-log-level=info',
      '--zap-encoder=console',
      '--zap-time-encoding=rfc3339',
      `--cert-dir=${folder}`,
      `--metrics-service-bind-address=${FIGURES}`,
      '--metrics-bind-address=127.0.0.1:18090',
      '--health-probe-bind-address=127.0.0.1:18091',
    ],
    env,
  );
  const served = startOnNode(
    testbed,
    ADAPTER,
    [
      adapter,
      `--secure-port=${ADAPTER_PORT}`,
      `--bind-address=${NODE_IP}`,
      '--port=18092',
      '--zap-log-level=error',
      `--client-ca-file=${folder}/ca.crt`,
      `--tls-cert-file=${folder}/tls.crt`,
      `--tls-private-key-file=${folder}/tls.key`,
      `--cert-dir=${folder}`,
      `--metrics-service-address=${FIGURES}`,
      ...['', 'authentication-', 'authorization-', 'lister-'].map((of) => `--${of}kubeconfig=${kubeconfig}`),
    ],
    env,
  );
  await serves(testbed, `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/operator.keda.sh`, leads);
  await serves(testbed, '/apis/external.metrics.k8s.io/v1beta1', served);
}

/** As in its config/metrics-server/api_service.yaml, with what its operator adds to it where certificates are its affair. */
const apiService = (certificate: string): Manifest => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1beta1.external.metrics.k8s.io' },
  spec: {
    service: { name: ADAPTER, namespace: NAMESPACE },
    group: 'external.metrics.k8s.io',
    version: 'v1beta1',
    caBundle: Buffer.from(certificate).toString('base64'),
    groupPriorityMinimum: 100,
    versionPriority: 100,
  },
});
