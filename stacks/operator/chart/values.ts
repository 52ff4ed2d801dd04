import { Document, isMap, isScalar } from 'yaml';
import * as z from 'zod';

/** A value of the chart: a setting that is not made of others. */
export interface Value {
  readonly path: readonly string[];
  readonly kind: 'text' | 'number' | 'flag' | 'list' | 'map';
  readonly description: string;
  readonly default: unknown;
  /** Whether a text, a list or a map may be empty, and a number 0. */
  readonly mayBeEmpty: boolean;
}

/** As much of a JSON Schema as is read here. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly minItems?: number;
  readonly enum?: readonly unknown[];
}

const KINDS = { string: 'text', integer: 'number', boolean: 'flag', array: 'list', object: 'map' } as const;

/** The settings that a chart has as its values; all of them have defaults. */
export type SettingsSchema = z.ZodType;

const jsonSchema = (settings: SettingsSchema): Schema =>
  z.toJSONSchema(settings, { io: 'input', target: 'draft-7' }) as Schema;

/** All values, in the order of the schema. */
export const valuesOf = (settings: SettingsSchema): readonly Value[] =>
  leaves(jsonSchema(settings), settings.parse({}), []);

function leaves(schema: Schema, value: unknown, path: readonly string[]): readonly Value[] {
  const { properties, type = '', description = '', minimum, minLength = 0, minItems = 0, enum: choices } = schema;
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([name, child]) =>
      leaves(child, (value as Readonly<Record<string, unknown>>)[name], [...path, name]),
    );
  }
  const kind = KINDS[type as keyof typeof KINDS];
  const isLow = kind !== 'number' || minimum === 0;
  const mayBeEmpty = isLow && minLength === 0 && minItems === 0 && choices === undefined;
  return [{ path, kind, description, default: value, mayBeEmpty }];
}

/** The chart's values.schema.json. `global` is given to every chart that is part of another. */
export function valuesSchema(settings: SettingsSchema): object {
  const schema = jsonSchema(settings);
  return { ...schema, properties: { ...schema.properties, global: { type: 'object' } } };
}

/**
 * The chart's values.yaml: every default, with what it means.
 *
 * @param command - what writes it
 */
export function valuesYaml(settings: SettingsSchema, command: string): string {
  const document = new Document(settings.parse({}), { compat: 'yaml-1.1' });
  document.commentBefore = ` Generated from the settings of the operator: \`${command}\`.`;
  comment(document.contents, jsonSchema(settings));
  return document.toString({ lineWidth: 0 });
}

function comment(node: unknown, { properties = {} }: Schema): void {
  if (!isMap(node)) return;
  for (const { key, value } of node.items) {
    const child = isScalar(key) ? properties[String(key.value)] : undefined;
    if (!isScalar(key) || child === undefined) continue;
    key.commentBefore = ` ${child.description ?? ''}`;
    comment(value, child);
  }
}

/** The table of all values in the chart's README. */
export const valuesTable = (settings: SettingsSchema): string =>
  ['| value | default | meaning |', '|---|---|---|']
    .concat(
      valuesOf(settings).map(
        ({ path, default: value, description }) =>
          `| \`${path.join('.')}\` | \`${JSON.stringify(value)}\` | ${description.replaceAll('|', '\\|')} |`,
      ),
    )
    .join('\n');
