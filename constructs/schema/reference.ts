import type { KindSchema } from './kind.ts';
import { under } from './json.ts';
import { code, table } from './markdown.ts';
import type { RestartTable } from './restarts.ts';
import { VALIDATIONS } from './rules.ts';
import type { StructuralSchema } from './structural.ts';

/** A field with its place in the schema. */
interface Field {
  readonly path: string;
  readonly schema: StructuralSchema;
  readonly required: boolean;
}

/** The reference page of a kind, as Markdown. */
export function referenceOf(kind: KindSchema): string {
  const schema = kind.schema();
  const { spec = {}, status = {} } = schema.properties ?? {};
  const sections = childrenOf({ path: 'spec', schema: spec, required: true });
  const reported = descendantsOf({ path: 'status', schema: status, required: false });
  return [
    `# ${kind.kind}`,
    kind.description,
    `\`apiVersion: ${kind.group}/${kind.version}\`, \`kind: ${kind.kind}\`; \`kubectl get ${[kind.plural, ...kind.shortNames].join('` or `kubectl get ')}\`.`,
    'This page is generated from the schema. A field without a default may be left out unless it is required.',
    '## spec',
    fieldTable(sections),
    ...sections.flatMap((section) => {
      const fields = descendantsOf(section);
      return fields.length === 0 ? [] : [`### ${section.path}`, fieldTable(fields)];
    }),
    ...(reported.length === 0 ? [] : ['## status', fieldTable(reported)]),
    ...section(
      '## Rules',
      'Each is held by the API server at admission, and before anything is rendered, with the same message.',
      ['field', 'message'],
      rulesOf({ path: '', schema, required: true }),
    ),
    ...section(
      'In static hosts (cdk8s, Pulumi) these hold as well:',
      undefined,
      ['field', 'message'],
      kind.staticRules.map(({ fieldPath = '', message }) => [code(`spec${fieldPath}`), message]),
    ),
    ...section(
      '## Hosts',
      'The same construct renders the same objects in all hosts. These fields mean more, or less, in some of them; all others mean the same everywhere.',
      ['field', 'cdk8s', 'Pulumi', 'operator'],
      descendantsOf({ path: 'spec', schema: spec, required: true }).flatMap(({ path, schema: { hosts } }) =>
        hosts === undefined ? [] : [[code(path), hosts.cdk8s, hosts.pulumi, hosts.operator]],
      ),
    ),
    ...restartSection(kind.restarts),
    ...versionSections(kind),
  ]
    .join('\n\n')
    .concat('\n');
}

function restartSection(notes: RestartTable = {}): readonly string[] {
  const rows = Object.entries(notes);
  if (rows.length === 0) return [];
  return [
    '## Restarts',
    'Whether a change of a field restarts pods that run. A row holds for all that is in its field, but for what has a row of its own. Every field has been changed, and the pods compared.',
    table(
      ['field', 'restarts pods', 'why'],
      rows.map(([path, note]) => [code(path), note.restarts ? 'yes' : 'no', note.why]),
    ),
  ];
}

function versionSections({ version, versions }: KindSchema): readonly string[] {
  if (versions.length === 0) return [];
  const rows = versions.map(({ name, served, deprecated, toStored }) => [
    code(name),
    served ? 'yes' : 'no',
    toStored === undefined ? `that of ${code(version)}` : 'its own',
    deprecated ?? '',
  ]);
  const own = versions.filter(({ toStored }) => toStored !== undefined);
  return [
    '## Other versions',
    `Resources are stored as ${code(version)}, which this page is about. The status is the same in all versions.`,
    table(['version', 'served', 'spec', 'deprecated'], rows),
    ...own.flatMap(({ name, schema }) => {
      const { spec = {} } = schema().properties ?? {};
      return [`### spec of ${name}`, fieldTable(descendantsOf({ path: 'spec', schema: spec, required: true }))];
    }),
  ];
}
/** A table under its heading; nothing where it has no rows. */
const section = (
  heading: string,
  words: string | undefined,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] =>
  rows.length === 0 ? [] : [heading, ...(words === undefined ? [] : [words]), table(head, rows)];

const fieldTable = (fields: readonly Field[]): string =>
  table(
    ['field', 'type', 'default', 'description'],
    fields.map(({ path, schema, required }) => [
      code(path),
      typeOf(schema),
      required ? 'required' : schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
      schema.description ?? '',
    ]),
  );

const rulesOf = (root: Field): readonly (readonly string[])[] =>
  [root, ...descendantsOf(root)].flatMap(({ path, schema }) =>
    (schema[VALIDATIONS] ?? []).map(({ fieldPath, message }) => [
      code(fieldPath === undefined ? path : under(path, fieldPath)),
      message,
    ]),
  );

function childrenOf({ path, schema }: Field): readonly Field[] {
  const { properties = {}, required = [], items, additionalProperties } = schema;
  if (items !== undefined) return childrenOf({ path: `${path}[]`, schema: items, required: true });
  if (additionalProperties !== undefined) {
    return childrenOf({ path: `${path}.*`, schema: additionalProperties, required: true });
  }
  return Object.entries(properties).map(([name, child]) => ({
    path: under(path, `.${name}`),
    schema: child,
    required: required.includes(name),
  }));
}

const descendantsOf = (field: Field): readonly Field[] =>
  childrenOf(field).flatMap((child) => [child, ...descendantsOf(child)]);

function typeOf(schema: StructuralSchema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'integer or string';
  if (schema.enum !== undefined) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}${range(schema.minItems, schema.maxItems)}`;
  if (schema.additionalProperties !== undefined) return `map of ${typeOf(schema.additionalProperties)}`;
  if (schema.type === 'string') return `string${range(undefined, schema.maxLength)}`;
  return `${schema.type ?? 'anything'}${range(schema.minimum, schema.maximum)}`;
}

const range = (from: number | undefined, to: number | undefined): string => {
  if (from !== undefined && to !== undefined) return `, ${from} to ${to}`;
  if (to !== undefined) return `, at most ${to}`;
  return from === undefined ? '' : `, at least ${from}`;
};
