import { expect, test } from 'vitest';
import { withoutEmpties } from '../../../constructs/distributed-training/empties.ts';

test.each([
  ['a map of which none says the same', { hyperparameters: {}, image: 'a' }, { image: 'a' }],
  ['what holds nothing but such maps', { podTemplate: { metadata: { annotations: {}, labels: {} } } }, {}],
  [
    'an empty list',
    { podTemplate: { spec: { tolerations: [], schedulerName: 'a' } } },
    { podTemplate: { spec: { schedulerName: 'a' } } },
  ],
  [
    'the like in items of lists',
    { containers: [{ name: 'a', env: [], resources: { limits: {} } }] },
    { containers: [{ name: 'a' }] },
  ],
])('leaves out %s', (_, spec, left) => {
  expect(withoutEmpties(spec)).toEqual(left);
});

test.each([
  ['a volume that is an empty folder', { volumes: [{ name: 'a', emptyDir: {} }] }],
  ['a selector of everything', { podAffinityTerm: { labelSelector: {}, topologyKey: 'zone' } }],
  ['what is zero, false or an empty text', { suspend: false, seed: 0, args: [''] }],
])('leaves %s', (_, spec) => {
  expect(withoutEmpties(spec)).toEqual(spec);
});
