import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { DRAIN_SCRIPT } from '../../../constructs/parts/pod/termination.ts';
import type { ModelServingState, ModelServingSpecInput } from '../../../constructs/index.ts';
import { parsed, render } from './support/render.ts';
import { scaled, shared, single, SPECS } from './support/specs.ts';

/** The manifests as YAML, each headed by its place in the order; the programs in them are not shown. */
const printed = (spec: ModelServingSpecInput, state?: ModelServingState): string =>
  render(spec, state)
    .map(({ id, after, unmanagedFields, retain, manifest }) => {
      const shown = manifest.kind === 'ConfigMap' ? { ...manifest, data: { 'fetch.mjs': '…' } } : manifest;
      const json = JSON.stringify({ id, after, unmanagedFields, retain, manifest: shown });
      return stringify(JSON.parse(json.replace(JSON.stringify(DRAIN_SCRIPT), '"…"')), { lineWidth: 0 });
    })
    .join('---\n');

describe('the manifests of', () => {
  test.each(Object.entries(SPECS))('%s', (_, spec) => {
    expect(printed(spec)).toMatchSnapshot();
  });

  test('a service whose new model is fetched by a Job while the earlier one serves', () => {
    const next = { ...shared, model: { ...shared.model, uri: 'hf://meta-llama/Meta-Llama-3.1-8B-Instruct' } };
    expect(printed(next, { serving: parsed(shared) })).toMatchSnapshot();
  });

  test('a service whose new model is fetched by its own pod while the earlier one serves', () => {
    const next = { ...single, model: { ...single.model, uri: 'hf://meta-llama/Meta-Llama-3.1-8B-Instruct' } };
    expect(printed(next, { serving: parsed(single) })).toMatchSnapshot();
  });

  test('a service that drains', () => {
    expect(printed(scaled, { lifecycle: 'draining' })).toMatchSnapshot();
  });

  test('a service that is retired', () => {
    expect(printed({ ...scaled, retired: true }, { lifecycle: 'retired' })).toMatchSnapshot();
  });

  test('a service with pinned images, one of whose Secrets has changed', () => {
    const images = { engine: 'vllm/vllm-openai:v0.1.0', fetcher: 'node:22' };
    expect(printed(single, { images, referencesHash: '0123456789' })).toMatchSnapshot();
  });
});
