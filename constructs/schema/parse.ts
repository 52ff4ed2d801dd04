import type * as z from 'zod';
import { isDnsLabel } from '../parts/values/index.ts';
import { ruleProblems } from './cel.ts';
import { withDefaults } from './defaults.ts';
import { type Problem, SpecError, withGot } from './error.ts';
import type { JsonObject } from './json.ts';
import type { KindSchema } from './kind.ts';
import { limitProblems } from './limits.ts';
import { VALIDATIONS, type Rule } from './rules.ts';
import type { StructuralSchema } from './structural.ts';
import { structureProblems } from './structure.ts';
import type { Parsed, Written } from './types.ts';

/** Who renders: with no operator behind it, some fields can't work. */
export type Host = 'static' | 'operator';

/** What to parse. */
export interface ParseInput<Spec> {
  /** The name of the resource. */
  readonly name: string;
  /** Its namespace. */
  readonly namespace: string;
  /** What a user wrote, or what the API server stored. */
  readonly spec: Spec;
  /**
   * The spec before a change, for rules about changes.
   *
   * @default - none: the resource is new
   */
  readonly old?: Spec;
  /**
   * Who renders.
   *
   * @default 'static'
   */
  readonly host?: Host;
}

/**
 * The spec with its defaults, valid by the schema and the rules that the API server holds too.
 *
 * @throws SpecError with all problems at once; where it is too large, with that alone
 */
export function parseSpec<Spec extends z.ZodType, Status extends z.ZodType>(
  kind: KindSchema<Spec, Status>,
  { name, namespace, spec, old, host = 'static' }: ParseInput<Written<z.input<Spec>>>,
): Parsed<z.output<Spec>> {
  const subject = [kind.kind, [namespace, name].filter((part) => typeof part === 'string').join('/')].join(' ').trim();
  const limits = limitProblems(spec);
  if (limits.length > 0) throw new SpecError(subject, limits);
  const schema = kind.schema();
  const value = resourceOf(schema, name, spec);
  const before = old === undefined ? undefined : resourceOf(schema, name, old);
  const hasName = name !== undefined && name !== null;
  const structure = hasName ? structureProblems(schema, value, '') : [missing('name')];
  const rules = (of: StructuralSchema) =>
    hasName ? ruleProblems({ schema: of, value, old: before, path: '' }, structure.length === 0) : [];
  const problems = [
    ...(kind.scope === 'Cluster' ? [] : namespaceProblems(namespace)),
    ...structure,
    ...rules(schema),
    ...(host === 'static' ? rules(specRules(kind.staticRules)) : []),
    ...(typeof namespace === 'string' ? (kind.namespaced?.(value['spec'], namespace) ?? []) : []),
  ];
  if (problems.length > 0) throw new SpecError(subject, problems);
  return value['spec'] as Parsed<z.output<Spec>>;
}

/** The resource as JSON has it, with defaults. */
function resourceOf(schema: StructuralSchema, name: string, spec: unknown): JsonObject {
  const resource = JSON.parse(JSON.stringify({ metadata: { name }, spec })) as JsonObject;
  return withDefaults(schema, resource) as JsonObject;
}

const specRules = (rules: readonly Rule[]): StructuralSchema => ({
  properties: { spec: { type: 'object', [VALIDATIONS]: rules } },
});

/** Types say that it must be there; a program that isn't checked, or spreads its props, leaves it out. */
const missing = (field: 'name' | 'namespace'): Problem => ({
  path: `metadata.${field}`,
  message: `Required value: give the construct a ${field}, as in ${field}: 'models'`,
});

/** The API server has checked the namespace before it looks at a resource in it; a static host has not. */
function namespaceProblems(namespace: unknown): readonly Problem[] {
  if (namespace === undefined || namespace === null) return [missing('namespace')];
  if (isDnsLabel(namespace)) return [];
  const message =
    'must be a DNS label: at most 63 lower-case letters, digits and "-", beginning and ending with a letter or digit';
  return [withGot({ path: 'metadata.namespace', message }, namespace)];
}
