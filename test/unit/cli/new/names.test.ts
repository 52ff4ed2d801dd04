import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { namesOf } from '../../../../cli/new/names.ts';

test.for([
  [
    { group: 'acme.dev', kind: 'WebApp' },
    { group: 'acme.dev', kind: 'WebApp', file: 'web-app', plural: 'webapps', operator: 'acme-operator' },
  ],
  [
    { group: 'games.example.com', kind: 'GameServer', plural: 'gsv', name: 'lobby' },
    { group: 'games.example.com', kind: 'GameServer', file: 'game-server', plural: 'gsv', operator: 'lobby' },
  ],
  [{ group: 'a.b', kind: 'HTTPRoute2' }, { file: 'http-route2' }],
  [{ group: 'a.b', kind: 'GPU' }, { file: 'gpu' }],
  [{ group: 'a.b', kind: 'Policy' }, { plural: 'policies' }],
] as const)('of %j the names are %j', ([options, names]) => {
  expect(namesOf(options)).toMatchObject(names);
});

test.for([
  ['group', 'acme', 'must be a domain with a dot in it'],
  ['group', 'Acme.dev', 'must be a domain'],
  ['group', 'acme..dev', 'must be a domain'],
  ['group', `${'a.'.repeat(100)}b`, 'must be a domain'],
  ['group', "a.dev'; x", 'must be a domain'],
  ['group', 'web.k8s.io', 'Kubernetes keeps that domain'],
  ['group', 'kubernetes.io', 'Kubernetes keeps that domain'],
  ['kind', 'webApp', 'must be letters and digits with a capital first'],
  ['kind', 'Web-App', 'must be letters and digits'],
  ['kind', 'Wéb', 'must be letters and digits'],
  ['kind', `A${'a'.repeat(59)}`, 'must be letters and digits'],
  ['kind', 'Operator', 'src/operator.ts is the program'],
  ['plural', 'WebApps', 'must be at most 63 lower-case letters'],
  ['plural', '', 'must be at most 63 lower-case letters'],
  ['plural', 'a.b', 'must be at most 63 lower-case letters'],
  ['name', 'Acme', 'must be at most 54 lower-case letters'],
  ['name', '9-operator', 'must be at most 54 lower-case letters'],
  ['name', 'a'.repeat(55), 'must be at most 54 lower-case letters'],
] as const)('--%s %s is refused: it %s', ([flag, value, words]) => {
  const names = namesOf({ group: 'acme.dev', kind: 'WebApp', [flag]: value });
  expect(names).toEqual({ problems: [expect.stringMatching(`^--${flag} `) && expect.stringContaining(words)] });
});

test('a name that follows from a group with a digit first is asked for', () => {
  expect(namesOf({ group: '9.dev', kind: 'WebApp' })).toEqual({
    problems: [expect.stringContaining('--name, which is 9-operator by --group')],
  });
});

test('all problems are told at once', () => {
  const { problems } = namesOf({ group: 'x', kind: 'y', plural: 'Z', name: '!' }) as { problems: readonly string[] };
  expect(problems.map((problem) => problem.split(' ')[0])).toEqual(['--group', '--kind', '--plural', '--name']);
});

test('whatever is said, there are names or words, and names can stand in code', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 80 });
  fc.assert(
    fc.property(text, text, fc.option(text, { nil: undefined }), (group, kind, plural) => {
      const names = namesOf({ group, kind, ...(plural !== undefined && { plural }) });
      if ('problems' in names) expect(names.problems.length).toBeGreaterThan(0);
      else expect(Object.values(names).every((name) => /^[\w.-]+$/.test(name))).toBe(true);
    }),
  );
});
