import { annotationWarnings } from './annotations/index.ts';
import type { Exposure } from './exposure.ts';
import type { SecurityLevel } from './pod-security.ts';

/** What its user should know of a workload of any kind before it runs. Each sentence names the field to change. */
export const commonWarnings = (spec: {
  readonly security: { readonly level: SecurityLevel };
  readonly expose?: Exposure;
}): readonly (string | false)[] => [
  spec.security.level === 'baseline' &&
    'spec.security.level: baseline lets the image run as root; namespaces that enforce the restricted Pod Security Standard refuse its pods',
  spec.expose?.gateway !== undefined &&
    'spec.expose.gateway: the Gateway API must be installed, and a Gateway of another namespace must allow routes from this one',
  ...annotationWarnings(spec),
];
