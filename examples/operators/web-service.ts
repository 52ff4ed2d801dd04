// The WebService that cdk8s's users asked for: a construct of cdk8s-plus, served as a resource.
import { Deployment, ServiceType } from 'cdk8s-plus-28';
import { defineKind, operate } from 'trunnion-operator';
import * as z from 'zod';

export const WebService = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'WebService',
  description: 'An image that serves the web, with a load balancer before it.',
  spec: z.strictObject({
    image: z.string().describe('The image.'),
    replicas: z.int().min(0).default(1).describe('Number of pods.'),
    port: z.int().min(1).max(65_535).default(80).describe('The port of the load balancer.'),
    containerPort: z.int().min(1).max(65_535).default(8080).describe('The port that the image listens on.'),
  }),
  examples: [{ image: 'paulbouwer/hello-kubernetes:1.7', replicas: 2 }],
  construct: (scope, { name, spec: { image, replicas, port, containerPort } }) => {
    const securityContext = { ensureNonRoot: false, readOnlyRootFilesystem: false };
    const deployment = new Deployment(scope, 'deployment', {
      metadata: { name },
      replicas,
      containers: [{ name: 'web', image, portNumber: containerPort, securityContext, resources: {} }],
    });
    const ports = [{ port, targetPort: containerPort }];
    deployment.exposeViaService({ name, serviceType: ServiceType.LOAD_BALANCER, ports });
  },
});

if (import.meta.main) await operate({ name: 'web-service-operator', kinds: [WebService] });
