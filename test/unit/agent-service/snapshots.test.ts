import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { RenderedChild } from '../../../constructs/index.ts';
import { render, serving } from './support/render.ts';
import { minimal, SPECS } from './support/specs.ts';

/** The manifests as YAML, each headed by its place in the order. */
const printed = (children: readonly RenderedChild[]): string =>
  children.map((child) => stringify(JSON.parse(JSON.stringify(child)), { lineWidth: 0 })).join('---\n');

describe('the manifests of', () => {
  test.each(Object.entries(SPECS))('%s', (_, spec) => {
    expect(printed(render(spec))).toMatchSnapshot();
  });

  test('an agent whose model is a ModelServing', () => {
    expect(printed(render({ image: minimal.image, model: serving() }))).toMatchSnapshot();
  });

  test('an agent whose ModelServing nobody has found yet', () => {
    expect(printed(render({ image: minimal.image, modelRef: { name: 'llama' } }, {}))).toMatchSnapshot();
  });

  test('an agent one of whose Secrets has changed', () => {
    expect(printed(render(minimal, { referencesHash: '0123456789' }))).toMatchSnapshot();
  });
});
