import * as z from 'zod';
import { withRules } from '../../schema/rules.ts';
import { labelName, labels, port } from '../objects/schema.ts';

const IS_PODS = 'has(self.__namespace__) || has(self.podLabels)';
const HOSTS = 'has(self.hosts)';

/** A label of a host name. */
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
/**
 * What may stand in place of the first label. Cilium takes wildcards anywhere, but what its releases make of one that
 * begins a longer label (`*example.com`) differs: 1.18 and before, its documentation has it match `example.com` as well.
 */
const FIRST_LABEL = '([*][*]?|[a-z0-9]([-a-z0-9*]*[a-z0-9*])?)';
/** The last label is never a number, so no address is a name. */
const LAST_LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?';
const HOST_NAME = `^${FIRST_LABEL}[.](${LABEL}[.])*${LAST_LABEL}$`;

/** Names of Services: what they resolve to, Cilium takes for pods, and matches no host name. */
const CLUSTER_NAME = '[.](svc|cluster[.]local)$';

/**
 * Names by which clouds serve the credentials of a node, and patterns that may match one: `metadata.google.internal` and
 * `metadata.goog` (Google), `instance-data.ec2.internal` (Amazon), `metadata.platformequinix.com` and `metadata.packet.net`
 * (Equinix Metal).
 */
const METADATA_NAME =
  '^(metadata|instance-data|[^.*]*[*][^.]*)[.](google[.]internal|goog|internal|ec2[.]internal|platformequinix[.]com|packet[.]net)$';

const host = withRules(
  z.string().min(1).max(253),
  {
    rule: `self.matches('${HOST_NAME}')`,
    message:
      'must be a host name of at least two labels: lower-case letters, digits and "-", with neither scheme, port nor address; "*" may stand in its first label alone, for instance *.example.com (one label) or **.example.com (one or more)',
  },
  {
    rule: `!self.matches('${CLUSTER_NAME}')`,
    message:
      'must not be a Service of the cluster, which is no host to Cilium: name its pods by namespace and podLabels',
  },
  {
    rule: `!self.matches('${METADATA_NAME}')`,
    message:
      'must neither be the name of a metadata service of a cloud nor stand for one: it serves credentials of nodes. Name its address in cidr, or take serviceAccount.identity',
  },
);

const egressRule = withRules(
  z.strictObject({
    cidr: withRules(z.string().min(1).max(64), {
      rule: 'isCIDR(self)',
      message: 'must be a range of IP addresses, for instance 10.0.0.0/8 or 2001:db8::/32',
    })
      .describe(
        'Addresses that may be reached. A NetworkPolicy knows no host names (see hosts), and some network plugins (Cilium) take no pod for an address: name pods by namespace and podLabels. The metadata services of clouds, which serve credentials of nodes, must be named themselves: 0.0.0.0/0 leaves them out.',
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
    hosts: z
      .array(
        host.describe(
          'A host name, or a pattern whose first label has wildcards: "*" stands for any characters of that label, "**." for one label or more (Cilium 1.19 and newer; an older one takes it for one).',
        ),
      )
      .min(1)
      .max(32)
      .describe(
        'Names of hosts outside of the cluster that may be reached, where the network plugin is Cilium (1.16 and newer, with its DNS proxy, which is on by default). They are rendered as a CiliumNetworkPolicy beside the NetworkPolicy. Elsewhere nothing opens them: under the operator a condition says so, other hosts fail to apply that one object.',
      )
      .meta({ 'x-kubernetes-list-type': 'set' })
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
    rule: `(has(self.cidr) ? 1 : 0) + (${IS_PODS} ? 1 : 0) + (${HOSTS} ? 1 : 0) == 1`,
    message:
      'must name one of these: addresses (cidr), pods (namespace, podLabels, or both) or host names (hosts). Give each of them an entry of its own',
  },
);

/** What the pods of a workload may reach. */
export const egressRules = z.array(egressRule).max(64).meta({ 'x-kubernetes-list-type': 'atomic' });
