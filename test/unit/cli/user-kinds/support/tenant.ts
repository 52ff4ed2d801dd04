import { ApiObject } from 'cdk8s';
import * as z from 'zod';
import { defineKind } from '../../../../../operator/runtime/index.ts';

/** A kind of the cluster, in a module that does not say what its operator is called. */
export const Tenant = defineKind({
  group: 'acme.dev',
  version: 'v1',
  kind: 'Tenant',
  plural: 'tenants',
  scope: 'Cluster',
  description: 'A namespace for somebody.',
  spec: z.strictObject({ team: z.string().max(63).describe('Whose it is.') }),
  children: ['v1/Namespace'],
  construct: (scope, { name, spec }) => {
    new ApiObject(scope, 'namespace', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { team: spec.team } },
    });
  },
});
