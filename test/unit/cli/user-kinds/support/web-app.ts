import { k8s } from 'cdk8s-plus-28';
import * as z from 'zod';
import { defineKind } from '../../../../../operator/runtime/index.ts';

const labels = (name: string) => ({ 'app.kubernetes.io/name': 'web-app', 'app.kubernetes.io/instance': name });

/** A kind as users write them. */
export const WebApp = defineKind({
  group: 'acme.dev',
  version: 'v1',
  kind: 'WebApp',
  plural: 'webapps',
  shortNames: ['wa'],
  description: 'Pods that are alike.',
  spec: z.strictObject({
    image: z.string().max(512).describe('Image to run.'),
    replicas: z.int().min(0).max(100).default(1).describe('How many pods run.'),
  }),
  examples: [{ image: 'hello:1' }],
  construct: (scope, { name, spec }) => {
    new k8s.KubeDeployment(scope, 'deployment', {
      metadata: { name, labels: labels(name) },
      spec: {
        replicas: spec.replicas,
        selector: { matchLabels: labels(name) },
        template: {
          metadata: { labels: labels(name) },
          spec: { containers: [{ name: 'app', image: spec.image }] },
        },
      },
    });
    new k8s.KubeService(scope, 'service', {
      metadata: { name, labels: labels(name) },
      spec: { selector: labels(name), ports: [{ port: 80 }] },
    });
  },
});

export const operator = { name: 'acme-operator' };
