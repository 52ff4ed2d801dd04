import { Environment } from '@marcbachmann/cel-js';
import { compareQuantities, parseQuantity, type Quantity as ParsedQuantity } from '../parts/values/index.ts';
import { isCIDR, isIP } from './addresses.ts';
import { withGot, type Problem } from './error.ts';
import { isList, isObject, own, under, type Json } from './json.ts';
import { VALIDATIONS, type Rule } from './rules.ts';
import type { StructuralSchema } from './structural.ts';

/** An amount inside an expression; a class, since CEL tells types by their constructor. */
class Quantity {
  readonly value: ParsedQuantity;

  constructor(text: string) {
    const value = parseQuantity(text);
    if (value === undefined) throw new Error(`${JSON.stringify(text)} is no quantity`);
    this.value = value;
  }

  compareTo(other: Quantity): bigint {
    return BigInt(compareQuantities(this.value, other.value));
  }
}

/** CEL with what Kubernetes adds to it, as far as our rules use it. */
const environment = new Environment()
  .registerType('Quantity', Quantity)
  .registerVariable('self', 'dyn')
  .registerVariable('oldSelf', 'dyn')
  .registerFunction('isQuantity(string): bool', (text: string) => parseQuantity(text) !== undefined)
  .registerFunction('quantity(string): Quantity', (text: string) => new Quantity(text))
  .registerFunction('Quantity.compareTo(Quantity): int', (a: Quantity, b: Quantity) => a.compareTo(b))
  .registerFunction('Quantity.isGreaterThan(Quantity): bool', (a: Quantity, b: Quantity) => a.compareTo(b) > 0n)
  .registerFunction('list.sum(): int', (list: readonly bigint[]) => list.reduce((sum, one) => sum + one, 0n))
  .registerFunction('isIP(string): bool', isIP)
  .registerFunction('isCIDR(string): bool', isCIDR);

type Expression = ReturnType<typeof environment.parse>;

const expressions = new Map<string, Expression>();

function expression(text: string): Expression {
  const known = expressions.get(text);
  if (known !== undefined) return known;
  const parsed = environment.parse(text);
  expressions.set(text, parsed);
  return parsed;
}

/** A place in a value, with what was there before a change. */
interface Place {
  readonly schema: StructuralSchema;
  readonly value: Json;
  readonly old: Json | undefined;
  readonly path: string;
}

/**
 * What the rules of a schema say about a value.
 *
 * @param wellFormed - whether the structure is right; where it isn't, a rule that relies on what is missing says nothing
 */
export function ruleProblems(place: Place, wellFormed: boolean): readonly Problem[] {
  const { schema, value, old } = place;
  const inside = children(place).flatMap((child) => ruleProblems(child, wellFormed));
  const rules = schema[VALIDATIONS];
  if (rules === undefined) return inside;
  const context = { self: toCel(schema, value), oldSelf: old === undefined ? undefined : toCel(schema, old) };
  return [...rules.flatMap((rule) => violation(rule, context, place, wellFormed)), ...inside];
}

function violation(
  { rule, message, messageExpression, fieldPath }: Rule,
  context: { readonly self: unknown; readonly oldSelf: unknown },
  { value, path }: Place,
  wellFormed: boolean,
): readonly Problem[] {
  if (context.oldSelf === undefined && /\boldSelf\b/.test(rule)) return [];
  try {
    if (expression(rule)(context) === true) return [];
    const text = messageExpression === undefined ? message : String(expression(messageExpression)(context));
    const problem = { path: under(path, fieldPath ?? ''), message: text };
    return [withGot(problem, fieldPath === undefined ? value : at(value, fieldPath))];
  } catch (error) {
    if (wellFormed) throw error;
    return [];
  }
}

/** What is at a field path; nothing where a part of the way is missing. */
function at(value: Json, fieldPath: string): Json | undefined {
  const step = (from: Json | undefined, name: string) => (isObject(from) ? own(from, name) : undefined);
  return fieldPath.slice(1).split('.').reduce<Json | undefined>(step, value);
}

/** The fields and items of a value. */
function children({ schema, value, old, path }: Place): readonly Place[] {
  if (isList(value)) {
    const { items } = schema;
    return items === undefined
      ? []
      : value.map((item, index) => ({ schema: items, value: item, old: undefined, path: `${path}[${index}]` }));
  }
  if (!isObject(value)) return [];
  const before = isObject(old) ? old : {};
  return Object.entries(value).flatMap(([name, child]) => {
    const known = own(schema.properties, name);
    const of = known ?? schema.additionalProperties;
    const at = known === undefined ? `${path}[${name}]` : under(path, `.${name}`);
    return of === undefined ? [] : [{ schema: of, value: child, old: own(before, name), path: at }];
  });
}

/** JSON as CEL has it: its integers are of another type than its floating-point numbers. */
function toCel(schema: StructuralSchema | undefined, value: Json): unknown {
  if (typeof value === 'number') return schema?.type === 'number' || !Number.isInteger(value) ? value : BigInt(value);
  if (isList(value)) return value.map((item) => toCel(schema?.items, item));
  if (!isObject(value)) return value;
  // A Map, since the interpreter tells types by their constructor: in an object that might be the name of a label.
  const entries = Object.entries(value).map(([name, child]) => {
    const of = own(schema?.properties, name) ?? schema?.additionalProperties;
    const isField = own(schema?.properties, name) !== undefined;
    return [isField && RESERVED.has(name) ? `__${name}__` : name, toCel(of, child)] as const;
  });
  return new Map(entries);
}

/** Fields that the API server has under another name in rules, since CEL keeps theirs: escaping.go of k8s.io/apiserver. */
const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
