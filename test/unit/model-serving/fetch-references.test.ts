import { describe, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { expanded } from '../../support/kubelet-expansion.ts';
import { fetchOf, server } from './support/fetch.ts';
import { specOf } from './support/render.ts';
import { shared, single } from './support/specs.ts';

type Env = NonNullable<ModelServingSpecInput['env']>;

/** What the program of the fetch sees of its variables, where a Secret gives `of-secret`. */
function seenBy(spec: ModelServingSpecInput): Readonly<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const { name, value, valueFrom } of fetchOf(spec).env ?? []) {
    seen[name] = valueFrom ? 'of-secret' : expanded(value ?? '', seen);
  }
  return seen;
}

const password = { name: 'PROXY_PASSWORD', valueFrom: { secretKeyRef: { name: 'proxy', key: 'password' } } };
const engine = (...env: Env) => ({ engine: { type: 'vllm' as const, env } });

describe.each([
  ['the fetch Job', shared],
  ['the init container', single],
])('what a variable of the server refers to, %s has as well:', (_, base) => {
  test('through several steps, in their order', () => {
    const env = [
      { name: 'DOMAIN', value: 'corp.example' },
      { name: 'PROXY_HOST', value: 'proxy.$(DOMAIN)' },
      password,
      { name: 'HTTPS_PROXY', value: 'http://me:$(PROXY_PASSWORD)@$(PROXY_HOST):3128' },
    ];
    expect(seenBy({ ...base, ...engine(...env) })['HTTPS_PROXY']).toBe('http://me:of-secret@proxy.corp.example:3128');
  });

  test('from the variables of all containers, as the server has them', () => {
    const spec = {
      ...base,
      env: [{ name: 'PROXY_HOST', value: 'of-all' }],
      ...engine({ name: 'PROXY_HOST', value: 'of-engine' }, { name: 'HTTPS_PROXY', value: 'http://$(PROXY_HOST):1' }),
    };
    expect(seenBy(spec)).toMatchObject({ HTTPS_PROXY: 'http://of-engine:1', PROXY_HOST: 'of-all' });
  });

  test('from those that Trunnion sets', () => {
    const env = [{ name: 'HTTPS_PROXY', value: 'http://$(MODEL_NAME).proxy:1' }];
    expect(seenBy({ ...base, env })['HTTPS_PROXY']).toBe('http://llama.proxy:1');
    expect(seenBy({ ...base, podTemplate: server({ env }) })['HTTPS_PROXY']).toBe('http://llama.proxy:1');
  });

  test('what is not a reference stays what it is, and so does one to a later variable', () => {
    const value = 'http://$$(A):$(B)@$(NOWHERE)';
    const env = [
      { name: 'A', value: 'a' },
      { name: 'HTTPS_PROXY', value },
      { name: 'B', value: 'b' },
    ];
    expect(seenBy({ ...base, ...engine(...env) })['HTTPS_PROXY']).toBe('http://$(A):$(B)@$(NOWHERE)');
  });
});

test('what a proxy alone refers to does not become a credential of an https model', () => {
  const env = [
    { name: 'TOKEN', value: 'secret' },
    { name: 'HTTPS_PROXY', value: 'http://me:$(TOKEN)@proxy:3128' },
  ];
  const seen = seenBy({ ...shared, model: { uri: 'https://models.example.com/a.gguf' }, ...engine(...env) });
  expect(seen['HTTPS_PROXY']).toBe('http://me:secret@proxy:3128');
  expect(seen).not.toHaveProperty('TOKEN');
});

describe('the port that a variable names is opened', () => {
  const policies = [
    ['the fetch Job', 'fetcher-network-policy', shared],
    ['the init container', 'fetch-network-policy', single],
  ] as const;
  const portsOf = (id: string, spec: ModelServingSpecInput) => JSON.stringify(specOf(id, spec)['egress']);

  test.each(policies)('where it refers to others, for %s', (_, id, base) => {
    const env = [
      { name: 'PROXY_PORT', value: '3128' },
      { name: 'HTTPS_PROXY', value: 'http://proxy.example:$(PROXY_PORT)' },
    ];
    expect(portsOf(id, { ...base, env })).toContain('"port":3128');
    expect(portsOf(id, { ...base, podTemplate: server({ env }) })).toContain('"port":3128');
  });

  test.each(policies)('where only the container that fetches has it, for %s', (_, id, base) => {
    const env = [{ name: 'HTTPS_PROXY', value: 'http://proxy.example:3128' }];
    const podTemplate = { spec: { initContainers: [{ name: 'fetch', env }] } };
    expect(portsOf(id, { ...base, podTemplate })).toContain('"port":3128');
  });

  test.each(policies)('and certificates that it names so are trusted, by %s', (_, _id, base) => {
    const env = [
      { name: 'CERTIFICATES', value: '/etc/corporate' },
      { name: 'SSL_CERT_FILE', value: '$(CERTIFICATES)/ca.crt' },
    ];
    const podTemplate = { spec: { initContainers: [{ name: 'fetch', env }] } };
    expect(seenBy({ ...base, podTemplate })['NODE_EXTRA_CA_CERTS']).toBe('/etc/corporate/ca.crt');
  });
});
