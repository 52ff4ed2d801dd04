import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { OPERATOR_NAMESPACE } from '../../cli/options.ts';
import { kubectl } from '../cluster/support/client.ts';
import { trunnion } from '../support/trunnion.ts';
import { helm } from '../support/helm.ts';
import { chart } from './support/chart.ts';
import { byTitle, byTitleIn, rendered } from './support/objects.ts';
import { overlay } from './support/ways.ts';

describe('the three ways give the same objects', () => {
  const settings = (watchNamespace: string) => ({ watchNamespace, crds: { keep: false } });
  const values = (namespace: string, watchNamespace: string) =>
    ['--namespace', namespace, '--set', `crds.keep=false,watchNamespace=${watchNamespace}`] as const;

  test('for a whole cluster', async () => {
    const expected = byTitle(rendered(settings('')));
    const { [`Namespace /${OPERATOR_NAMESPACE}`]: _, ...withoutNamespace } = expected;
    expect(byTitleIn(readFileSync(join(inject('install').dist, 'install.yaml'), 'utf8'))).toEqual(expected);
    expect(byTitleIn(await kubectl('kustomize', overlay({ namespace: OPERATOR_NAMESPACE, alone: false })))).toEqual(
      expected,
    );
    expect(byTitleIn(await helm('template', 'trunnion', chart(), ...values(OPERATOR_NAMESPACE, '')))).toEqual(
      withoutNamespace,
    );
  });

  test('for one namespace', async () => {
    const expected = byTitle(rendered(settings('models'), 'models'));
    const { [`Namespace /models`]: _, ...withoutNamespace } = expected;
    const flags = ['--namespace', 'models', '--watch-namespace', 'models'];
    expect(byTitleIn((await trunnion(['install', '--print', ...flags])).stdout)).toEqual(expected);
    expect(byTitleIn(await kubectl('kustomize', overlay({ namespace: 'models', alone: true })))).toEqual(expected);
    // Helm can't tell that this is its own namespace, so it is named.
    const printed = (await helm('template', 'trunnion', chart(), ...values('models', 'models')))
      .replace('"--namespace=models"', '--namespace=$(POD_NAMESPACE)')
      .replace(
        /\n {8}- namespaceSelector:\n.*\n.*metadata\.name: "models"\n {10}podSelector/,
        '\n        - podSelector',
      );
    expect(byTitleIn(printed)).toEqual(withoutNamespace);
  });
});

test('the kustomization of the docs gives another image to the operator and to the pods that fetch', async () => {
  const page = readFileSync(new URL('../../docs/install.md', import.meta.url), 'utf8');
  const [, kustomization = ''] = /```yaml[^\n]*\n([^`]*kind: Kustomization[^`]*)```/.exec(page) ?? [];
  const folder = join(inject('install').dist, 'kustomize/of-docs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'kustomization.yaml'), kustomization.replace('dist/kustomize/cluster', '../cluster'));
  const objects = byTitleIn(await kubectl('kustomize', folder));
  const image = 'registry.example.com/trunnion-operator:0.1.0';
  expect(objects[`Deployment ${OPERATOR_NAMESPACE}/trunnion-operator`]).toHaveProperty(
    'spec.template.spec.containers',
    [
      expect.objectContaining({
        image,
        env: expect.arrayContaining([{ name: 'TRUNNION_FETCHER_IMAGE', value: image }]) as unknown,
      }),
    ],
  );
});
