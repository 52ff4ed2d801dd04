import { isObject, type Json, type JsonObject } from '../../constructs/schema/json.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { StructuralSchema } from '../../constructs/schema/structural.ts';
import { withDefaults } from '../../constructs/schema/defaults.ts';
import { convertObject, messageOf } from './convert.ts';
import { plainJson } from './plain-json.ts';
import { randomOf, sampleOf, withoutOneField } from './samples.ts';

/** A field that is another one after a conversion there and back. */
export interface Loss {
  /** The version of the spec. */
  readonly version: string;
  /** The version that it was converted to, and back from. */
  readonly through: string;
  /** `spec.env[0].name`; `spec` where the conversion failed. */
  readonly path: string;
  /** What is wrong, in words. */
  readonly message: string;
}

export interface ConversionCheck {
  /**
   * Specs to convert, by version.
   *
   * @default - what the schema takes, chosen at random
   */
  readonly specs?: Readonly<Record<string, readonly unknown[]>>;
  /**
   * How many specs of each version are chosen.
   *
   * @default 200
   */
  readonly runs?: number;
  /**
   * The same seed chooses the same specs.
   *
   * @default 1
   */
  readonly seed?: number;
}

/** Most losses in one message. */
const MOST_LISTED = 20;

/** Most fields of one spec that are left out, one by one. */
const MOST_REMOVED = 100;

/** How many specs are made for one that all checks of the schema take. */
const PATIENCE = 20;

/**
 * Checks that a kind converts without loss: that each spec is the same after a conversion to any other version and back,
 * and that no function fails, also where a field is missing. For tests.
 *
 * @throws Error that lists the fields that are lost
 */
export function checkConversions(kind: KindSchema, check: ConversionCheck = {}): void {
  const losses = versionsOf(kind).flatMap(({ name }) =>
    specsOf(kind, name, check).flatMap((spec) => [
      ...conversionLosses(kind, name, spec),
      ...failuresWithoutFields(kind, name, spec),
    ]),
  );
  // One field is lost by many specs: it is listed once.
  const distinct = [...new Map(losses.map((loss) => [lineOf({ ...loss, message: '' }), loss])).values()];
  if (distinct.length === 0) return;
  const lines = distinct.slice(0, MOST_LISTED).map((loss) => `  ${lineOf(loss)}`);
  if (distinct.length > lines.length) lines.push(`  … and ${distinct.length - lines.length} more`);
  throw new Error(`${kind.kind} is not converted without loss:\n${lines.join('\n')}`);
}

const lineOf = ({ version, through, path, message }: Loss): string =>
  `${version} to ${through} and back: ${path.replaceAll(/\[\d+\]/g, '[]')} ${message}`;

/**
 * What a spec loses when it is converted to each other version and back. Defaults are filled in on the way, as the API
 * server does for a client that reads in one version and writes back what it read.
 */
export function conversionLosses(kind: KindSchema, version: string, spec: unknown): readonly Loss[] {
  const given = defaulted(kind, version, plainJson(spec, 'spec'));
  return versionsOf(kind).flatMap(({ name: through }) => {
    if (through === version) return [];
    try {
      const there = defaulted(kind, through, convertSpec(kind, given, version, through));
      const back = defaulted(kind, version, convertSpec(kind, there, through, version));
      return differences(given, back, 'spec').map((difference) => ({ version, through, ...difference }));
    } catch (error) {
      return [{ version, through, path: 'spec', message: `is not converted: ${messageOf(error)}` }];
    }
  });
}

function failuresWithoutFields(kind: KindSchema, version: string, spec: JsonObject): readonly Loss[] {
  return versionsOf(kind).flatMap(({ name: through }) => {
    if (through === version) return [];
    return [...withoutOneField(spec, MOST_REMOVED)].flatMap(({ path, value }) => {
      try {
        convertSpec(kind, value, version, through);
        return [];
      } catch (error) {
        const message = `may be missing, and then ${messageOf(error)}`;
        return [{ version, through, path: `spec${path}`, message }];
      }
    });
  });
}

function specsOf(kind: KindSchema, version: string, check: ConversionCheck): readonly JsonObject[] {
  const { specs, runs = 200, seed = 1 } = check;
  if (specs !== undefined) return (specs[version] ?? []).map((spec) => plainJson(spec, 'spec') as JsonObject);
  const random = randomOf(seed);
  const schema = specSchema(kind, version);
  const validator = kind.versions.find(({ name }) => name === version)?.spec ?? kind.spec;
  const chosen: JsonObject[] = [];
  for (let tries = 0; tries < runs * PATIENCE && chosen.length < runs; tries += 1) {
    const sample = sampleOf(schema, random) as JsonObject;
    if (validator.safeParse(sample).success) chosen.push(sample);
  }
  if (chosen.length > 0) return chosen;
  throw new Error(`no spec of ${kind.kind} ${version} could be made from its schema: give some in specs.${version}`);
}

interface Version {
  readonly name: string;
  readonly schema: () => StructuralSchema;
}

const versionsOf = (kind: KindSchema): readonly Version[] => [
  { name: kind.version, schema: kind.schema },
  ...kind.versions,
];

function specSchema(kind: KindSchema, version: string): StructuralSchema {
  const found = versionsOf(kind).find(({ name }) => name === version);
  if (found === undefined) {
    const names = versionsOf(kind).map(({ name }) => name);
    throw new Error(`${kind.kind} has no version ${version}: it has ${names.join(', ')}`);
  }
  return found.schema().properties?.['spec'] ?? {};
}

const defaulted = (kind: KindSchema, version: string, spec: Json): Json =>
  withDefaults(specSchema(kind, version), spec);

function convertSpec(kind: KindSchema, spec: Json, from: string, to: string): Json {
  const { group, kind: name } = kind;
  const object = { apiVersion: `${group}/${from}`, kind: name, metadata: { name: 'checked' }, spec };
  // Without a deadline of its own: the test has one.
  return convertObject(object, `${group}/${to}`, [kind], (work) => work())['spec'] as Json;
}

type Difference = Pick<Loss, 'path' | 'message'>;

/** The fields that differ; of an object or a list as a whole where it is missing. */
function differences(was: Json | undefined, is: Json | undefined, path: string): readonly Difference[] {
  if (Array.isArray(was) && Array.isArray(is) && was.length === is.length) {
    return (was as readonly Json[]).flatMap((item, place) =>
      differences(item, (is as readonly Json[])[place], `${path}[${place}]`),
    );
  }
  if (isObject(was) && isObject(is)) {
    const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
    return names.flatMap((name) => differences(was[name], is[name], `${path}.${name}`));
  }
  if (was === is) return [];
  if (is === undefined) return [{ path, message: `is lost: it was ${JSON.stringify(was)}` }];
  if (was === undefined) return [{ path, message: `is new: it is ${JSON.stringify(is)}` }];
  return JSON.stringify(was) === JSON.stringify(is)
    ? []
    : [{ path, message: `is ${JSON.stringify(is)}, and was ${JSON.stringify(was)}` }];
}
