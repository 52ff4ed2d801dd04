import * as z from 'zod';
import { withRules, type Rule } from '../../schema/rules.ts';
import { objectName } from '../objects/schema.ts';

const keyOf = (what: string) =>
  z.strictObject({
    name: objectName.describe(`Name of a ${what} of the same namespace.`),
    key: z.string().min(1).max(253).describe('The key whose value to take.'),
    optional: z.boolean().describe(`Whether the pod may start without the ${what} or its key.`).optional(),
  });

/** Where the value of a variable comes from: Kubernetes' EnvVarSource. */
const valueFrom = withRules(
  z.strictObject({
    secretKeyRef: keyOf('Secret').describe('A key of a Secret.').optional(),
    configMapKeyRef: keyOf('ConfigMap').describe('A key of a ConfigMap.').optional(),
    fieldRef: z
      .strictObject({
        fieldPath: z.string().min(1).max(253).describe('Path of the field, for instance status.podIP.'),
      })
      .describe('A field of the pod.')
      .optional(),
  }),
  {
    rule: '[has(self.secretKeyRef), has(self.configMapKeyRef), has(self.fieldRef)].filter(x, x).size() == 1',
    message: 'exactly one of secretKeyRef, configMapKeyRef and fieldRef must be given',
  },
);

/** Names that Trunnion sets in its containers, and that would break a workload if they were set to something else. */
export const RESERVED_ENV = ['HOME', 'MODEL_NAME', 'MODEL_PATH', 'XDG_CACHE_HOME'] as const;

/** What Kubernetes allows as the name of a variable. */
export const variableName = withRules(z.string().min(1).max(253), {
  rule: "self.matches('^[-._a-zA-Z][-._a-zA-Z0-9]*$')",
  message: 'must be a name of letters, digits, "-", "_" and ".", not beginning with a digit',
});

/**
 * Refuses names that Trunnion sets.
 *
 * @param field - that holds the name, of the value that carries the rule
 */
export const notReserved = (field: string, names: readonly string[]): Rule => ({
  rule: `!(self.${field} in [${names.map((name) => `'${name}'`).join(', ')}]) && !self.${field}.startsWith('TRUNNION_')`,
  fieldPath: `.${field}`,
  message: `is set by Trunnion, as are ${names.join(', ')} and all names that begin with TRUNNION_: choose another name`,
});

/** A variable: Kubernetes' EnvVar. */
const envVar = withRules(
  z.strictObject({
    name: variableName.describe('Name of the variable.'),
    value: z
      .string()
      .max(32_768)
      .describe('Its value; $(NAME) stands for an earlier variable. Default: the empty string.')
      .optional(),
    valueFrom: valueFrom.describe('Takes the value from elsewhere, instead of value.').optional(),
  }),
  {
    rule: '!(has(self.value) && has(self.valueFrom))',
    message: 'value and valueFrom exclude each other: leave one out',
  },
  notReserved('name', RESERVED_ENV),
);

/** Variables of a container: Kubernetes' list of EnvVar. */
export const env = z
  .array(envVar)
  .max(64)
  .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] });
