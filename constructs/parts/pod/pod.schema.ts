import * as z from 'zod';
import { withRules } from '../../schema/rules.ts';
import type { HostNotes } from '../../schema/structural.ts';
import { annotationNotes, serviceAccountAnnotations } from '../annotations/schema.ts';
import { egressRules } from '../network/schema.ts';
import { env } from './env.schema.ts';
import { IDENTITIES } from '../objects/index.ts';
import { labels, objectName } from '../objects/schema.ts';
import { podTemplate } from './pod-template.schema.ts';
import { security } from './security.schema.ts';

const toleration = withRules(
  z.strictObject({
    key: z.string().max(317).describe('The taint that is tolerated. Default: all of them.').optional(),
    operator: z
      .enum(['Exists', 'Equal'])
      .describe('Equal compares the value of the taint, Exists does not. Default: Equal.')
      .optional(),
    value: z.string().max(63).describe('The value of the taint, where the operator is Equal.').optional(),
    effect: z
      .enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])
      .describe('The effect of the taint. Default: all of them.')
      .optional(),
    tolerationSeconds: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .describe('Seconds that a pod stays on a node after a NoExecute taint was set. Default: forever.')
      .optional(),
  }),
  {
    rule: "has(self.key) && self.key != '' || has(self.operator) && self.operator == 'Exists'",
    message: 'a toleration without a key must have the operator Exists, which tolerates every taint',
  },
  {
    rule: "!has(self.operator) || self.operator != 'Exists' || !has(self.value) || self.value == ''",
    fieldPath: '.value',
    message: 'must be left out where the operator is Exists',
  },
);

/** What variables from Secrets do in each host. */
const envNotes: HostNotes = {
  cdk8s: 'A change of a Secret that it names restarts nothing.',
  pulumi: 'A change of a Secret that it names restarts nothing.',
  operator: 'A change of a Secret that it names rolls the pods.',
};

/**
 * What the pods of every kind have. Their notes on restarts are in `parts/objects/restarts.ts`. A kind gives a field words
 * of its own by `podFields.X.unwrap().describe(…).optional()`.
 */
export const podFields = {
  env: env
    .describe('Environment variables of all containers, those that fetch weights too: proxies, certificates.')
    .meta({ hosts: envNotes })
    .optional(),
  imagePullSecrets: z
    .array(z.strictObject({ name: objectName.describe('Name of a Secret of the same namespace.') }))
    .max(16)
    .describe('Secrets to pull images with.')
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
    .optional(),
  nodeSelector: labels.describe('Labels that a node must have, beside what resources.gpuProduct selects.').optional(),
  tolerations: z
    .array(toleration)
    .max(32)
    .describe('Taints to tolerate, beside the taint of the GPU resource, which is always tolerated.')
    .meta({ 'x-kubernetes-list-type': 'atomic' })
    .optional(),
  priorityClassName: objectName.describe('Priority class of the pods. Default: that of the cluster.').optional(),
  runtimeClassName: objectName
    .describe('Runtime class of the pods, for instance nvidia. Default: that of the node.')
    .optional(),
  serviceAccount: z
    .strictObject({
      annotations: serviceAccountAnnotations
        .describe(
          'Annotations of the ServiceAccount: how clouds give pods an identity. The operator puts on it those that its setting allowedAnnotations.serviceAccount lists.',
        )
        .meta({ hosts: annotationNotes })
        .optional(),
      identity: z
        .enum(IDENTITIES)
        .describe(
          'What gives the ServiceAccount its identity in a cloud, where no annotation tells. It opens for the pods (of a ModelServing: for the fetch of the weights alone) what hands it out. eks-pod-identity: the agent of EKS Pod Identity, 169.254.170.23. gke-workload-identity: the metadata server of GKE. azure-workload-identity: the label azure.workload.identity/use on the pods. For the fetch of gs:// and az:// the annotations iam.gke.io/gcp-service-account and azure.workload.identity/client-id do the same. Default: none.',
        )
        .optional(),
    })
    .describe('The ServiceAccount that is made for the pods.')
    .optional(),
  security: security.describe('How far the pods are locked in, and as whom they run.').prefault({}),
  egress: egressRules
    .describe('What the pods may reach beside DNS and what follows from the rest of the spec.')
    .optional(),
  podTemplate: podTemplate
    .describe(
      'Merged into the pod template of the workload, lists by name: what has no field of its own. Nothing that weakens security can be said here.',
    )
    .optional(),
};
