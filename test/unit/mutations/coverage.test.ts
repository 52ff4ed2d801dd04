import { describe, expect, test } from 'vitest';
import { SpecError } from '../../../constructs/schema/error.ts';
import type { JsonObject } from '../../../constructs/schema/json.ts';
import { problemsOf } from '../../mutations/chains.ts';
import { homesOf, mutationsOfProperty, propertiesOfSubject, type Mutation } from '../../mutations/mutations.ts';
import type { Property } from '../../mutations/properties.ts';
import { subjects } from '../../mutations/subjects/index.ts';
import type { Subject } from '../../mutations/subjects/subject.ts';

/** What a static host makes of a spec; undefined where it refuses it. */
function made(subject: Subject, spec: JsonObject): string | undefined {
  try {
    // Two hosts could differ in the operator's view of a spec alone: the hash of it is left out.
    return JSON.stringify(subject.render('mutated', 'default', spec)).replaceAll(
      /"trunnion\.dev\/template":"[^"]*"/g,
      '',
    );
  } catch (error) {
    if (error instanceof SpecError) return undefined;
    throw error;
  }
}

const isLeaf = ({ schema }: Property): boolean => schema.properties === undefined;

/** Whether a property is another one, or in it. */
const isWithin = (path: string, whole: string): boolean => `${path}.`.replace(/[[{]/g, '.$&').startsWith(`${whole}.`);

describe.each(subjects)('of the kind $kind.kind', (subject) => {
  const properties = propertiesOfSubject(subject);
  const rendered = new Map(Object.entries(subject.homes).map(([home, spec]) => [home, made(subject, spec)]));
  const shows = ({ home, of }: Mutation): boolean => {
    const before = rendered.get(home);
    const whole = subject.homes[home] ?? {};
    const spec = of(whole);
    if (spec === whole || before === undefined) return false;
    const after = made(subject, spec);
    return after !== undefined && after !== before;
  };

  test('every home is a valid spec', () => {
    for (const [home, spec] of Object.entries(subject.homes))
      expect([home, problemsOf(subject, spec)]).toEqual([home, []]);
  });

  test('every property has a home', () => {
    const homeless = properties.filter(({ path }) => homesOf(subject, path).length === 0).map(({ path }) => path);
    expect(homeless, `give each of these a value in one of the specs of test/mutations/subjects (homes)`).toEqual([]);
  });

  test('every field has an effect: some change of it changes what is rendered, or it is known why not', () => {
    const silent = properties.filter(isLeaf).filter((property) => !mutationsOfProperty(subject, property).some(shows));
    const reasons = silent.map(({ path }) => Object.keys(subject.silent).find((of) => isWithin(path, of)) ?? path);
    const known = Object.keys(subject.silent);
    const unexplained = reasons.filter((path) => !known.includes(path));
    expect(
      unexplained,
      `render these, or say in "silent" of test/mutations/subjects why no manifest shows them`,
    ).toEqual([]);
    const audible = known.filter((path) => !reasons.includes(path));
    expect(audible, `these are rendered: take them out of "silent" in test/mutations/subjects`).toEqual([]);
    const explained = properties.filter(isLeaf).filter(({ path }) => reasons.some((of) => isWithin(path, of)));
    expect(silent.map(({ path }) => path)).toEqual(explained.map(({ path }) => path));
  });
});
