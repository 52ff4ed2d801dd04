import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { afterAll, describe, expect, test } from 'vitest';
import { trunnion } from '../../../support/trunnion.ts';

const WEB_APP = 'test/unit/cli/user-kinds/support/web-app.ts';
const TENANT = 'test/unit/cli/user-kinds/support/tenant.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-kind-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Printed {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

async function printed(...args: readonly string[]): Promise<readonly Printed[]> {
  const { code, stdout, stderr } = await trunnion(['kind', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return parseAllDocuments(stdout).map((document): Printed => document.toJS());
}

const titles = (objects: readonly Printed[]): readonly string[] =>
  objects.map(({ kind, metadata: { name, namespace } }) => `${kind} ${namespace ?? '-'} ${name}`);

describe('trunnion kind crd', () => {
  test('prints the CRD of each kind', async () => {
    expect(await printed('crd', WEB_APP)).toMatchObject([
      { kind: 'CustomResourceDefinition', metadata: { name: 'webapps.acme.dev' }, spec: { scope: 'Namespaced' } },
    ]);
    expect(await printed('crd', TENANT)).toMatchObject([{ spec: { scope: 'Cluster', names: { kind: 'Tenant' } } }]);
  });

  test('writes a file each to a folder', async () => {
    const out = join(folder, 'crds');
    const { code, stdout, stderr } = await trunnion(['kind', 'crd', WEB_APP, '--out', out]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toBe(`wrote ${join(out, 'acme.dev_webapps.yaml')}\n`);
    expect(parse(readFileSync(join(out, 'acme.dev_webapps.yaml'), 'utf8'))).toMatchObject({
      metadata: { name: 'webapps.acme.dev' },
    });
  });

  test('where the folder is a file, that is told', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const { code, stderr } = await trunnion(['kind', 'crd', WEB_APP, '--out', file]);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: ${join(file, 'acme.dev_webapps.yaml')} can't be written`);
  });
});

test('of a kind that is converted, the CRD and the chart name the Service before its operator', async () => {
  const module = 'test/unit/cli/user-kinds/support/converted.ts';
  expect(await printed('crd', module)).toMatchObject([
    {
      spec: {
        conversion: {
          webhook: { clientConfig: { service: { namespace: 'acme-operator', name: 'acme-operator-conversion' } } },
        },
      },
    },
  ]);
  const { stdout } = await trunnion(['kind', 'chart', module]);
  expect(stdout).toContain('# Source: templates/acme-operator-conversion.service.yaml');
  expect(stdout).toMatch(
    /service:\n +namespace: \{\{ \.Release\.Namespace \| quote \}\}\n +name: acme-operator-conversion/,
  );
});

describe('trunnion kind rbac', () => {
  test('prints the account, its roles, and the roles of users', async () => {
    expect(titles(await printed('rbac', WEB_APP))).toEqual([
      'ServiceAccount acme-operator acme-operator',
      'ClusterRole - acme-operator',
      'ClusterRoleBinding - acme-operator',
      'Role acme-operator acme-operator-lease',
      'RoleBinding acme-operator acme-operator-lease',
      'ClusterRole - acme-operator-view',
      'ClusterRole - acme-operator-edit',
    ]);
  });

  test('of an operator for one namespace, prints nothing of the cluster', async () => {
    const objects = await printed('rbac', WEB_APP, '-n', 'ops', '--watch-namespace', 'apps', '--name', 'other');
    expect(titles(objects)).toEqual([
      'ServiceAccount ops other',
      'Role apps other',
      'RoleBinding apps other',
      'Role ops other-lease',
      'RoleBinding ops other-lease',
    ]);
  });

  test('gives rights to the children of its kinds, and to nothing of ours', async () => {
    const objects = await printed('rbac', WEB_APP);
    const [, role] = objects;
    expect(role?.['rules']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ apiGroups: ['acme.dev'], resources: ['webapps/status'], verbs: ['patch'] }),
        expect.objectContaining({ apiGroups: ['apps'], resources: ['deployments'] }),
      ]),
    );
    expect(JSON.stringify(objects)).not.toMatch(/trunnion/i);
  });

  test('asks for the name of the operator where nobody says it', async () => {
    expect(await trunnion(['kind', 'rbac', TENANT])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('does not say what its operator is called: add --name'),
    });
  });
});

describe('trunnion kind docs', () => {
  test('prints a page of each kind, with its fields and nothing of other hosts', async () => {
    const { code, stdout } = await trunnion(['kind', 'docs', WEB_APP]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^# WebApp\n/);
    expect(stdout).toContain('`apiVersion: acme.dev/v1`');
    expect(stdout).toContain('| `spec.image` | string, at most 512 | required | Image to run. |');
    expect(stdout).not.toMatch(/trunnion|pulumi|parseSpec/i);
  });

  test('names the files by the kinds', async () => {
    const out = join(folder, 'docs');
    await trunnion(['kind', 'docs', WEB_APP, '--out', out]);
    expect(readdirSync(out)).toEqual(['web-app.md']);
  });
});

describe('trunnion kind chart', () => {
  const out = join(folder, 'chart');
  const write = (...args: readonly string[]) => trunnion(['kind', 'chart', WEB_APP, '--out', out, ...args]);
  const read = (path: string): string => readFileSync(join(out, path), 'utf8');

  test('writes a chart of the CRDs, the rights and the Deployment', async () => {
    expect(await write()).toMatchObject({ code: 0, stdout: '' });
    expect(readdirSync(out, { recursive: true }).map(String).toSorted()).toEqual(
      [
        'Chart.yaml',
        'README.md',
        'values.schema.json',
        'values.yaml',
        'templates',
        'templates/NOTES.txt',
        'templates/acme-operator-edit.clusterrole.yaml',
        'templates/acme-operator-lease.role.yaml',
        'templates/acme-operator-lease.rolebinding.yaml',
        'templates/acme-operator-view.clusterrole.yaml',
        'templates/acme-operator.clusterrole.yaml',
        'templates/acme-operator.clusterrolebinding.yaml',
        'templates/acme-operator.deployment.yaml',
        'templates/acme-operator.poddisruptionbudget.yaml',
        'templates/acme-operator.role.yaml',
        'templates/acme-operator.rolebinding.yaml',
        'templates/acme-operator.service.yaml',
        'templates/acme-operator.serviceaccount.yaml',
        'templates/crds',
        'templates/crds/webapps.acme.dev.yaml',
      ].toSorted(),
    );
  });

  test('has the version of the package above the module, and the image that is named', async () => {
    const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
    await write('--image', 'registry.example.com/acme/acme-operator');
    expect(parse(read('Chart.yaml'))).toMatchObject({ name: 'acme-operator', version, appVersion: version });
    expect(parse(read('values.yaml'))).toMatchObject({
      image: { repository: 'registry.example.com/acme/acme-operator', tag: '' },
    });
  });

  test('removes the templates of kinds that are gone', async () => {
    await write();
    const stale = join(out, 'templates/crds/games.acme.dev.yaml');
    writeFileSync(stale, 'x: y\n');
    await write();
    expect(readdirSync(join(out, 'templates/crds'))).toEqual(['webapps.acme.dev.yaml']);
  });

  test('leaves the templates of another chart alone', async () => {
    const other = join(folder, 'other');
    await trunnion(['kind', 'chart', WEB_APP, '--name', 'other-operator', '--out', other]);
    writeFileSync(join(other, 'templates/mine.yaml'), 'x: y\n');
    expect(await trunnion(['kind', 'chart', WEB_APP, '--out', other])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${other} has the chart other-operator: name another folder`),
    });
    expect(readdirSync(join(other, 'templates'))).toContain('mine.yaml');
  });

  test('names nobody but the operator', async () => {
    await write();
    const texts = readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').replaceAll('trunnion kind', ''));
    expect(texts.filter((text) => /trunnion/i.test(text))).toEqual([]);
  });

  test('without a folder, prints each file under its path', async () => {
    const { stdout } = await trunnion(['kind', 'chart', WEB_APP]);
    expect(stdout).toMatch(/^---\n# Source: Chart\.yaml\napiVersion: v2\n/);
    expect(stdout).toContain('---\n# Source: templates/acme-operator.deployment.yaml\n');
  });
});

test('a module without kinds, and one that is not there, are told in one line', async () => {
  for (const [file, words] of [
    ['test/unit/cli/kind/commands.test.ts.absent', "can't be read"],
    ['cli/options.ts', 'exports no kind'],
  ] as const) {
    const { code, stderr } = await trunnion(['kind', 'crd', file]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr.trimEnd()).not.toContain('\n');
  }
});
