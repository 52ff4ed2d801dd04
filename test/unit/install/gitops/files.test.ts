import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { KINDS } from '../../../../constructs/kinds.ts';
import { healthExpressions } from '../../../../stacks/operator/gitops/cel.ts';
import { gitopsFiles, HEALTH_KINDS } from '../../../../stacks/operator/gitops/files.ts';
import { healthLua } from '../../../../stacks/operator/gitops/lua.ts';
import { blocks, fileOf } from '../../../support/markdown.ts';

interface Kustomization {
  readonly kind?: string;
  readonly spec: { readonly healthCheckExprs?: readonly { readonly kind: string }[] };
}

const written = (path: string): unknown => parse(gitopsFiles().find((file) => file.path === path)?.text ?? '');

test('the file for Argo CD has the check under the key of each kind', () => {
  const keys = HEALTH_KINDS.map(({ group, kind }) => `resource.customizations.health.${group}_${kind}`);
  expect(written('gitops/argo-cd.yaml')).toEqual({ data: Object.fromEntries(keys.map((key) => [key, healthLua()])) });
});

test('the file for Flux has the expressions of each kind', () => {
  const { spec } = written('gitops/flux.yaml') as Kustomization;
  expect(spec.healthCheckExprs).toEqual(
    HEALTH_KINDS.map(({ group, kind }) => ({ apiVersion: `${group}/v1alpha1`, kind, ...healthExpressions() })),
  );
});

test('the page about Flux has the expressions of our own kinds', async () => {
  const block = (await blocks()).find((one) => fileOf(one) === 'models-sync.yaml');
  const shown = parseAllDocuments(block?.text ?? '').map((document) => document.toJS() as Kustomization);
  const { spec } = written('gitops/flux.yaml') as Kustomization;
  expect(shown.flatMap((one) => one.spec.healthCheckExprs ?? [])).toEqual(
    spec.healthCheckExprs?.filter(({ kind }) => KINDS.some((ours) => ours.kind === kind)),
  );
});

test('what is written is what is checked in', () => {
  for (const { path, text } of gitopsFiles()) expect(readFileSync(`stacks/operator/${path}`, 'utf8')).toBe(text);
});
