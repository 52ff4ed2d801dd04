import { expect, test } from 'vitest';
import { arrivalOf } from '../../../../../cli/ui/page/model/token.ts';
import { fragmentOf, type Route, routeOf } from '../../../../../cli/ui/page/model/route.ts';

const all: Route = { view: 'resources', namespace: '', filter: '' };
const llama = { view: 'resource', namespace: 'ml', kind: 'ModelServing', name: 'llama' } as const;

test.each<[fragment: string, route: Route]>([
  ['#/', all],
  ['#/?namespace=ml&filter=gpu+pod', { view: 'resources', namespace: 'ml', filter: 'gpu pod' }],
  ['#/gpus', { view: 'gpus', namespace: '', filter: '' }],
  ['#/gpus?namespace=ml', { view: 'gpus', namespace: 'ml', filter: '' }],
  ['#/ml/ModelServing/llama', { ...llama, tab: 'status' }],
  ['#/ml/ModelServing/llama/logs', { ...llama, tab: 'logs' }],
  ['#/gpus/ModelServing/llama', { ...llama, namespace: 'gpus', tab: 'status' }],
  ['#/ml/ModelServing/a%2Fb%3F', { ...llama, name: 'a/b?', tab: 'status' }],
])('%s is an address, and has a route', (fragment, route) => {
  expect(routeOf(fragment)).toEqual(route);
  expect(fragmentOf(route)).toBe(fragment);
});

test.each<[fragment: string, route: Route]>([
  ['', all],
  ['#', all],
  ['#/ml', all],
  ['#/ml/ModelServing', all],
  ['#nonsense', all],
  ['#/ml/ModelServing/llama/nonsense', { ...llama, tab: 'status' }],
  ['#/ml/ModelServing/llama/logs/more', { ...llama, tab: 'logs' }],
  ['#/ml/ModelServing/100%', { ...llama, name: '100%', tab: 'status' }],
  ['#/ml//llama', all],
])('%j still leads somewhere', (fragment, route) => {
  expect(routeOf(fragment)).toEqual(route);
});

test.each([
  ['#token=abc', 'abc', ''],
  ['#/ml/ModelServing/llama?token=abc', 'abc', '#/ml/ModelServing/llama'],
  ['#/?namespace=ml&token=abc', 'abc', '#/?namespace=ml'],
  ['#/gpus?namespace=ml', undefined, '#/gpus?namespace=ml'],
  ['#/', undefined, '#/'],
  ['', undefined, ''],
])('from %j the token is removed', (fragment, token, rest) => {
  expect(arrivalOf(fragment)).toEqual({ token, fragment: rest });
});
