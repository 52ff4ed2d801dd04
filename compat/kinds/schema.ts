import * as z from 'zod';
import { conditions, count, observedGeneration } from '../../constructs/parts/objects/schema.ts';

/** Longer than anything that was ever written there; the API server wants a bound. */
const LONGEST = 4096;

/** A text of a resource that others specified: what it may be is judged when it is translated. */
export const text = z.string().max(LONGEST);

/** An amount, as a number or in Kubernetes' notation. */
export const amount = z.union([z.int(), z.string().max(64)]);

/** A list of texts. */
export const texts = (what: string) =>
  z.array(text.describe(what)).max(LONGEST).meta({ 'x-kubernetes-list-type': 'atomic' });

/**
 * The spec of a kind that others specified. Fields that are not known are kept: each resource that was valid stays so,
 * and what has no effect is told.
 */
export const openSpec = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape).meta({ 'x-kubernetes-preserve-unknown-fields': true });

/**
 * The status of such a kind: its users' own words, the conditions, and what the operator has to remember, which is the
 * status of the kind of ours that runs it.
 */
export const compatStatus = <Shape extends z.core.$ZodLooseShape, Ours extends z.core.$ZodLooseShape>(
  words: Shape,
  ours: z.ZodObject<Ours>,
) => {
  const { conditions: _, observedGeneration: __, ...workload } = ours.shape;
  return z.strictObject({
    ...words,
    observedGeneration: observedGeneration.optional(),
    replicas: count.describe('Number of pods that there are.').optional(),
    selector: z.string().max(1024).describe('Selects the pods, for the scale subresource.').optional(),
    conditions: conditions.describe('Those of the kind of ours that runs it.').optional(),
    workload: z
      .strictObject(workload)
      .describe('What else the kind of ours that runs it reports, and has to remember.')
      .optional(),
  });
};

/** One of the words that users of a kind know. */
export const phase = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words).describe('Where it stands, in one word.').optional();
