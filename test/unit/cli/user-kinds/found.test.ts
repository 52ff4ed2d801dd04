import { describe, expect, test } from 'vitest';
import { foundIn } from '../../../../cli/user-kinds/found.ts';
import type { LoadedModule } from '../../../../cli/user-kinds/load.ts';
import { operatorOf } from '../../../../cli/user-kinds/operator.ts';
import { Tenant } from './support/tenant.ts';
import { operator, WebApp } from './support/web-app.ts';

const moduleOf = (exports: object, ...operators: LoadedModule['operators']): LoadedModule => ({
  file: 'src/operator.ts',
  exports: { ...exports },
  operators,
});

describe('the kinds of a module are', () => {
  test.for([
    ['what it exports by any name', { WebApp, default: Tenant }, [WebApp, Tenant]],
    ['those in a list', { kinds: [WebApp, Tenant], other: 1, none: null }, [WebApp, Tenant]],
    ['one alone, however often it is exported', { WebApp, default: WebApp, kinds: [WebApp] }, [WebApp]],
  ] as const)('%s', ([, exports, kinds]) => {
    expect(foundIn(moduleOf(exports)).kinds).toEqual(kinds);
  });

  test('what it has operate run', () => {
    const found = foundIn(moduleOf({}, { name: 'acme-operator', kinds: [Tenant, WebApp] }));
    expect(found).toMatchObject({ kinds: [Tenant, WebApp], operator: { name: 'acme-operator' } });
  });
});

describe('it is refused in one line', () => {
  test.for([
    ['a module without kinds', moduleOf({ operator, spec: {} }), /^src\/operator\.ts exports no kind: export what/],
    [
      'one with two of the same kind',
      moduleOf({ WebApp, other: { ...WebApp } }),
      /has two kinds WebApp \(acme\.dev\): export one/,
    ],
    [
      'one that runs several operators',
      moduleOf({}, { name: 'one', kinds: [WebApp] }, { name: 'other', kinds: [Tenant] }),
      /runs several operators \(one, other\)/,
    ],
    [
      'one whose operator is no name',
      moduleOf({ WebApp, operator: { name: 7, domain: false } }),
      /^src\/operator\.ts: operator\.name must be a text, got number; operator\.domain must be a text, got boolean$/,
    ],
  ] as const)('%s', ([, module, words]) => {
    expect(() => foundIn(module)).toThrow(words);
  });
});

describe('the operator of a module', () => {
  const found = foundIn(moduleOf({ WebApp, operator }));

  test('is called as the module says, and its domain is the group of the first kind', () => {
    expect(operatorOf('m.ts', found).identity).toMatchObject({ name: 'acme-operator', domain: 'acme.dev' });
  });

  test('is called as the user says, where both say something', () => {
    expect(operatorOf('m.ts', found, { name: 'other' }).identity.name).toBe('other');
  });

  test('has the domain that the module says', () => {
    const other = foundIn(moduleOf({ WebApp, operator: { name: 'a', domain: 'acme.example.com' } }));
    expect(operatorOf('m.ts', other).identity.domain).toBe('acme.example.com');
  });

  test.for([
    [{}, /^m\.ts does not say what its operator is called: export const operator = /],
    [{ flag: '--name' }, /is called: add --name acme-operator; or export const operator = /],
    [{ name: 'Not A Label' }, /name: must be a DNS label/],
  ] as const)('is told where it is said by %j', ([said, words]) => {
    expect(() => operatorOf('m.ts', foundIn(moduleOf({ Tenant })), said)).toThrow(words);
  });
});
