import * as pulumi from '@pulumi/pulumi';
import { expect, test } from 'vitest';
import { settled } from '../../../../stacks/pulumi/provider/settled.ts';
import { deployed, later, Source } from '../support/engine.ts';

/** What a program gives, and what a component finds; `<later>` and `<secret>` stand for Outputs. */
const CASES: Readonly<Record<string, readonly [() => unknown, unknown]>> = {
  'plain arguments as they are': [() => ({ a: ['x', 1, null, true] }), { a: ['x', 1, null, true] }],
  'a known Output as its value': [() => ({ a: pulumi.output('x'), b: [pulumi.output(2)] }), { a: 'x', b: [2] }],
  'an Output of structure as its structure': [() => pulumi.output({ a: { b: ['x'] } }), { a: { b: ['x'] } }],
  'a text that is not known as an Output': [() => ({ a: later('x') }), { a: '<later>' }],
  'what is known beside what is not': [() => pulumi.output({ a: 'x', b: later('y') }), { a: 'x', b: '<later>' }],
  'a secret text as an Output': [() => ({ a: pulumi.secret('x') }), { a: '<secret>' }],
  'each text of a secret structure': [() => pulumi.secret({ a: 'x', b: 2 }), { a: '<secret>', b: 2 }],
  'a secret that is not known as one': [() => ({ a: pulumi.secret(later('x')) }), { a: '<secret>' }],
};

test.for(Object.entries(CASES))('a component finds %s', async ([, [given, found]]) => {
  const { result } = await deployed(async () => seen((await settled(given())).value), { preview: true });
  expect(result).toEqual(found);
});

test('the resources that known text is made of are told', async () => {
  const { result } = await deployed(async () => {
    const source = new Source('bucket');
    const { value, dependencies } = await settled({ uri: source.id, other: 'x' });
    return { value, same: dependencies.has(source), count: dependencies.size };
  });
  expect(result).toEqual({ value: { uri: 'bucket', other: 'x' }, same: true, count: 1 });
});

async function seen(value: unknown): Promise<unknown> {
  if (pulumi.Output.isInstance(value)) return (await pulumi.isSecret(value)) ? '<secret>' : '<later>';
  if (Array.isArray(value)) return Promise.all(value.map(seen));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([key, child]) => [key, await seen(child)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
