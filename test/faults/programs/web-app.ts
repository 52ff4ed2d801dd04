import { ApiObject, Chart } from 'cdk8s';
import * as z from 'zod';
import { defineKind } from '../../../operator/index.ts';

/** A kind as others define theirs: a ConfigMap, a Deployment that waits for it, and a Service. */
export const WebApp = defineKind({
  group: 'acme.dev',
  kind: 'WebApp',
  spec: z.strictObject({ image: z.string(), message: z.string(), replicas: z.int().default(1) }),
  children: ['v1/ConfigMap', 'apps/v1/Deployment', 'v1/Service'],
  construct: (scope, { name, spec }) => {
    const chart = new Chart(scope, 'web');
    const selector = { app: name };
    const config = new ApiObject(chart, 'config', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { message: spec.message },
    });
    const deployment = new ApiObject(chart, 'deployment', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        replicas: spec.replicas,
        selector: { matchLabels: selector },
        template: { metadata: { labels: selector }, spec: { containers: [{ name: 'web', image: spec.image }] } },
      },
    });
    deployment.node.addDependency(config);
    new ApiObject(chart, 'service', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { selector, ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 }] },
    });
  },
});
