import { expect, test } from 'vitest';
import { Query } from '../../../../cli/ui/query.ts';

const ALL = 'kind=ModelServing&namespace=models&name=llama';

test('a resource is named by kind, namespace and name', () => {
  expect(new Query(`/api/resource?${ALL}`).resource()).toEqual({
    kind: 'ModelServing',
    namespace: 'models',
    name: 'llama',
  });
});

test.for([
  ['', 'kind is missing: ?kind=KIND&namespace=NAMESPACE&name=NAME'],
  ['?kind=ModelServing&name=llama', 'namespace is missing'],
  ['?kind=ModelServing&namespace=&name=llama', 'namespace is missing'],
  ['?kind=Secret&namespace=models&name=llama', 'kind must be one of: ModelServing, '],
  ['?kind=modelserving/llama&namespace=models&name=llama', 'kind must be one of'],
  ['?kind=ModelServing&namespace=../kube-system&name=llama', 'namespace must be a name of Kubernetes'],
  ['?kind=ModelServing&namespace=models&name=a%2Fb', 'name must be a name of Kubernetes'],
  ['?kind=ModelServing&namespace=models&name=..', 'name must be a name of Kubernetes'],
  [`?kind=ModelServing&namespace=models&name=${'a'.repeat(254)}`, 'name must be a name of Kubernetes'],
] as const)('%s is refused', ([query, words]) => {
  expect(() => new Query(`/api/resource${query}`).resource()).toThrow(words);
});

test('without a namespace, all of them are meant', () => {
  expect(new Query('/api/overview').namespace()).toBeUndefined();
  expect(new Query('/api/overview?namespace=').namespace()).toBeUndefined();
  expect(new Query('/api/overview?namespace=models').namespace()).toBe('models');
  expect(() => new Query('/api/overview?namespace=a/b').namespace()).toThrow('namespace must be');
});

test('a number of lines is whole, and of four digits at most', () => {
  expect(new Query('/api/logs').count('tail', 200)).toBe(200);
  expect(new Query('/api/logs?tail=0').count('tail', 200)).toBe(0);
  for (const tail of ['-1', '1.5', '10000', '1e3', 'a']) {
    expect(() => new Query(`/api/logs?tail=${tail}`).count('tail', 200)).toThrow('tail must be a whole number');
  }
});
