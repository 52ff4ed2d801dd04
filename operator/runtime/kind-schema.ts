import * as z from 'zod';
import { AGE_COLUMN } from '../../constructs/schema/columns.ts';
import { defineSchema, type KindSchema } from '../../constructs/schema/kind.ts';
import { conditions, count, observedGeneration } from '../../constructs/parts/objects/schema.ts';
import type { SchemaFields } from './definition.ts';
import { pluralOf } from './definition-check.ts';

/** The schema of a kind, with what every kind has. */
export function schemaOf(definition: SchemaFields): KindSchema {
  const { kind, plural = pluralOf(kind), scale = false, version = 'v1', spec, status } = definition;
  return defineSchema({
    ...definition,
    version,
    plural,
    shortNames: definition.shortNames ?? [],
    description: definition.description ?? `A ${kind}.`,
    spec,
    status: statusSchema(status, scale),
    rules: [...(definition.rules ?? []), SHORT_NAME],
    staticRules: definition.staticRules ?? [],
    columns: definition.columns ?? COLUMNS,
    scalable: scale,
  });
}

/** Ready, and why not. */
const COLUMNS: KindSchema['columns'] = [
  {
    name: 'Ready',
    type: 'string',
    jsonPath: '.status.conditions[?(@.type=="Ready")].status',
    description: 'Whether all is as the spec asks.',
  },
  {
    name: 'Reason',
    type: 'string',
    jsonPath: '.status.conditions[?(@.type=="Ready")].reason',
    description: 'Why, in one word.',
  },
  AGE_COLUMN,
];

/** The name is the value of a label on all children and pods. */
const SHORT_NAME = {
  rule: 'self.metadata.name.size() <= 63',
  message: 'must have at most 63 characters, since it is the value of a label',
  fieldPath: '.metadata.name',
} as const;

/** Fields of its own, with those of every kind. */
function statusSchema(own: z.ZodType | undefined, scale: boolean): z.ZodObject {
  const fields = own instanceof z.ZodObject ? own.shape : {};
  return z.strictObject({
    ...fields,
    ...(scale && {
      replicas: count.describe('Number of pods that run or are about to.').optional(),
      readyReplicas: count.describe('Number of pods that are ready.').optional(),
      selector: z.string().max(4096).describe('Selects the pods, for the scale subresource.').optional(),
    }),
    observedGeneration: observedGeneration.optional(),
    conditions: conditions
      .describe('Accepted, Progressing, Available, Ready, or those that its kind gives.')
      .optional(),
  });
}
