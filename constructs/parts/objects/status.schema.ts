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

const hash = z.string().max(64);

/** A number of pods or requests. */
export const count = z.int().min(0).max(2_147_483_647);

/** A moment. */
export const time = z.string().max(64).meta({ format: 'date-time' });

/** The generation that a status is about. */
export const observedGeneration = z.int().min(0).describe('The generation of the spec that this status is about.');

/**
 * More than two specs can refer to, the one that serves and the one that is to: 64 variables of all containers, 64 of the
 * engine or 32 credentials, 128 of the podTemplate, and a few more.
 */
export const MOST_REFERENCES = 600;

/** What is known of the content of Secrets and ConfigMaps, by name and keys. */
export const references = z
  .record(
    z.string(),
    z
      .strictObject({
        baseline: hash.describe('A short salted hash of its content when it was first seen.'),
        current: hash.describe('The hash of its present content, where that differs.').optional(),
      })
      .describe('A Secret or ConfigMap.'),
  )
  .meta({ maxProperties: MOST_REFERENCES })
  .describe('The Secrets and ConfigMaps that pods read, by name and keys: a change rolls the pods.');

/** The conditions of a resource. */
export const conditions = z
  .array(condition)
  .max(16)
  .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] });
