import * as z from 'zod';
import { isDnsLabel, isDnsName } from '../../constructs/parts/values/index.ts';
import type { Behaviour, KindDefinition } from './definition.ts';

/** The plural of a kind as English has it; a kind whose plural is another says so. */
export function pluralOf(kind: string): string {
  const lower = kind.toLowerCase();
  if (/(?:s|x|z|ch|sh)$/.test(lower)) return `${lower}es`;
  return /[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}

/**
 * Checks what types can't say, or whose types weren't checked.
 *
 * @throws TypeError with all problems at once
 */
export function checkSchemaFields(definition: KindDefinition): void {
  const { group, kind, plural, version, scope, spec, status } = definition;
  refuse(kind, [
    problem('group', isGroup(group), 'a DNS name with a dot, such as acme.dev', group),
    problem('kind', isKind(kind), 'a CamelCase word of at most 63 letters and digits, such as WebApp', kind),
    problem('plural', plural === undefined || isDnsLabel(plural), 'a DNS label, such as webapps', plural),
    problem('version', version === undefined || isVersion(version), 'such as v1, v1beta1 or v1alpha1', version),
    problem('scope', scope === undefined || SCOPES.has(scope), 'Namespaced or Cluster', scope),
    problem('spec', spec instanceof z.ZodType, 'a schema of zod: z.strictObject({ … })', spec),
    problem(
      'status',
      status === undefined || status instanceof z.ZodObject,
      'an object schema of zod: z.strictObject({ … })',
      status,
    ),
    ...behaviourProblems(definition),
  ]);
}

/**
 * The same for a kind whose schema there is already.
 *
 * @throws TypeError with all problems at once
 */
export const checkBehaviour = (definition: Behaviour, kind: string): void =>
  refuse(kind, behaviourProblems(definition));

const behaviourProblems = ({ construct, reconcile, asks = {} }: Behaviour): readonly (string | undefined)[] => [
  problem('construct', typeof construct === 'function', 'a function that makes constructs in a scope', construct),
  problem('reconcile', reconcile === undefined || typeof reconcile === 'function', 'a function', reconcile),
  ...Object.entries(asks).map(([name, ask]) =>
    problem(`asks.${name}`, typeof ask === 'function', 'an async function', ask),
  ),
];

function refuse(kind: unknown, found: readonly (string | undefined)[]): void {
  const problems = found.filter((text) => text !== undefined);
  if (problems.length === 0) return;
  throw new TypeError(`the kind ${isText(kind) ? kind : ''} can't be defined:\n${problems.join('\n')}`);
}

const SCOPES: ReadonlySet<unknown> = new Set(['Namespaced', 'Cluster']);

const problem = (field: string, holds: boolean, allowed: string, got: unknown): string | undefined =>
  holds ? undefined : `${field}: must be ${allowed}; got ${shown(got)}`;

const shown = (value: unknown): string =>
  typeof value === 'function' || typeof value === 'object' ? typeof value : (JSON.stringify(value) ?? 'nothing');

const isText = (value: unknown): value is string => typeof value === 'string';

/** A group of the API server has a dot. */
const isGroup = (value: unknown): boolean => isDnsName(value, 200) && value.includes('.');
const isKind = (value: unknown): boolean => isText(value) && /^[A-Z][A-Za-z0-9]{0,62}$/.test(value);
const isVersion = (value: unknown): boolean => isText(value) && /^v[1-9]\d*(?:(?:alpha|beta)[1-9]\d*)?$/.test(value);
