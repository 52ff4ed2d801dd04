import { ApiObject } from 'cdk8s';
import * as z from 'zod';
import { defineKind } from '../../../operator/index.ts';

/** A kind as a user defines one: a migration before the program, a database that is found by an ask. */
export const WebApp = defineKind({
  group: 'acme.dev',
  kind: 'WebApp',
  spec: z.strictObject({
    image: z.string(),
    replicas: z.int().min(0).default(1),
    version: z
      .string()
      .regex(/^[a-z0-9]+$/)
      .default('1'),
  }),
  status: z.strictObject({ url: z.string().optional(), database: z.string().optional() }),
  examples: [{ image: 'web' }],
  asks: { db: (_input: { readonly of: string }) => Promise.resolve({ host: 'never' }) },
  construct: (scope, { name, spec }) => {
    const labels = { app: name };
    const containers = [{ name: 'web', image: `${spec.image}:${spec.version}` }];
    const migration = new ApiObject(scope, 'migration', {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: `${name}-migrate-${spec.version}` },
      spec: { template: { spec: { restartPolicy: 'Never', containers } } },
    });
    const deployment = new ApiObject(scope, 'deployment', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        replicas: spec.replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    });
    deployment.node.addDependency(migration);
    new ApiObject(scope, 'service', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { selector: labels, ports: [{ port: 80 }] },
    });
  },
  reconcile: ({ name, namespace, ready, answer }) => {
    const db = answer('db');
    return {
      asks: { db: { input: { of: name } } },
      status: { ...(ready && { url: `http://${name}.${namespace}.svc` }), ...(db && { database: db.host }) },
    };
  },
});
