import * as z from 'zod';

/** A condition, as in Kubernetes' API conventions. */
export const condition = z.strictObject({
  type: z.string().min(1).max(316).describe('What it is about.'),
  status: z.enum(['True', 'False', 'Unknown']).describe('Whether it holds.'),
  reason: z.string().min(1).max(1024).describe('Why, in one word that programs may rely on.'),
  message: z.string().max(32_768).describe('Why, in a sentence for a person, and what to do.'),
  observedGeneration: z.int().min(0).describe('The generation of the spec that it is about.').optional(),
  lastTransitionTime: z.string().max(64).meta({ format: 'date-time' }).describe('When it last changed its status.'),
});
