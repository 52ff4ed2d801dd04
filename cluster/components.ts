import { join } from 'node:path';
import { SIMULATED } from './nodes.ts';

/** The programs of a cluster, in the order of their start. */
export const COMPONENTS = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kwok'] as const;
export type Component = (typeof COMPONENTS)[number];

/** The ports of 127.0.0.1 that a cluster listens on. */
export interface Ports {
  readonly etcd: number;
  readonly etcdPeer: number;
  readonly api: number;
  /** Where kwok answers for the kubelets of all nodes: logs. */
  readonly kubelet: number;
}

/** The files of a cluster, all in its folder. */
export interface Files {
  readonly etcd: string;
  readonly pki: string;
  /** Made by the API server at its first start; clients trust it by this very file. */
  readonly ca: string;
  readonly servingKey: string;
  /** etcd's, and that of its only client, the API server: without it etcd talks to nobody. */
  readonly etcdCertificate: string;
  readonly etcdKey: string;
  /** With it the API server asks servers that extend it; they trust what it says of who asked. */
  readonly frontProxyCertificate: string;
  readonly frontProxyKey: string;
  readonly tokens: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
  readonly kubeconfig: string;
  readonly controllerManagerKubeconfig: string;
  readonly schedulerKubeconfig: string;
  readonly kwokConfig: string;
  readonly auditPolicy: string;
  readonly auditLog: string;
  readonly logs: string;
  readonly podLogs: string;
  /** What a later start and `status` need to know. */
  readonly state: string;
}

export function filesOf(dir: string): Files {
  const pki = join(dir, 'pki');
  return {
    etcd: join(dir, 'etcd'),
    pki,
    ca: join(pki, 'apiserver.crt'),
    servingKey: join(pki, 'apiserver.key'),
    etcdCertificate: join(pki, 'etcd.crt'),
    etcdKey: join(pki, 'etcd.key'),
    frontProxyCertificate: join(pki, 'front-proxy.crt'),
    frontProxyKey: join(pki, 'front-proxy.key'),
    tokens: join(pki, 'tokens.csv'),
    serviceAccountKey: join(pki, 'service-account.key'),
    serviceAccountPublicKey: join(pki, 'service-account.pub'),
    kubeconfig: join(dir, 'kubeconfig'),
    controllerManagerKubeconfig: join(pki, 'kube-controller-manager.kubeconfig'),
    schedulerKubeconfig: join(pki, 'kube-scheduler.kubeconfig'),
    kwokConfig: join(dir, 'kwok.yaml'),
    auditPolicy: join(dir, 'audit-policy.yaml'),
    auditLog: join(dir, 'audit.log'),
    logs: join(dir, 'logs'),
    podLogs: join(dir, 'pod-logs'),
    state: join(dir, 'cluster.json'),
  };
}

/** Services get addresses that are apart from those of pods. */
const SERVICE_CIDR = '10.96.0.0/16';
/** For pods on nodes that have no range of their own (nodes made by hand). */
const POD_CIDR = '10.200.0.0/16';

/** Of whom the certificate is with which the API server asks servers that extend it. */
export const FRONT_PROXY = 'front-proxy-client';

/** What a cluster is asked for beyond the usual. */
export interface Extras {
  /** Whether the API server writes an audit log. */
  readonly audit: boolean;
  /** Beside a real node: the files of the certificate with which the API server asks its kubelet. */
  readonly kubeletClient?: { readonly certificate: string; readonly key: string };
}

/** The arguments of a component. Everything listens on 127.0.0.1 only. */
export function argumentsOf(component: Component, files: Files, ports: Ports, extras: Extras): string[] {
  return ARGUMENTS[component](files, ports, extras);
}

const ARGUMENTS: Record<Component, (files: Files, ports: Ports, extras: Extras) => string[]> = {
  etcd: (files, ports) => [
    '--name=default',
    `--data-dir=${files.etcd}`,
    `--listen-client-urls=https://127.0.0.1:${ports.etcd}`,
    `--advertise-client-urls=https://127.0.0.1:${ports.etcd}`,
    `--listen-peer-urls=https://127.0.0.1:${ports.etcdPeer}`,
    `--initial-advertise-peer-urls=https://127.0.0.1:${ports.etcdPeer}`,
    `--initial-cluster=default=https://127.0.0.1:${ports.etcdPeer}`,
    // Every user of this machine reaches 127.0.0.1; only anyone who can read the key gets an answer.
    ...['', 'peer-'].flatMap((side) => [
      `--${side}cert-file=${files.etcdCertificate}`,
      `--${side}key-file=${files.etcdKey}`,
      `--${side}trusted-ca-file=${files.etcdCertificate}`,
      `--${side}client-cert-auth`,
    ]),
    // What the kernel has been given survives a killed process; only a crash of the machine may lose it.
    '--unsafe-no-fsync',
    // As kubeadm has it. Without it a watch of a type that never changes gets no bookmark, and looks like a dead one.
    '--watch-progress-notify-interval=5s',
    '--log-level=warn',
  ],

  'kube-apiserver': (files, ports, { audit, kubeletClient }) => [
    `--etcd-servers=https://127.0.0.1:${ports.etcd}`,
    `--etcd-cafile=${files.etcdCertificate}`,
    `--etcd-certfile=${files.etcdCertificate}`,
    `--etcd-keyfile=${files.etcdKey}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${ports.api}`,
    // With no certificate in this folder it makes one, for 127.0.0.1 and localhost.
    `--cert-dir=${files.pki}`,
    `--token-auth-file=${files.tokens}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${files.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    `--service-cluster-ip-range=${SERVICE_CIDR}`,
    // As kubeadm has them. Servers that extend the API find them in kube-system/extension-apiserver-authentication.
    `--requestheader-client-ca-file=${files.frontProxyCertificate}`,
    `--requestheader-allowed-names=${FRONT_PROXY}`,
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${files.frontProxyCertificate}`,
    `--proxy-client-key-file=${files.frontProxyKey}`,
    // An address of the loopback is refused in Endpoints.
    '--endpoint-reconciler-type=none',
    '--allow-privileged=true',
    // Ends watches when it stops, instead of waiting for up to a minute until they end by themselves.
    '--shutdown-watch-termination-grace-period=100ms',
    '--kubelet-preferred-address-types=InternalIP',
    '--profiling=false',
    ...(kubeletClient
      ? [`--kubelet-client-certificate=${kubeletClient.certificate}`, `--kubelet-client-key=${kubeletClient.key}`]
      : []),
    ...(audit
      ? [`--audit-policy-file=${files.auditPolicy}`, `--audit-log-path=${files.auditLog}`, '--audit-log-maxsize=1024']
      : []),
  ],

  'kube-controller-manager': (files) => [
    `--kubeconfig=${files.controllerManagerKubeconfig}`,
    `--root-ca-file=${files.ca}`,
    `--service-account-private-key-file=${files.serviceAccountKey}`,
    '--use-service-account-credentials',
    '--leader-elect=false',
    '--secure-port=0',
    '--profiling=false',
    // Above the default of 20 a second: this machine is nobody else's.
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
  ],

  'kube-scheduler': (files) => [
    `--kubeconfig=${files.schedulerKubeconfig}`,
    '--leader-elect=false',
    '--secure-port=0',
    '--profiling=false',
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
  ],

  kwok: (files, ports, { kubeletClient }) => [
    `--kubeconfig=${files.kubeconfig}`,
    `--config=${files.kwokConfig}`,
    ...(kubeletClient
      ? ['--manage-all-nodes=false', `--manage-nodes-with-label-selector=${SIMULATED}`]
      : ['--manage-all-nodes']),
    // Without a lease the node controller takes a node for dead after 40 s.
    '--node-lease-duration-seconds=40',
    `--cidr=${POD_CIDR}`,
    '--node-ip=127.0.0.1',
    `--node-port=${ports.kubelet}`,
    `--server-address=127.0.0.1:${ports.kubelet}`,
    `--tls-cert-file=${files.ca}`,
    `--tls-private-key-file=${files.servingKey}`,
  ],
};
