import { expect, test } from 'vitest';
import { changedFields } from '../../../cli/plan/fields.ts';

test('a field that changes is reported with both values', () => {
  expect(changedFields({ spec: { replicas: 1 } }, { spec: { replicas: 3 } })).toEqual([
    { path: 'spec.replicas', from: 1, to: 3 },
  ]);
});

test('a field that comes or goes has one value', () => {
  expect(changedFields({ data: { a: 'x' } }, { data: { b: 'y' } })).toEqual([
    { path: 'data.a', from: 'x' },
    { path: 'data.b', to: 'y' },
  ]);
});

test('items of a list are distinguished by their names', () => {
  const containers = (...names: string[]) => ({
    containers: names.map((name) => ({ name, image: `image-of-${name}` })),
  });
  expect(changedFields(containers('server'), containers('sidecar', 'server'))).toEqual([
    { path: 'containers[sidecar].image', to: 'image-of-sidecar' },
    { path: 'containers[sidecar].name', to: 'sidecar' },
  ]);
});

test('items without names are distinguished by their places', () => {
  expect(changedFields({ args: ['a', 'b'] }, { args: ['a', 'c'] })).toEqual([{ path: 'args[1]', from: 'b', to: 'c' }]);
});

test('a key with dots is one key', () => {
  expect(changedFields({ labels: {} }, { labels: { 'a.b/c': '1' } })).toEqual([
    { path: 'labels', from: '{}' },
    { path: 'labels[a.b/c]', to: '1' },
  ]);
});

test('what the server keeps for itself is no change', () => {
  const object = (version: string) => ({
    metadata: { name: 'x', resourceVersion: version, generation: Number(version) },
    status: { version },
  });
  expect(changedFields(object('1'), object('2'))).toEqual([]);
});
