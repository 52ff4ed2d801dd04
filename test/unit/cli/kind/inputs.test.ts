import { expect, test } from 'vitest';
import { repositoryOf } from '../../../../cli/kind/image.ts';
import { packageIn } from '../../../../cli/kind/package.ts';

test.for([
  'acme-operator',
  'acme/acme-operator',
  'registry.example.com/acme/acme_operator',
  'localhost:5000/acme-operator',
  'ghcr.io/a/b/c.d',
])('%s is the repository of an image', (image) => {
  expect(repositoryOf(image)).toBe(image);
});

test.for([
  ['registry.example.com/acme-operator:1.0', 'leave out the tag'],
  ['registry.example.com/acme-operator@sha256:0e0f', 'leave out the tag'],
  ['Acme', 'must be a repository'],
  ['registry.example.com/', 'must be a repository'],
  ['https://registry.example.com/a', 'must be a repository'],
  ['a b', 'must be a repository'],
  ['', 'must be a repository'],
  ['a'.repeat(254), 'must be a repository'],
  ['{{ .Values.x }}', 'must be a repository'],
] as const)('%s is none', ([image, words]) => {
  expect(() => repositoryOf(image)).toThrow(words);
});

test.for([
  ['{"version": "1.2.3"}', { version: '1.2.3' }],
  ['{"version": "1.2.3", "description": "Runs apps"}', { version: '1.2.3', description: 'Runs apps' }],
  ['{"version": "1.2.3", "description": 7}', { version: '1.2.3' }],
  ['{"name": "a workspace"}', undefined],
  ['{"version": ""}', undefined],
  ['{', undefined],
  ['null', undefined],
] as const)('of the package.json %s there is %j', ([text, found]) => {
  expect(packageIn(text)).toEqual(found);
});
