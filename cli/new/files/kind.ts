import type { Names } from '../names.ts';
import type { ProjectFile } from '../types.ts';
import { imports } from './imports.ts';

/** The kind with its construct. */
export const kindFile = ({ kind, group, plural, file }: Names): ProjectFile => ({
  path: `src/${file}.ts`,
  text: `${imports(['{ k8s }', 'cdk8s-plus-28'], ['{ defineKind }', 'trunnion-operator'], ['* as z', 'zod'])}

/** What users write. The CRD, the types and the reference page follow from it. */
const spec = z.strictObject({
  image: z.string().min(1).max(512).describe('Image to run.'),
  port: z.int().min(1).max(65_535).default(8080).describe('Port that it listens on.'),
  replicas: z.int().min(0).max(1000).default(1).describe('How many pods run.'),
});

/** What the operator reports. observedGeneration and conditions are added to it. */
const status = z.strictObject({
  url: z.string().max(512).optional().describe('Where it answers, within the cluster.'),
});

export const ${kind} = defineKind({
  group: '${group}',
  version: 'v1alpha1',
  kind: '${kind}',
  plural: '${plural}',
  description: 'Pods that are alike, and a Service in front of them.',
  spec,
  status,
  examples: [{ image: 'registry.example.com/hello:1.0' }],

  // Any construct of cdk8s: what it makes is applied, kept as it is, and deleted with its resource.
  construct: (scope, { name, spec }) => {
    const labels = { 'app.kubernetes.io/name': '${file}', 'app.kubernetes.io/instance': name };
    const targetPort = k8s.IntOrString.fromNumber(spec.port);
    new k8s.KubeDeployment(scope, 'deployment', {
      metadata: { name, labels },
      spec: {
        replicas: spec.replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [
              {
                name: 'app',
                image: spec.image,
                ports: [{ name: 'http', containerPort: spec.port }],
                readinessProbe: { tcpSocket: { port: targetPort } },
              },
            ],
          },
        },
      },
    });
    new k8s.KubeService(scope, 'service', {
      metadata: { name, labels },
      spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort }] },
    });
  },

  // Pure: what it returns follows from what was seen. Accepted, Progressing, Available and Ready are added to it.
  reconcile: ({ name, namespace, ready }) => ({
    status: ready ? { url: \`http://\${name}.\${namespace}\` } : {},
  }),
});
`,
});
