import * as z from 'zod';
import { withRules } from '../../schema/rules.ts';
import { annotationNotes, ingressAnnotations } from '../annotations/schema.ts';
import { hostName, labelName, objectName } from '../objects/schema.ts';

/** How a workload is reached from outside of the cluster. */
export const expose = withRules(
  z.strictObject({
    ingress: z
      .strictObject({
        host: hostName.describe('The host name to answer for.'),
        className: objectName
          .describe('The IngressClass. Default: the one that the cluster marks as its default.')
          .optional(),
        tlsSecretName: objectName
          .describe('A Secret of the same namespace with a TLS certificate for the host. Default: no TLS.')
          .optional(),
        annotations: ingressAnnotations
          .describe(
            'Annotations of the Ingress, as its controller or cert-manager reads them. The operator puts on it those that its setting allowedAnnotations.ingress lists.',
          )
          .meta({ hosts: annotationNotes })
          .optional(),
      })
      .describe('Makes an Ingress.')
      .optional(),
    gateway: z
      .strictObject({
        name: objectName.describe('Name of the Gateway to attach to.'),
        namespace: labelName.describe('Its namespace. Default: the namespace of this resource.').optional(),
        hostname: hostName.describe('The host name to answer for.'),
      })
      .describe('Makes an HTTPRoute of the Gateway API.')
      .optional(),
  }),
  {
    rule: 'has(self.ingress) != has(self.gateway)',
    message: 'exactly one of ingress and gateway must be given',
  },
);
