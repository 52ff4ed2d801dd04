import * as z from 'zod';
import { conditions, count, observedGeneration, references, time } from '../parts/objects/schema.ts';
import type { Parsed } from '../schema/types.ts';

/** The phases of an AgentService; each follows from its conditions. */
export const PHASES = ['Pending', 'Running', 'Scaling', 'Updating', 'Stopped', 'Error'] as const;

const text = (max: number) => z.string().max(max);

/** The schema of `status`: what the operator reports. */
export const agentServiceStatus = z.strictObject({
  phase: z.enum(PHASES).describe('Where it stands, in one word; it follows from the conditions.').optional(),
  observedGeneration: observedGeneration.optional(),
  url: text(1024).describe('Where clients ask, inside the cluster.').optional(),
  replicas: count.describe('Number of pods that run or are about to.').optional(),
  readyReplicas: count.describe('Number of pods that take requests.').optional(),
  selector: text(1024).describe('Selects the pods, for the scale subresource.').optional(),
  lastUpdated: time.describe('When anything else of this status last changed.').optional(),
  model: z
    .strictObject({
      ref: text(253).describe('The ModelServing.'),
      name: text(256).describe('The name that it serves the model under.'),
      baseUrl: text(1024).describe('Where it answers.'),
      port: z.int().min(1).max(65_535).describe('The port that its pods listen on.'),
    })
    .describe('What modelRef leads to: as last seen, where it is gone.')
    .optional(),
  references: references.optional(),
  conditions: conditions
    .describe('Accepted, ResolvedRefs, Available, Progressing, EgressEnforced, ScalingActive, Ready.')
    .optional(),
});

/** What the operator reports of an AgentService. */
export type AgentServiceStatus = Parsed<z.output<typeof agentServiceStatus>>;
