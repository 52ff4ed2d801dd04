import { z } from 'zod';
import { withRules } from '../schema/rules.ts';
import { annotations, hostName, labelName, objectName } from './names.schema.ts';

/**
 * Annotations whose value some controllers write into the configuration that all tenants share: who may make a workload
 * need not be somebody who may do that (CVE-2021-25742).
 */
const noSnippets = {
  rule: "self.all(k, !k.matches('(-snippets?|/config-[a-z-]+)$'))",
  message: 'annotations that bring configuration of the controller (…-snippet, …/config-backend) are refused',
} as const;

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
        annotations: withRules(annotations, noSnippets)
          .describe('Annotations of the Ingress, as its controller or cert-manager reads them.')
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
