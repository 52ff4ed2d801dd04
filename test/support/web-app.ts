import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import * as z from 'zod';
import type { Resource } from '../../operator/engine/api/index.ts';
import { defineKind } from '../../operator/runtime/index.ts';

/** A Deployment with its Service: what most begin with. */
export const webAppSpec = z.strictObject({
  image: z.string(),
  replicas: z.int().min(0).default(1),
  host: z.string().optional(),
});

export const deployment = (scope: Construct, id: string, name: string, replicas = 1, image = 'nginx'): ApiObject =>
  new ApiObject(scope, id, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image }] } },
    },
  });

export const service = (scope: Construct, id: string, name: string): ApiObject =>
  new ApiObject(scope, id, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ port: 80 }] },
  });

export const WebApp = defineKind({
  group: 'acme.dev',
  kind: 'WebApp',
  spec: webAppSpec,
  scale: true,
  construct: (scope, { name, spec }) => {
    deployment(scope, 'deployment', name, spec.replicas, spec.image);
    service(scope, 'service', name);
  },
});

export const resourceOf = <Spec>(spec: Spec, metadata: object = {}, kind = 'WebApp'): Resource<Spec> => ({
  apiVersion: 'acme.dev/v1',
  kind,
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...metadata,
  },
  spec,
});
