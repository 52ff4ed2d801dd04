import { isList, isObject } from '../../constructs/schema/json.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { Fields } from './fields.ts';

/** What Katib puts a value in for. */
const PLACEHOLDER = /\$\{(trialParameters|trialSpec)\.([^{}]{1,253})\}/g;

/**
 * The training of a trial, with Katib's placeholders as ours: `${NAME}` in command and args, and the variable of that name
 * in the values of variables. One that stands elsewhere, or that nothing is known of, is told.
 *
 * @param names - of parameters, as they are here
 */
export function inTrials(fields: Fields, training: object, names: ReadonlyMap<string, string>): object {
  const references = referencesOf(fields, names);
  const put = (value: Json | undefined, form: (name: string) => string): Json | undefined =>
    replaced(value, (placeholder, kind, name) => {
      const parameter = kind === 'trialParameters' ? references.get(name) : undefined;
      return parameter === undefined ? placeholder : form(parameter);
    });
  const { command, args, env, ...rest } = training as Readonly<Record<string, Json>>;
  const inProgram = { command: put(command, (name) => `\${${name}}`), args: put(args, (name) => `\${${name}}`) };
  const inVariables = { env: put(env, (name) => `$(${name})`) };
  const all = { ...rest, ...without(inProgram), ...without(inVariables) };
  for (const left of placeholdersIn(all)) {
    fields.report('spec', `has ${left}, for which nothing is put in here: \${NAME} is, in command and args`);
  }
  return all;
}

/** What the names of a trial template stand for. */
function referencesOf(fields: Fields, names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const found = fields.items('spec.trialTemplate.trialParameters').flatMap((each) => {
    const [name, reference] = [each.peek('name'), each.peek('reference')];
    const parameter = typeof reference === 'string' ? names.get(reference) : undefined;
    if (typeof name !== 'string' || parameter === undefined) return [];
    each.take('name');
    each.take('reference');
    return [[name, parameter] as const];
  });
  return new Map(found);
}

type Replacer = (placeholder: string, kind: string, name: string) => string;

function replaced(value: Json | undefined, by: Replacer): Json | undefined {
  if (typeof value === 'string') return value.replaceAll(PLACEHOLDER, by);
  if (isList(value)) return value.map((item) => replaced(item, by) as Json);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, replaced(field, by) as Json]));
}

const placeholdersIn = (value: object): readonly string[] => [
  ...new Set(JSON.stringify(value).match(PLACEHOLDER) ?? []),
];

const without = (fields: Readonly<Record<string, Json | undefined>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
