import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { fatesOf, translate } from '../../../../compat/convert/convert.ts';
import { fateOf } from '../../../../compat/convert/fates.ts';
import { Fields } from '../../../../compat/convert/fields.ts';
import type { Fate } from '../../../../compat/convert/fates.ts';
import { plainPath, valueAt, written } from '../../../../compat/convert/place.ts';
import type { Place } from '../../../../compat/convert/place.ts';
import type { Manifest } from '../../../../constructs/index.ts';
import type { Json } from '../../../../constructs/schema/json.ts';
import { sources } from '../../../support/shapes/sources.ts';
import type { Source } from '../../../support/shapes/source.ts';
import { leavesOf } from '../../../support/shapes/shape.ts';
import type { Leaf } from '../../../support/shapes/shape.ts';

type Translated = NonNullable<ReturnType<typeof translate>>;

const equivalentOf = (manifest: Manifest): Translated => {
  const equivalent = translate(manifest, [manifest]);
  if (equivalent === undefined) throw new Error(`${manifest.kind} is not known`);
  return equivalent;
};

const bases = new Map<Manifest, Translated>();

function equalOfBase(base: Manifest): Translated {
  const equivalent = bases.get(base) ?? equivalentOf(base);
  bases.set(base, equivalent);
  return equivalent;
}

/** What is wrong with what happened to a field; undefined where it is as its fate says. */
function wrongAt(source: Source, base: Manifest, { place, value }: Sample): string | undefined {
  const changed = put(base, place, value) as Manifest;
  const fate = fateOf(fatesOf(source.reader, new Fields(changed as unknown as Json)), place);
  if (fate === undefined) return 'nobody has said what happens to it';
  if (fate.fate === 'idle') return undefined;
  const before = equalOfBase(base);
  const after = equivalentOf(changed);
  const isNoted =
    !isDeepStrictEqual(before.notes, after.notes) &&
    (isReported(after, place, fate) || (fate.fate === 'changed' && isReported(before, place, fate)));
  const moved = changesBetween(before.manifest as unknown as Json, after.manifest as unknown as Json);
  if (fate.fate === 'reported') return isNoted ? undefined : 'is not reported with its reason';
  const isMoved = moved.some((path) => isWithin(path, fate.to));
  if (isMoved && fate.fate === 'taken') return undefined;
  if (isNoted) return undefined;
  return isMoved
    ? 'changes what it means, and no note says so'
    : `neither reaches ${fate.to} nor is told (changed: ${moved.join(', ')})`;
}

const isWithin = (path: string, to: string): boolean =>
  path === to || path.startsWith(`${to}.`) || to.startsWith(`${path}.`);

/** Whether a note says of a place, or of what it is a part of, what its fate says. */
function isReported({ notes }: Translated, place: Place, fate: Fate): boolean {
  const paths = new Set(place.map((_, index) => written(place.slice(0, index + 1))));
  return notes.some(
    ({ path, message }) =>
      (paths.has(path) && (fate.fate !== 'reported' || message === fate.why)) ||
      (fate.fate === 'changed' && (path === fate.to || fate.to.startsWith(`${path}.`))),
  );
}

/** The paths, without indices, at which two values differ. */
function changesBetween(one: Json | undefined, other: Json | undefined, place: Place = []): readonly string[] {
  if (isDeepStrictEqual(one, other)) return [];
  const [a, b] = [one, other].map((value) => (typeof value === 'object' && value !== null ? value : undefined));
  if (a === undefined && b === undefined) return [plainPath(place)];
  const isArray = Array.isArray(a ?? b);
  const names = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])];
  const found = names.flatMap((name) => {
    const step = isArray ? Number(name) : name;
    return changesBetween(valueAt(one ?? null, [step]), valueAt(other ?? null, [step]), [...place, step]);
  });
  return found.length > 0 ? found : [plainPath(place)];
}

/** A field with a value for it. */
interface Sample {
  readonly place: Place;
  readonly value: Json;
}

/** A field under each of the keys that the maps on its way are looked at with. */
function samplesOf(source: Source, base: Manifest, { path, type }: Leaf): readonly Sample[] {
  const places = path.reduce<readonly Place[]>(
    (found, step, index) => {
      const steps = step === '*' ? keysAt(source, path.slice(0, index)) : [step === '[]' ? 0 : step];
      return found.flatMap((place) => steps.map((each) => [...place, each]));
    },
    [['spec']],
  );
  return places.map((place) => ({ place, value: valueFor(source, base, { path, type }, place) }));
}

const keysAt = ({ keys = [] }: Source, path: readonly string[]): readonly string[] =>
  [...keys, ...KEYS].find(([map]) => map.test(path.join('.')))?.[1] ?? ['example.com/sample'];

/** Keys that have fates of their own, wherever they are. */
const KEYS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/resources(PerNode)?\.(requests|limits)$/, ['cpu', 'memory', 'vpc.amazonaws.com/efa']],
];

function valueFor(source: Source, base: Manifest, { path, type }: Leaf, place: Place): Json {
  const [, given] = [...(source.samples ?? []), ...SAMPLES].find(([field]) => field.test(path.join('.'))) ?? [];
  if (given !== undefined) return given;
  const present = valueAt(base as unknown as Json, place);
  const fate = fateOf(fatesOf(source.reader, new Fields(base as unknown as Json)), place);
  const idle = fate?.fate === 'reported' ? (fate.unless ?? []) : [];
  return sampleBy(type, [...idle, ...(present === undefined ? [] : [present])]);
}

/** Values that only a certain text is, wherever they are. */
const SAMPLES: readonly (readonly [RegExp, Json])[] = [
  [/imagePullPolicy$/, 'Never'],
  [/dnsPolicy$/, 'Default'],
  [/\.effect$/, 'NoSchedule'],
  [/tolerations\.\[\]\.operator$/, 'Exists'],
  [/(requests|limits)\.\*$/, '3'],
];

/** A value of a type, other than some. */
function sampleBy(type: string, others: readonly Json[]): Json {
  const isOther = (value: Json) => !others.some((each) => isDeepStrictEqual(each, value));
  const values = type.includes('|') ? type.split('|').toReversed() : (VALUES[type] ?? [type]);
  return values.find(isOther) ?? null;
}

const VALUES: Readonly<Record<string, readonly Json[]>> = {
  text: ['sample', 'other'],
  int: [7, 8],
  number: [7, 8],
  bool: [true, false],
  amount: ['3', '4'],
  any: [{ sample: true }],
};

/** The same value with another at a place, and with all that must be there for it. */
function put(value: unknown, [step, ...rest]: Place, other: unknown): unknown {
  if (step === undefined) return other;
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? value : [];
    return Object.assign([...list], { [step]: put(list[step], rest, other) });
  }
  const object = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return { ...object, [step]: put(object[step], rest, other) };
}

describe.each(Object.entries(sources))('of %s', (_, source) => {
  test('each field is taken over, changed with a note, or reported with its reason', () => {
    const wrong = leavesOf(source.schema).flatMap((leaf) => {
      const found = new Set(
        source.bases.flatMap((base) =>
          samplesOf(source, base, leaf).flatMap((each) => wrongAt(source, base, each) ?? []),
        ),
      );
      return [...found].map((each) => `${leaf.path.join('.')}: ${each}`);
    });
    expect(wrong).toEqual([]);
  });

  test('a field that nobody has learned of is reported', () => {
    for (const base of source.bases) {
      const manifest = put(base, ['spec', 'unheardOf'], 'sample') as Manifest;
      expect(equivalentOf(manifest).notes).toContainEqual({
        path: 'spec.unheardOf',
        value: 'sample',
        message: 'has no equivalent: no field of that name is known',
      });
    }
  });
});

test('a field of which nothing is ever said is one of these, which have no effect', () => {
  const idle = Object.values(sources).flatMap(({ reader }) =>
    Object.entries(reader.fates).flatMap(([path, { fate }]) => (fate === 'idle' ? [path] : [])),
  );
  expect(
    idle.filter(
      (path) =>
        // The name of a container, and of MPI what is set for all of its implementations.
        !/^spec\.(mainContainer|mpiImplementation)$/.test(path) &&
        !/(containers|model|tensorflow|triton|pytorch|onnx|huggingface|sklearn|xgboost|lightgbm|pmml|paddle)\.name$/.test(
          path,
        ),
    ),
  ).toEqual([]);
});
