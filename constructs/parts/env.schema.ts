import { z } from 'zod';
import { withRules } from '../schema/rules.ts';
import { objectName } from './names.schema.ts';

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
const RESERVED_ENV = ['HOME', 'MODEL_NAME', 'MODEL_PATH', 'XDG_CACHE_HOME'] as const;

/** A variable: Kubernetes' EnvVar. */
const envVar = withRules(
  z.strictObject({
    name: withRules(z.string().min(1).max(253), {
      rule: "self.matches('^[-._a-zA-Z][-._a-zA-Z0-9]*$')",
      message: 'must be a name of letters, digits, "-", "_" and ".", not beginning with a digit',
    }).describe('Name of the variable.'),
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
  {
    rule: `!(self.name in [${RESERVED_ENV.map((name) => `'${name}'`).join(', ')}]) && !self.name.startsWith('TRUNNION_')`,
    fieldPath: '.name',
    message: `is set by Trunnion, as are ${RESERVED_ENV.join(', ')} and all names that begin with TRUNNION_: choose another name`,
  },
);

/** Variables of a container: Kubernetes' list of EnvVar. */
export const env = z
  .array(envVar)
  .max(64)
  .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] });
