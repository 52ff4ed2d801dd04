import { describe, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { SpecError } from '../../../constructs/schema/error.ts';
import { parseSpec } from '../../../constructs/schema/parse.ts';
import { server } from './support/fetch.ts';
import { shared } from './support/specs.ts';

/** The paths of what is refused, and all that is said of it. */
function refused(spec: ModelServingSpecInput): { readonly paths: readonly string[]; readonly words: string } {
  try {
    parseSpec(modelServing, { name: 'llama', namespace: 'models', spec });
    return { paths: [], words: '' };
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return { paths: error.problems.map(({ path }) => path), words: error.message };
  }
}

const proxy = (value: string) => [
  { name: 'A', value: 'a' },
  { name: 'HTTPS_PROXY', value },
];

describe('a proxy that a fetch cannot go through is refused where it is written:', () => {
  const env = proxy('http://me:50%canary@proxy:3128');

  test.each<[string, Partial<ModelServingSpecInput>]>([
    ['spec.env[1].value', { env }],
    ['spec.engine.env[1].value', { engine: { type: 'vllm', env } }],
    ['spec.podTemplate.spec.containers[0].env[1].value', { podTemplate: server({ env }) }],
    [
      'spec.podTemplate.spec.initContainers[0].env[1].value',
      { podTemplate: { spec: { initContainers: [{ name: 'fetch', env }] } } },
    ],
  ])('%s', (path, of) => {
    const { paths, words } = refused({ ...shared, ...of });
    expect(paths).toEqual([path]);
    expect(words).toContain('must name an HTTP proxy');
    expect(words).not.toContain('canary');
  });

  test.each(['CORP\\me:pw@proxy:3128', 'socks5://proxy:1080', 'proxy:port'])('%s', (value) => {
    expect(refused({ ...shared, env: proxy(value) }).paths).toEqual(['spec.env[1].value']);
  });
});

test.each(['proxy:3128', 'HTTP://proxy:3128', 'http://me:50%25off@proxy:3128', 'http://$(A):$(B)@$(C)', '', ' '])(
  'the proxy %j is taken',
  (value) => {
    expect(refused({ ...shared, env: proxy(value) }).paths).toEqual([]);
  },
);

test('where nothing is fetched, a server may have a proxy of another kind', () => {
  const { storage: _storage, ...rest } = shared;
  const spec = { ...rest, model: { uri: 'pvc://models/llama' }, env: proxy('socks5://proxy:1080') };
  expect(refused(spec).paths).toEqual([]);
});
