import { type AnnotationGroup, under } from './group.ts';
import { ADDRESSES, BOOLEAN, DURATION, HTTP_STATUSES, NAME, NAMES, NUMBER, PATH, oneOf } from './values.ts';

const alb: AnnotationGroup = {
  reader: 'AWS Load Balancer Controller',
  source: 'https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/ingress/annotations/',
  why: 'They act on the target group of the own Service. Left out is all that acts on the load balancer, which Ingresses of several namespaces may share (group.*, scheme, subnets, security-groups, listen-ports, load-balancer-*, certificate-arn, tags, WAF), and actions and conditions, which lead anywhere.',
  keys: under('alb.ingress.kubernetes.io', {
    'backend-protocol': oneOf('HTTP', 'HTTPS'),
    'backend-protocol-version': oneOf('HTTP1', 'HTTP2', 'GRPC'),
    'healthcheck-interval-seconds': NUMBER,
    'healthcheck-path': PATH,
    'healthcheck-port': { pattern: /^([0-9]{1,5}|traffic-port)$/, allowed: 'the number of a port, or traffic-port' },
    'healthcheck-protocol': oneOf('HTTP', 'HTTPS'),
    'healthcheck-timeout-seconds': NUMBER,
    'healthy-threshold-count': NUMBER,
    'success-codes': HTTP_STATUSES,
    'target-group-attributes': {
      pattern: /^[a-z_.]{1,64}=[a-zA-Z0-9_.]{1,64}(,[a-z_.]{1,64}=[a-zA-Z0-9_.]{1,64}){0,15}$/,
      allowed: 'attributes with commas between them, for instance deregistration_delay.timeout_seconds=120',
    },
    'target-type': oneOf('instance', 'ip'),
    'unhealthy-threshold-count': NUMBER,
  }),
};

const gke: AnnotationGroup = {
  reader: 'GKE Ingress',
  source: 'https://cloud.google.com/kubernetes-engine/docs/how-to/load-balance-ingress',
  why: 'HTTP on or off, and objects of the same namespace. Left out are addresses and certificates of the project, which others use as well, and the class, which has a field.',
  keys: {
    'kubernetes.io/ingress.allow-http': BOOLEAN,
    'networking.gke.io/managed-certificates': NAMES,
    'networking.gke.io/v1beta1.FrontendConfig': NAME,
  },
};

const azure: AnnotationGroup = {
  reader: 'Application Gateway Ingress Controller',
  source: 'https://azure.github.io/application-gateway-kubernetes-ingress/annotations/',
  why: 'They act on the backend of this Ingress. Left out are hostname-extension, which claims other hosts, and what names parts of the gateway (listeners, certificates, firewall policies, rewrites).',
  keys: under('appgw.ingress.kubernetes.io', {
    'backend-protocol': oneOf('http', 'https'),
    'connection-draining': BOOLEAN,
    'connection-draining-timeout': NUMBER,
    'cookie-based-affinity': BOOLEAN,
    'health-probe-interval': NUMBER,
    'health-probe-path': PATH,
    'health-probe-status-codes': HTTP_STATUSES,
    'health-probe-timeout': NUMBER,
    'health-probe-unhealthy-threshold': NUMBER,
    'request-timeout': NUMBER,
    'ssl-redirect': BOOLEAN,
  }),
};

const openShift: AnnotationGroup = {
  reader: 'OpenShift router',
  source:
    'https://docs.redhat.com/en/documentation/openshift_container_platform/4.18/html/networking/configuring-routes',
  why: 'They act on the own Route. Left out are rewrites, header text, and passthrough, by which the router no longer sees what it serves.',
  keys: {
    'route.openshift.io/termination': oneOf('edge', 'reencrypt'),
    ...under('haproxy.router.openshift.io', {
      balance: oneOf('roundrobin', 'leastconn', 'source', 'random'),
      disable_cookies: BOOLEAN,
      ip_allowlist: ADDRESSES,
      ip_whitelist: ADDRESSES,
      'pod-concurrent-connections': NUMBER,
      'rate-limit-connections': BOOLEAN,
      'rate-limit-connections.concurrent-tcp': NUMBER,
      'rate-limit-connections.rate-http': NUMBER,
      'rate-limit-connections.rate-tcp': NUMBER,
      timeout: DURATION,
      'timeout-tunnel': DURATION,
    }),
  },
};

const cilium: AnnotationGroup = {
  reader: 'Cilium Ingress',
  source: 'https://docs.cilium.io/en/stable/network/servicemesh/ingress/',
  why: 'They act on the own route. Left out are the mode and the ports of the load balancer, and tls-passthrough.',
  keys: under('ingress.cilium.io', {
    'force-https': oneOf('enabled', 'disabled'),
    'request-timeout': DURATION,
  }),
};

const certManager: AnnotationGroup = {
  reader: 'cert-manager',
  source: 'https://cert-manager.io/docs/usage/ingress/',
  why: 'A certificate for the hosts of the Ingress, from an issuer that decides itself what it signs. Left out are common-name and alt-names, which claim other hosts, and secret-template, which annotates a Secret.',
  keys: {
    'kubernetes.io/tls-acme': BOOLEAN,
    'acme.cert-manager.io/http01-edit-in-place': BOOLEAN,
    'acme.cert-manager.io/http01-ingress-class': NAME,
    'acme.cert-manager.io/http01-ingress-ingressclassname': NAME,
    ...under('cert-manager.io', {
      'cluster-issuer': NAME,
      duration: DURATION,
      issuer: NAME,
      'issuer-group': NAME,
      'issuer-kind': NAME,
      'private-key-algorithm': oneOf('RSA', 'ECDSA', 'Ed25519'),
      'private-key-rotation-policy': oneOf('Never', 'Always'),
      'private-key-size': NUMBER,
      'renew-before': DURATION,
      'revision-history-limit': NUMBER,
    }),
  },
};

const externalDns: AnnotationGroup = {
  reader: 'external-dns',
  source: 'https://kubernetes-sigs.github.io/external-dns/latest/docs/annotations/annotations/',
  why: 'How the record of the own host is kept. The name itself comes from expose.ingress.host: left out are hostname, target, and the routing policies by which a record joins those of others.',
  keys: under('external-dns.alpha.kubernetes.io', {
    'cloudflare-proxied': BOOLEAN,
    ttl: DURATION,
  }),
};

/** What controllers of clouds read, and those of certificates and names. */
export const CLOUD_GROUPS: readonly AnnotationGroup[] = [alb, gke, azure, openShift, cilium, certManager, externalDns];
