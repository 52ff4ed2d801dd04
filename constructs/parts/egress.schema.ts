import { z } from 'zod';
import { withRules } from '../schema/rules.ts';
import { labelName, labels, port } from './names.schema.ts';

const IS_PODS = 'has(self.__namespace__) || has(self.podLabels)';

const egressRule = withRules(
  z.strictObject({
    cidr: withRules(z.string().min(1).max(64), {
      rule: 'isCIDR(self)',
      message: 'must be a range of IP addresses, for instance 10.0.0.0/8 or 2001:db8::/32',
    })
      .describe(
        'Addresses that may be reached. A NetworkPolicy knows no host names, and some network plugins (Cilium) take no pod for an address: name pods by namespace and podLabels. The metadata services of clouds, which serve credentials of nodes, must be named themselves: 0.0.0.0/0 leaves them out.',
      )
      .optional(),
    namespace: labelName
      .describe(
        'Name of the namespace whose pods may be reached. Default, where podLabels is given: that of the resource.',
      )
      .optional(),
    podLabels: withRules(labels, {
      rule: 'self.size() > 0',
      message: 'must name a label: leave it out for all pods of the namespace',
    })
      .describe('Labels of the pods that may be reached. Default, where namespace is given: all pods of it.')
      .optional(),
    ports: z
      .array(port.describe('A TCP port.'))
      .min(1)
      .max(32)
      .describe(
        'The TCP ports that may be reached. Of pods these are the ports that they listen on, not those of their Service. Default: all ports.',
      )
      .meta({ 'x-kubernetes-list-type': 'set' })
      .optional(),
  }),
  {
    rule: `has(self.cidr) != (${IS_PODS})`,
    message:
      'must name either addresses (cidr) or pods (namespace, podLabels, or both): give each of them an entry of its own',
  },
);

/** What the pods of a workload may reach. */
export const egressRules = z.array(egressRule).max(64).meta({ 'x-kubernetes-list-type': 'atomic' });
