import * as z from 'zod';
import { labels } from '../objects/schema.ts';

const expressionValues = z
  .array(z.string().max(63).describe('A value.'))
  .max(32)
  .describe('Values to compare with; none for Exists and DoesNotExist.')
  .meta({ 'x-kubernetes-list-type': 'atomic' })
  .optional();

const key = z.string().min(1).max(317).describe('Name of the label.');

const labelSelector = z.strictObject({
  matchLabels: labels.describe('Labels that must be there.').optional(),
  matchExpressions: z
    .array(
      z.strictObject({
        key,
        operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']).describe('How to compare.'),
        values: expressionValues,
      }),
    )
    .max(16)
    .describe('Requirements that must all hold.')
    .meta({ 'x-kubernetes-list-type': 'atomic' })
    .optional(),
});

const nodeRequirements = z
  .array(
    z.strictObject({
      key,
      operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']).describe('How to compare.'),
      values: expressionValues,
    }),
  )
  .max(16)
  .meta({ 'x-kubernetes-list-type': 'atomic' })
  .optional();

const nodeSelectorTerm = z.strictObject({
  matchExpressions: nodeRequirements.describe('Requirements on labels of the node that must all hold.'),
  matchFields: nodeRequirements.describe('Requirements on fields of the node that must all hold.'),
});

/** Without `namespaces`: who keeps away from the pods of another namespace keeps them away from its nodes too. */
const podAffinityTerm = z.strictObject({
  labelSelector: labelSelector.describe('Which pods of the same namespace. Default: none.').optional(),
  topologyKey: z.string().min(1).max(317).describe('The node label whose equal values are one place.'),
});

const weight = z.int().min(1).max(100).describe('How much it counts, from 1 to 100.');

const atomic = { 'x-kubernetes-list-type': 'atomic' };

const podAffinity = z.strictObject({
  requiredDuringSchedulingIgnoredDuringExecution: z
    .array(podAffinityTerm)
    .max(16)
    .describe('What must hold when a pod is scheduled.')
    .meta(atomic)
    .optional(),
  preferredDuringSchedulingIgnoredDuringExecution: z
    .array(z.strictObject({ weight, podAffinityTerm: podAffinityTerm.describe('Near or far from which pods.') }))
    .max(16)
    .describe('What counts when a pod is scheduled.')
    .meta(atomic)
    .optional(),
});

/** Kubernetes' Affinity. */
export const affinity = z.strictObject({
  nodeAffinity: z
    .strictObject({
      requiredDuringSchedulingIgnoredDuringExecution: z
        .strictObject({
          nodeSelectorTerms: z
            .array(nodeSelectorTerm)
            .min(1)
            .max(16)
            .describe('Terms of which one must hold.')
            .meta(atomic),
        })
        .describe('What must hold when a pod is scheduled.')
        .optional(),
      preferredDuringSchedulingIgnoredDuringExecution: z
        .array(z.strictObject({ weight, preference: nodeSelectorTerm.describe('Which nodes are preferred.') }))
        .max(16)
        .describe('What counts when a pod is scheduled.')
        .meta(atomic)
        .optional(),
    })
    .describe('Which nodes.')
    .optional(),
  podAffinity: podAffinity.describe('Near which pods.').optional(),
  podAntiAffinity: podAffinity.describe('Far from which pods.').optional(),
});

/** Kubernetes' TopologySpreadConstraint. */
export const topologySpreadConstraint = z.strictObject({
  maxSkew: z.int().min(1).max(1000).describe('By how many pods the places may differ.'),
  topologyKey: z.string().min(1).max(317).describe('The node label whose equal values are one place.'),
  whenUnsatisfiable: z.enum(['DoNotSchedule', 'ScheduleAnyway']).describe('What to do with a pod that fits nowhere.'),
  labelSelector: labelSelector.describe('Which pods are counted. Default: none.').optional(),
  minDomains: z.int().min(1).max(1000).describe('How many places there must be at least.').optional(),
  nodeAffinityPolicy: z
    .enum(['Honor', 'Ignore'])
    .describe('Whether only nodes that the pod selects are counted. Default: Honor.')
    .optional(),
  nodeTaintsPolicy: z
    .enum(['Honor', 'Ignore'])
    .describe('Whether only nodes whose taints the pod tolerates are counted. Default: Ignore.')
    .optional(),
});
