import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';

/** A namespace in which only pods may run that meet the restricted standard. */
export const restrictedNamespace = (scope: Construct, name: string): ApiObject =>
  new ApiObject(scope, 'namespace', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  });
