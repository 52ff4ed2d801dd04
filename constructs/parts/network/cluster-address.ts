/** Where a URL or an address leads that only the cluster can resolve. */
export interface ClusterAddress {
  readonly namespace: string;
  /**
   * The port that is named.
   *
   * @default - none is: that of the protocol
   */
  readonly port?: number;
}

/** `SERVICE.NAMESPACE.svc`, or `POD.SERVICE.NAMESPACE.svc` behind a headless Service, with the usual domain or without. */
const SERVICE_NAME = /^(?:[-a-z0-9]+\.)+([-a-z0-9]+)\.svc(?:\.cluster\.local\.?)?$/;

/** A name without a dot is that of a Service of the same namespace. */
const SHORT_NAME = /^[a-z][-a-z0-9]*$/;

/** The host and the port of a URL, or of `HOST:PORT`. */
const AUTHORITY = /^(?:[a-z]+:\/\/)?(\[[^\]]*\]|[^/:?#]*)(?::(\d+))?(?:[/?#]|$)/;

/**
 * Reads a URL, or `HOST:PORT`, whose host is a Service.
 *
 * `NAME.NAMESPACE` without `svc` is not taken for one: it might as well be a domain of the internet.
 *
 * @param own - the namespace from which it is looked up
 * @returns undefined where it leads out of the cluster, or to the pod itself
 */
export function clusterAddress(address: string, own: string): ClusterAddress | undefined {
  const [, host = '', port] = AUTHORITY.exec(address) ?? [];
  const namespace = SERVICE_NAME.exec(host)?.[1] ?? (SHORT_NAME.test(host) && !isLoopback(address) ? own : undefined);
  return namespace === undefined ? undefined : { namespace, ...(port !== undefined && { port: Number(port) }) };
}

/** Whether a URL leads to the pod that asks: to a container beside it. */
export function isLoopback(address: string): boolean {
  const host = AUTHORITY.exec(address)?.[1] ?? '';
  return host === 'localhost' || host.startsWith('127.') || host === '[::1]';
}
