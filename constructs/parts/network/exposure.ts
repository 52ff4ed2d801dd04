import type { Manifest } from '../../workload.ts';

/** `spec.expose`: exactly one of both. */
export interface Exposure {
  readonly ingress?: {
    readonly host: string;
    readonly className?: string;
    readonly tlsSecretName?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly gateway?: { readonly name: string; readonly namespace?: string; readonly hostname: string };
}

/** The Service that requests are led to. */
export interface Backend {
  readonly name: string;
  readonly port: number;
}

/** Seconds that a stream of tokens may last; proxies cut it after 60 by default. */
const STREAM_SECONDS = 3600;

/**
 * What ingress-nginx needs for long streams: no cut while tokens come slowly, no buffer that holds them back, no limit
 * of 1 MiB for prompts with images. Other controllers ignore the annotations.
 */
const NGINX: Readonly<Record<string, string>> = {
  'nginx.ingress.kubernetes.io/proxy-body-size': '64m',
  'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
  'nginx.ingress.kubernetes.io/proxy-read-timeout': String(STREAM_SECONDS),
  'nginx.ingress.kubernetes.io/proxy-send-timeout': String(STREAM_SECONDS),
};

/** An Ingress whose timeouts fit long streams. */
export const ingress = (
  metadata: Manifest['metadata'],
  { host, className, tlsSecretName, annotations }: NonNullable<Exposure['ingress']>,
  backend: Backend,
): Manifest => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { ...metadata, annotations: { ...(mayBeNginx(className) && NGINX), ...annotations } },
  spec: {
    ...(className !== undefined && { ingressClassName: className }),
    ...(tlsSecretName !== undefined && { tls: [{ hosts: [host], secretName: tlsSecretName }] }),
    rules: [
      {
        host,
        http: {
          paths: [
            {
              path: '/',
              pathType: 'Prefix',
              backend: { service: { name: backend.name, port: { number: backend.port } } },
            },
          ],
        },
      },
    ],
  },
});

/** An HTTPRoute of the Gateway API whose timeouts fit long streams. */
export const httpRoute = (
  metadata: Manifest['metadata'],
  { name, namespace, hostname }: NonNullable<Exposure['gateway']>,
  backend: Backend,
): Manifest => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata,
  spec: {
    // The CRD's lists are atomic, so anyone who applies one owns its defaults as well: they are written out.
    parentRefs: [
      { group: 'gateway.networking.k8s.io', kind: 'Gateway', name, ...(namespace !== undefined && { namespace }) },
    ],
    hostnames: [hostname],
    rules: [
      {
        matches: [{ path: { type: 'PathPrefix', value: '/' } }],
        backendRefs: [{ group: '', kind: 'Service', name: backend.name, port: backend.port, weight: 1 }],
        timeouts: { request: `${STREAM_SECONDS}s`, backendRequest: `${STREAM_SECONDS}s` },
      },
    ],
  },
});

/** The cluster's default class is often nginx too. */
const mayBeNginx = (className: string | undefined): boolean => className === undefined || className.includes('nginx');
