import * as z from 'zod';
import { withRules } from '../../schema/rules.ts';
import { annotationNotes, notOurs, podAnnotations } from '../annotations/schema.ts';
import { affinity, topologySpreadConstraint } from './affinity.schema.ts';
import { valuesFromRule } from './containers.rules.ts';
import { container, initContainer } from './containers.schema.ts';
import { hostName, labels, objectName } from '../objects/schema.ts';
import { volumes } from './volumes.schema.ts';

const atomic = { 'x-kubernetes-list-type': 'atomic' };
const byName = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };

const ipAddress = withRules(z.string().min(2).max(45), {
  rule: 'isIP(self)',
  message: 'must be an IP address',
});

const dnsConfig = z.strictObject({
  nameservers: z
    .array(ipAddress.describe('Address of a name server.'))
    .max(3)
    .describe('Name servers, beside those of dnsPolicy.')
    .meta(atomic)
    .optional(),
  searches: z
    .array(z.string().min(1).max(253).describe('A domain.'))
    .max(32)
    .describe('Domains in which short names are looked for.')
    .meta(atomic)
    .optional(),
  options: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(63).describe('Name of the option, for instance ndots.'),
        value: z.string().max(63).describe('Its value. Default: none.').optional(),
      }),
    )
    .max(16)
    .describe('Options of the resolver.')
    .meta(atomic)
    .optional(),
});

const hostAlias = z.strictObject({
  ip: ipAddress.describe('The address.'),
  hostnames: z
    .array(hostName.describe('A host name.'))
    .min(1)
    .max(16)
    .describe('The host names that have this address.')
    .meta(atomic),
});

const podSpec = z.strictObject({
  affinity: affinity.describe('Which nodes and which neighbours.').optional(),
  topologySpreadConstraints: z
    .array(topologySpreadConstraint)
    .max(16)
    .describe('How pods spread over zones and nodes.')
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['topologyKey', 'whenUnsatisfiable'] })
    .optional(),
  schedulerName: objectName.describe("The scheduler. Default: the cluster's.").optional(),
  dnsPolicy: z
    .enum(['ClusterFirst', 'Default', 'None'])
    .describe('Where names are looked up. Default: ClusterFirst.')
    .optional(),
  dnsConfig: dnsConfig.describe('How names are looked up.').optional(),
  hostAliases: z
    .array(hostAlias)
    .max(16)
    .describe('Lines of /etc/hosts.')
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['ip'] })
    .optional(),
  terminationGracePeriodSeconds: z
    .int()
    .min(1)
    .max(86_400)
    .describe('Seconds from the stop signal to the kill. Default: what the drain needs.')
    .optional(),
  volumes: volumes.describe('Volumes to add.').optional(),
  containers: z
    .array(container)
    .max(8)
    .describe('Containers: merged into the one of the same name, or added beside.')
    .meta(byName)
    .optional(),
  initContainers: z
    .array(initContainer)
    .max(8)
    .describe(
      'Containers that run to their end before, and native sidecars: merged into the one of the same name, or added before ours.',
    )
    .meta(byName)
    .optional(),
});

/**
 * What may be merged into a pod template. A list of what is allowed, since a list of what is forbidden would miss what
 * Kubernetes adds next: no security context, no host namespace, port or path, no token, no other ServiceAccount.
 */
export const podTemplate = z.strictObject({
  metadata: z
    .strictObject({
      labels: withRules(labels, notOurs('labels')).describe('Labels to add to the pods.').optional(),
      annotations: podAnnotations
        .describe(
          'Annotations to add to the pods. The operator adds those that its setting allowedAnnotations.pod lists.',
        )
        .meta({ hosts: annotationNotes })
        .optional(),
    })
    .describe('Labels and annotations of the pods.')
    .optional(),
  spec: withRules(podSpec, valuesFromRule).describe('Fields of the pods.').optional(),
});
