import { mapValues, type JsonObject } from '../../constructs/schema/json.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import { VALIDATIONS } from '../../constructs/schema/rules.ts';
import type { StructuralSchema } from '../../constructs/schema/structural.ts';

/** The draft that the YAML language server, and with it most editors, knows in full. */
const DRAFT = 'http://json-schema.org/draft-07/schema#';

/** The JSON Schema of one kind's resources. */
export const editorSchema = (kind: KindSchema): JsonObject => ({ $schema: DRAFT, ...resourceSchema(kind) });

/** One schema for the resources of several kinds: apiVersion and kind tell which of them counts. */
export const editorSchemaOf = (kinds: readonly KindSchema[]): JsonObject => ({
  $schema: DRAFT,
  oneOf: kinds.map(resourceSchema),
});

const apiVersionOf = ({ group, version }: KindSchema): string => `${group}/${version}`;

function resourceSchema(kind: KindSchema): JsonObject {
  const { description = '', properties = {} } = kind.schema();
  return {
    title: kind.kind,
    description,
    type: 'object',
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
    properties: {
      apiVersion: { const: apiVersionOf(kind), description: properties['apiVersion']?.description ?? '' },
      kind: { const: kind.kind, description: properties['kind']?.description ?? '' },
      // What else is in there is Kubernetes' to say.
      metadata: { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 253 } } },
      spec: fieldSchema(properties['spec'] ?? {}),
      // Written by the operator, and there in what kubectl prints.
      status: { type: 'object' },
    },
    additionalProperties: false,
  };
}

/** What JSON Schema has the same words for. */
const SAME = [
  'default',
  'enum',
  'format',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'maxProperties',
  'required',
] as const;

/** A field; its rules, which JSON Schema can't say, are told in its description. */
function fieldSchema(schema: StructuralSchema): JsonObject {
  const { type, items, properties, additionalProperties, description = '' } = schema;
  const rules = (schema[VALIDATIONS] ?? []).map(({ message }) => message);
  const words = [description, ...rules.map((rule) => `- ${rule}`)].filter((line) => line !== '').join('\n');
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return {
    ...(words !== '' && { description: words }),
    ...(schema['x-kubernetes-int-or-string'] === true
      ? { type: ['integer', 'string'] }
      : type !== undefined && { type }),
    ...Object.fromEntries(SAME.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]]))),
    ...(properties && { properties: mapValues(properties, fieldSchema), additionalProperties: isOpen }),
    ...(additionalProperties && { additionalProperties: fieldSchema(additionalProperties) }),
    ...(items && { items: fieldSchema(items) }),
  };
}
