import { expect, test } from 'vitest';
import { slowSpecs } from '../../../operator/conversion/slow-specs.ts';

const DEADLINE_MS = 20;

test('a spec that took too long is refused without another try for a minute', () => {
  let [now, calls] = [0, 0];
  const call = slowSpecs(() => now, DEADLINE_MS);
  const loop = () => {
    calls += 1;
    for (;;);
  };
  const about = { where: 'WebApp: toStored of v1beta1', spec: { image: 'a' } };
  expect(() => call(loop, about)).toThrow('took more than');
  const tried = calls;
  expect(() => call(loop, about)).toThrow('it took too long for this spec before');
  expect(calls).toBe(tried);
  expect(call(() => 1, { ...about, spec: { image: 'b' } })).toBe(1);
  expect(call(() => 2, { ...about, where: 'WebApp: fromStored of v1beta1' })).toBe(2);
  now = 60_000;
  expect(call(() => 3, about)).toBe(3);
});

test('what throws is tried each time', () => {
  const call = slowSpecs(() => 0, DEADLINE_MS);
  const about = { where: 'here', spec: {} };
  for (let times = 0; times < 2; times += 1) {
    expect(() =>
      call(() => {
        throw new Error('no port');
      }, about),
    ).toThrow('no port');
  }
});
