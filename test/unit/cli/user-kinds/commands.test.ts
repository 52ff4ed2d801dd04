import { parseAllDocuments } from 'yaml';
import { describe, expect, test } from 'vitest';
import { knownKinds, moduleOf, operatorOfKind, operatorsOf, schemaOf } from '../../../../cli/user-kinds/known.ts';
import { notServed } from '../../../../cli/kube/types.ts';
import { TRUNNION } from '../../../../operator/trunnion.ts';
import { trunnion } from '../../../support/trunnion.ts';

const WEB_APP = 'test/unit/cli/user-kinds/support/web-app.ts';
const TENANT = 'test/unit/cli/user-kinds/support/tenant.ts';

const HELLO = 'apiVersion: acme.dev/v1\nkind: WebApp\nmetadata: {name: hello}\nspec: {image: "hello:1"}\n';
const TEAM = 'apiVersion: acme.dev/v1\nkind: Tenant\nmetadata: {name: blue}\nspec: {team: blue}\n';

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const objects = (yaml: string): Rendered[] => parseAllDocuments(yaml).map((document): Rendered => document.toJS());

test('the kinds of modules are known before ours, and what is known of them beside', async () => {
  const [webApp, tenant, ours] = await knownKinds([WEB_APP, TENANT]);
  expect([webApp, tenant, ours].map((kind) => kind?.type.kind)).toEqual(['WebApp', 'Tenant', 'ModelServing']);
  expect(moduleOf(webApp ?? {})).toBe(WEB_APP);
  expect(operatorOfKind(webApp ?? {}).fieldManager).toBe('acme-operator');
  expect(operatorOfKind(ours ?? {})).toBe(TRUNNION);
  expect(webApp && schemaOf(webApp)?.shortNames).toEqual(['wa']);
  expect(ours && schemaOf(ours)?.shortNames).toEqual(['msv']);
});

test('whose operator is not known can be drawn, but nothing can be asked for it', async () => {
  const kinds = await knownKinds([TENANT]);
  expect(operatorsOf(kinds)).toEqual([TRUNNION]);
  expect(() => operatorOfKind(kinds[0] ?? {})).toThrow(/does not say what its operator is called/);
});

test('where a cluster does not serve them, the words say how their CRDs are applied', async () => {
  expect(notServed(await knownKinds([WEB_APP]))).toBe(
    `the cluster has no WebApp of acme.dev/v1: apply its CRD first, trunnion kind crd ${WEB_APP} | kubectl apply -f -`,
  );
});

describe('with --kinds', () => {
  test('render prints the objects of a resource', async () => {
    const { code, stdout, stderr } = await trunnion(['render', '-f', '-', '--kinds', WEB_APP], HELLO);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(objects(stdout).map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual([
      'Deployment default/hello',
      'Service default/hello',
    ]);
  });

  test('render takes several modules, and kinds of the cluster', async () => {
    const file = `${HELLO}---\n${TEAM}`;
    const { code, stdout } = await trunnion(['render', '-f', '-', '--kinds', WEB_APP, '--kinds', TENANT], file);
    expect(code).toBe(0);
    expect(objects(stdout).at(-1)).toMatchObject({ kind: 'Namespace', metadata: { name: 'blue' } });
    expect(objects(stdout).at(-1)?.metadata.namespace).toBeUndefined();
  });

  test('render tells all that is wrong with a spec', async () => {
    const wrong = HELLO.replace('image: "hello:1"', 'image: 7, replicas: 1000');
    const { code, stdout, stderr } = await trunnion(['render', '-f', '-', '--kinds', WEB_APP], wrong);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/spec\.image.*spec\.replicas/s);
  });

  test('graph draws the objects of a resource', async () => {
    const { code, stdout } = await trunnion(['graph', '-o', 'json', '-f', '-', '--kinds', WEB_APP], HELLO);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { kind: 'WebApp', nodes: [{ kind: 'Deployment' }, { kind: 'Service' }] },
    ]);
  });

  test('a kind with a mistake in its name is told which was meant', async () => {
    const { code, stderr } = await trunnion(
      ['render', '-f', '-', '--kinds', WEB_APP],
      HELLO.replace('kind: WebApp', 'kind: WepApp'),
    );
    expect(code).toBe(1);
    expect(stderr).toContain('did you mean kind: WebApp with apiVersion: acme.dev/v1?');
  });

  test('a module that is not there is a usage error', async () => {
    expect(await trunnion(['render', '-f', '-', '--kinds', 'absent.ts'], HELLO)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining("error: absent.ts can't be read"),
    });
  });
});

test('without --kinds they are not known', async () => {
  expect(await trunnion(['render', '-f', '-'], HELLO)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('passed over WebApp hello: no resource of ours'),
  });
});
