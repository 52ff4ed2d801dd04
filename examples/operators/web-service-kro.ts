// The web application of kro's examples: a Deployment, and a Service and an Ingress where they are wanted.
import { ApiObject } from 'cdk8s';
import { defineKind, operate } from 'trunnion-operator';
import * as z from 'zod';

type Balancer = { readonly loadBalancer?: { readonly ingress?: readonly { readonly hostname?: string }[] } };

export const WebApp = defineKind({
  group: 'kro.run',
  version: 'v1alpha1',
  kind: 'WebApp',
  description: 'A web application.',
  spec: z.strictObject({
    name: z.string().describe('Name of its objects.'),
    image: z.string().default('nginx').describe('The image.'),
    port: z.int().min(1).max(65_535).default(8080).describe('The port that the image listens on.'),
    replicas: z.int().min(0).default(1).describe('Number of pods.'),
    service: z
      .strictObject({ enabled: z.boolean().default(true) })
      .default({ enabled: true })
      .describe('A Service.'),
    ingress: z
      .strictObject({ enabled: z.boolean().default(false) })
      .default({ enabled: false })
      .describe('An Ingress.'),
    serviceAccount: z.string().default('default').describe('The ServiceAccount of its pods.'),
  }),
  status: z.strictObject({
    availableReplicas: z.int().optional().describe('How many pods are available.'),
    url: z.string().optional().describe('Host name of its load balancer.'),
  }),
  children: ['apps/v1/Deployment', 'v1/Service', 'networking.k8s.io/v1/Ingress'],
  reconcile: ({ child }) => {
    const { availableReplicas } = (child('Deployment')?.slice['status'] ?? {}) as { availableReplicas?: number };
    const { loadBalancer } = (child('Ingress')?.slice['status'] ?? {}) as Balancer;
    const url = loadBalancer?.ingress?.[0]?.hostname;
    return {
      status: { ...(availableReplicas !== undefined && { availableReplicas }), ...(url !== undefined && { url }) },
    };
  },
  construct: (scope, { spec: { name, image, port, replicas, service, ingress, serviceAccount } }) => {
    const labels = { 'app.kubernetes.io/name': name, app: name };
    const resources = { requests: { cpu: '250m', memory: '64Mi' }, limits: { cpu: '1', memory: '1Gi' } };
    const container = { name: 'webapp', image, imagePullPolicy: 'Always', ports: [{ containerPort: port }], resources };
    new ApiObject(scope, 'deployment', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { serviceAccountName: serviceAccount, containers: [container] } },
      },
    });
    if (!service.enabled) return;
    new ApiObject(scope, 'service', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { selector: labels, ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: port }] },
    });
    if (!ingress.enabled) return;
    const backend = { service: { name, port: { number: 80 } } };
    const annotations = {
      'kubernetes.io/ingress.class': 'alb',
      'alb.ingress.kubernetes.io/scheme': 'internet-facing',
      'alb.ingress.kubernetes.io/target-type': 'ip',
      'alb.ingress.kubernetes.io/healthcheck-path': '/health',
    };
    new ApiObject(scope, 'ingress', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name, annotations },
      spec: { rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
    });
  },
});

if (import.meta.main) await operate({ name: 'kro-webapp-operator', kinds: [WebApp] });
