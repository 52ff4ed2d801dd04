import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { connect } from '../../../operator/kube/index.ts';
import { trunnion } from '../../support/trunnion.ts';
import { base64, deadPort, folder, kubeconfig, said } from './support/kubeconfig.ts';

afterEach(() => vi.unstubAllEnvs());

describe('a kubeconfig that can not be read is told by its file:', () => {
  test('none at all', async () => {
    const home = folder();
    for (const name of ['KUBECONFIG', 'KUBERNETES_SERVICE_HOST']) vi.stubEnv(name, '');
    vi.stubEnv('HOME', home);
    expect(await said(undefined)).toBe(
      `error: there is no kubeconfig: KUBECONFIG is not set, and there is no ${home}/.kube/config. Name a kubeconfig with --kubeconfig, or set KUBECONFIG.`,
    );
  });

  test('one that is named and not there', async () => {
    expect(await said(join(folder(), 'nothing'))).toBe(
      'error: there is no kubeconfig FILE. Name a kubeconfig with --kubeconfig, or set KUBECONFIG.',
    );
    vi.stubEnv('KUBECONFIG', '/nowhere/a:/nowhere/b');
    expect(await said(undefined)).toBe(
      'error: KUBECONFIG names /nowhere/a and /nowhere/b, and there is no such file. Correct it.',
    );
  });

  test('those of KUBECONFIG that are there are read, and the first one chooses the context', async () => {
    const port = await deadPort();
    const first = kubeconfig({ server: `https://127.0.0.1:${port}` });
    const second = kubeconfig(
      { server: 'https://127.0.0.1:1' },
      {},
      { 'current-context': 'x', clusters: [], users: [], contexts: [] },
    );
    vi.stubEnv('KUBECONFIG', `/nowhere/a:${first}:${second}`);
    expect(await said(undefined)).toContain(`(context "prod" of ${first}:${second})`);
  });

  test.for([
    [
      'a folder',
      (file: string) => mkdirSync(file),
      "the kubeconfig FILE can't be read: it is a folder. Name the file in it.",
    ],
    ['no YAML', (file: string) => writeFileSync(file, 'a: [1\n'), /^error: the kubeconfig FILE is no YAML: .+/],
    [
      'a text',
      (file: string) => writeFileSync(file, 'hello\n'),
      'FILE is no kubeconfig: it must have the fields clusters, contexts, users. Name a kubeconfig with --kubeconfig, or set KUBECONFIG.',
    ],
    [
      'another object',
      (file: string) => writeFileSync(file, 'clusters: {a: b}\n'),
      'FILE is no kubeconfig: clusters must be a list. Name a kubeconfig with --kubeconfig, or set KUBECONFIG.',
    ],
    [
      'an empty file',
      (file: string) => writeFileSync(file, ''),
      'the kubeconfig FILE has no current-context. Choose one with --context. There are: none',
    ],
  ] as const)('%s', async ([, write, expected]) => {
    const file = join(folder(), 'config');
    write(file);
    const words = await said(file);
    if (typeof expected === 'string') expect(words).toBe(`error: ${expected}`);
    else expect(words).toMatch(expected);
  });
});

const SERVER = 'https://127.0.0.1:6443';
const OF = 'of the context "prod" in the kubeconfig FILE';

describe('a context that does not fit is told with its file:', () => {
  test.for<readonly [string, string, readonly string[], string]>([
    [
      'a name that is nearly right',
      kubeconfigText({}),
      ['--context', 'prd'],
      'the kubeconfig FILE has no context "prd". Did you mean "prod"? There are: prod',
    ],
    [
      'a name that is like none',
      kubeconfigText({}),
      ['--context', 'elsewhere'],
      'the kubeconfig FILE has no context "elsewhere". There are: prod',
    ],
    [
      'none chosen',
      kubeconfigText({ 'current-context': '' }),
      [],
      'the kubeconfig FILE has no current-context. Choose one with --context. There are: prod',
    ],
    [
      'a cluster that is not there',
      kubeconfigText({ clusters: [] }),
      [],
      `the cluster "c" ${OF} is not there. Add it to clusters.`,
    ],
    [
      'a user that is not there',
      kubeconfigText({ users: [] }),
      [],
      `the user "ann" ${OF} is not there. Add it to users.`,
    ],
    [
      'a server without https',
      kubeconfigText({}, { server: '10.0.0.1:6443' }),
      [],
      `the cluster "c" ${OF} has the server "10.0.0.1:6443". Write an address that begins with https://, such as https://10.0.0.1:6443; plain HTTP is not supported.`,
    ],
    [
      'a server of plain HTTP',
      kubeconfigText({}, { server: 'http://10.0.0.1:8080' }),
      [],
      `the cluster "c" ${OF} has the server "http://10.0.0.1:8080". Write an address that begins with https://, such as https://10.0.0.1:6443; plain HTTP is not supported.`,
    ],
    [
      'a proxy',
      kubeconfigText({}, { server: SERVER, 'proxy-url': 'http://proxy:3128' }),
      [],
      `the cluster "c" ${OF} has proxy-url "http://proxy:3128", which is not supported. Reach ${SERVER} without it: by a VPN, or by a tunnel whose address is the server of another context.`,
    ],
    [
      'no check of certificates',
      kubeconfigText({}, { server: SERVER, 'insecure-skip-tls-verify': true }),
      [],
      `the cluster "c" ${OF} has insecure-skip-tls-verify, which is not supported: anybody between could read its token. Put its certificate-authority into the kubeconfig instead.`,
    ],
  ])('%s', async ([, text, args, expected]) => {
    const file = join(folder(), 'config');
    writeFileSync(file, text);
    expect(await said(file, ...args)).toBe(`error: ${expected}`);
  });
});

function kubeconfigText(more: object, cluster: object = { server: SERVER }): string {
  return JSON.stringify({
    'current-context': 'prod',
    contexts: [{ name: 'prod', context: { cluster: 'c', user: 'ann' } }],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'ann', user: {} }],
    ...more,
  });
}

describe('credentials that can not be had are told by their user:', () => {
  const exec = (command: string, ...args: readonly string[]) => ({
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command, args, interactiveMode: 'Never' },
  });
  const USER = 'of the user "ann" (context "prod" of FILE)';

  test.for([
    [
      'a plug-in that is not there',
      exec('trunnion-no-such-plugin'),
      `error: the credential plug-in "trunnion-no-such-plugin" ${USER} is not there. Install it, or put its folder on PATH.`,
    ],
    [
      'a plug-in that fails',
      exec('sh', '-c', 'echo expired, log in >&2; exit 3'),
      `error: the credential plug-in "sh" ${USER} failed: expired, log in`,
    ],
    [
      'a plug-in that says nothing',
      exec('sh', '-c', 'exit 3'),
      `error: the credential plug-in "sh" ${USER} failed: it said nothing`,
    ],
  ] as const)('%s', async ([, user, expected]) => {
    expect(await said(kubeconfig({ server: SERVER }, user))).toBe(expected);
  });

  test('a plug-in that never ends is ended', async () => {
    const path = kubeconfig({ server: SERVER }, exec('sh', '-c', 'sleep 300 & sleep 300'));
    const began = performance.now();
    await expect(connect({ from: 'kubeconfig', path, pluginTimeoutMs: 500 }).current()).rejects.toThrow(
      `the credential plug-in "sh" of the user "ann" (context "prod" of ${path}) has not ended within 0.5 s. Call it by hand: it may wait for you to log in.`,
    );
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  test('a certificate that is not there', async () => {
    const file = kubeconfig({ server: SERVER, 'certificate-authority': '/nowhere/ca.crt' });
    expect(await said(file)).toMatch(
      /^error: the credentials of the user "ann" \(context "prod" of FILE\) can't be used: ENOENT.*\/nowhere\/ca\.crt/,
    );
  });

  test('a certificate that is none', async () => {
    const file = kubeconfig(
      { server: SERVER, 'certificate-authority-data': base64('nonsense') },
      { 'client-certificate-data': base64('a'), 'client-key-data': base64('b') },
    );
    expect(await said(file)).toMatch(
      /^error: no answer from the API server https:\/\/127\.0\.0\.1:6443 \(context "prod" of FILE\): the certificates of the kubeconfig can't be used \(ERR_OSSL.*Get the kubeconfig again\.$/,
    );
  });
});

describe('all commands that ask a cluster say so alike:', () => {
  const RESOURCE = join(import.meta.dirname, '../../../examples/model-serving.yaml');

  test.for([
    ['status', 'qwen'],
    ['logs', 'qwen'],
    ['plan', '-f', RESOURCE],
    ['doctor'],
    ['tuning', 'qwen'],
    ['adopt', 'modelserving/qwen'],
    ['adopt', '--all'],
    ['release', 'modelserving/qwen'],
    ['install'],
    ['uninstall'],
    ['convert', '--live', 'ModelDeployment', 'qwen'],
  ])('%s %s', async (args) => {
    const url = `https://127.0.0.1:${await deadPort()}`;
    const file = kubeconfig({ server: url });
    expect(await trunnion([...args, '--kubeconfig', file])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: no answer from the API server ${url} (context "prod" of ${file}): nothing listens there (ECONNREFUSED). Start the cluster, or correct the server in the context.\n`,
    });
    const missing = await trunnion([...args, '--kubeconfig', join(folder(), 'none')]);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: there is no kubeconfig .*\n$/) });
  });
});

test('the operator says so as its first and last words', async () => {
  const { code, stderr } = await trunnion(['operator', '--kubeconfig', '/nowhere/config']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'error: there is no kubeconfig /nowhere/config. Name a kubeconfig with --kubeconfig, or set KUBECONFIG.\n',
  });
  vi.stubEnv('KUBECONFIG', '');
  vi.stubEnv('KUBERNETES_SERVICE_HOST', '10.0.0.1');
  vi.stubEnv('KUBERNETES_SERVICE_PORT', '443');
  expect((await trunnion(['operator'])).stderr).toMatch(
    /^error: this pod has no credentials of a ServiceAccount: \S+\/(token|ca\.crt|namespace) can't be read \(ENOENT\)\. Set automountServiceAccountToken to true, or name a kubeconfig with --kubeconfig\.\n$/,
  );
});

test('a file that its owner alone may read is told as such', async () => {
  const file = kubeconfig({ server: SERVER });
  chmodSync(file, 0o000);
  const words = await said(file);
  // Root may read it.
  if (process.getuid?.() === 0) expect(words).toContain('no answer from the API server');
  else expect(words).toContain("the kubeconfig FILE can't be read: you may not read it (EACCES).");
});
