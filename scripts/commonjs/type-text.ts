import type { StructuralSchema } from '../../constructs/schema/structural.ts';

/** Who reads a type: what has a default may be left out by who writes, and is there for who reads. */
export type Side = 'written' | 'parsed';

/** The text of the TypeScript type of a schema, with what is comment of each field. */
export function typeText(schema: StructuralSchema, side: Side, indent = ''): string {
  const { type, items, properties, additionalProperties } = schema;
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema['x-kubernetes-int-or-string'] === true) return 'number | string';
  if (type === 'array') return `readonly (${items === undefined ? 'unknown' : typeText(items, side, indent)})[]`;
  if (type === 'string' || type === 'boolean') return type;
  if (type === 'integer' || type === 'number') return 'number';
  if (properties === undefined || Object.keys(properties).length === 0)
    return mapText(additionalProperties, side, indent);
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const isThere = schema.required?.includes(name) === true || (side === 'parsed' && field.default !== undefined);
    const absent = !isThere && side === 'written' ? ' | undefined' : '';
    const comment =
      field.description === undefined ? '' : `${inner}/** ${field.description.replaceAll('*/', '* /')} */\n`;
    return `${comment}${inner}readonly ${key(name)}${isThere ? '' : '?'}: ${typeText(field, side, inner)}${absent};`;
  });
  return `{\n${fields.join('\n')}\n${indent}}`;
}

const mapText = (values: StructuralSchema | undefined, side: Side, indent: string): string =>
  values === undefined ? 'any' : `{ readonly [name: string]: ${typeText(values, side, indent)} }`;

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
