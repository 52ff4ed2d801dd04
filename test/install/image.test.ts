import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { install } from '../../cli/install.ts';
import { OPERATOR_NAMESPACE } from '../../cli/options.ts';
import { packageVersion } from '../../cli/package.ts';
import { freePort } from '../../cluster/ports.ts';
import { writeImage } from '../../cluster/index.ts';
import { bundle } from '../../scripts/image/bundle.ts';
import { imageName, RUN, OPERATOR } from '../../scripts/image/config.ts';
import { writeRoot } from '../../scripts/image/root.ts';
import { fetcherProgram } from '../../fetcher/generate.ts';
import { BUILT_IN_FETCHER } from '../../constructs/parts/weights/image.ts';
import { EXIT } from '../../constructs/parts/weights/layout.ts';
import { adminClient, serviceAccountToken } from '../cluster/support/client.ts';
import { cluster } from '../cluster/support/cluster.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { testNamespace } from '../cluster/support/namespace.ts';
import { contained } from '../support/contained.ts';
import { run } from '../support/run.ts';
import { Scenarios } from './support/scenarios.ts';
import { reset } from './support/reset.ts';

/** What a node may have to pull, in bytes: Node.js itself is all but 2 MiB of it. */
const MOST_COMPRESSED = 50 * 2 ** 20;

const folder = mkdtempSync(join(tmpdir(), 'trunnion-image-test-'));
const file = join(folder, 'image.tar');
/** The unpacked layer: what a container sees. */
const root = join(folder, 'unpacked');
const name = imageName(packageVersion());

interface Saved {
  readonly Config: string;
  readonly RepoTags: readonly string[];
  readonly Layers: readonly string[];
}

const [read, layout] = [(path: string) => readFileSync(join(folder, 'layout', path)), join(folder, 'layout')];
const json = (path: string): unknown => JSON.parse(read(path).toString());

beforeAll(async () => {
  const { compressed } = await writeImage(inject('install').root, name, file, OPERATOR);
  expect(compressed).toBeLessThan(MOST_COMPRESSED);
  for (const made of [layout, root]) mkdirSync(made);
  await run('tar', ['-xf', file, '-C', layout]);
  const [{ Layers = [] } = {}] = json('manifest.json') as readonly Partial<Saved>[];
  await run('tar', ['-xzf', join(layout, Layers[0] ?? ''), '-C', root]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('it is an OCI layout and a docker-archive, and every blob is what its name says', () => {
  const [saved] = json('manifest.json') as readonly Saved[];
  expect(saved?.RepoTags).toEqual([name]);
  expect(json('oci-layout')).toEqual({ imageLayoutVersion: '1.0.0' });
  for (const blob of readdirSync(join(layout, 'blobs/sha256'))) {
    expect(
      createHash('sha256')
        .update(read(`blobs/sha256/${blob}`))
        .digest('hex'),
    ).toBe(blob);
  }
  expect(json(saved?.Config ?? '')).toMatchObject({ os: 'linux', config: RUN });
});

test('its program has no letter for which V8 would take two bytes a letter, and brings no second undici along', async () => {
  const program = readFileSync(join(root, 'trunnion/bin/operator.js'), 'utf8');
  expect(program.length).toBeGreaterThan(1_000_000);
  expect(/[\u0100-\uffff]/.exec(program)).toBeNull();
  // Not by the text of the program: that has the fetcher in it, which loads its own.
  const { outputs } = await bundle(join(folder, 'bundle'));
  const [, { imports = [] } = {}] = Object.entries(outputs).find(([path]) => path.endsWith('/operator.js')) ?? [];
  const loaded = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
  expect(loaded.length).toBeGreaterThan(5);
  expect(loaded.filter((path) => /^(node:)?https?$/.test(path))).toEqual([]);
});

test('anyone who builds it gets the same, to the byte', async () => {
  const again = mkdtempSync(join(tmpdir(), 'trunnion-root-'));
  onTestFinished(() => rmSync(again, { recursive: true }));
  await writeRoot(again);
  await writeImage(again, name, join(folder, 'again.tar'), OPERATOR);
  expect(readFileSync(join(folder, 'again.tar')).equals(readFileSync(file))).toBe(true);
});

test('there is nothing in it but Node.js, its libraries and the operator', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(root, path)).isFile(),
  );
  const expected = /^(usr\/bin\/node|lib(64)?\/.*\.so[.\d]*|etc\/(passwd|group|nsswitch\.conf)|trunnion\/.*)$/;
  expect(files.filter((path) => !expected.test(path))).toEqual([]);
  for (const shell of ['bin/sh', 'usr/bin/sh', 'bin/bash', 'usr/bin/npm'])
    expect(existsSync(join(root, shell))).toBe(false);
  expect(files.filter((path) => (statSync(join(root, path)).mode & 0o022) !== 0)).toEqual([]);
});

test('it has the fetcher of weights, which pods of models run', async () => {
  expect(readFileSync(join(root, BUILT_IN_FETCHER), 'utf8')).toBe(await fetcherProgram('every'));
  const env = { TRUNNION_MODE: 'fetch', TRUNNION_URI: 'ftp://host/model' };
  const fetcher = spawn(join(root, 'usr/bin/node'), [join(root, BUILT_IN_FETCHER)], { env });
  const [code] = (await once(fetcher, 'exit')) as [number | null];
  expect(code).toBe(EXIT.usage);
});

test('the Containerfile runs it in the same way', () => {
  const text = readFileSync('Containerfile', 'utf8');
  expect(text).toContain(`\nUSER ${RUN.User}\nWORKDIR ${RUN.WorkingDir}\nENV ${RUN.Env.join(' ')}\n`);
  expect(text).toContain(`\nENTRYPOINT ${JSON.stringify(RUN.Entrypoint).replaceAll(',', ', ')}\n`);
  expect(text).toContain(`\nCMD ${JSON.stringify(RUN.Cmd)}\n`);
});

/** A container of the image. */
function operatorOfImage(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const own = Object.fromEntries(RUN.Env.filter((line) => !line.startsWith('PATH=')).map((line) => line.split('=')));
  return contained({ root, user: RUN.User, command: [...RUN.Entrypoint, ...args], env: { ...own, ...env } });
}

async function reported(child: ChildProcess): Promise<{ readonly code: number | null; readonly text: string }> {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  await once(child, 'close');
  return { code: child.exitCode, text };
}

test('it tells its version', async () => {
  expect(await reported(operatorOfImage(['--version']))).toEqual({ code: 0, text: `${packageVersion()}\n` });
});

test('it runs as the ServiceAccount that is mounted, elects itself, and leads all kinds through their lives', async () => {
  const admin = adminClient();
  onTestFinished(() => admin.close());
  await reset(admin);
  await install(admin, { namespace: OPERATOR_NAMESPACE }, () => undefined);
  const { url, ca } = cluster();
  const mount = join(root, 'var/run/secrets/kubernetes.io/serviceaccount');
  mkdirSync(mount, { recursive: true });
  const token = await serviceAccountToken(admin, OPERATOR_NAMESPACE, 'trunnion-operator');
  for (const [key, text] of Object.entries({ token, 'ca.crt': ca, namespace: OPERATOR_NAMESPACE })) {
    writeFileSync(join(mount, key), text);
  }

  const port = await freePort();
  const operator = operatorOfImage(['operator', '--leader-elect', '--host=127.0.0.1', `--port=${port}`], {
    KUBERNETES_SERVICE_HOST: new URL(url).hostname,
    KUBERNETES_SERVICE_PORT: new URL(url).port,
    POD_NAMESPACE: OPERATOR_NAMESPACE,
    TRUNNION_TEST_POD_LOOPBACK: 'true',
  });
  const ended = reported(operator);
  onTestFinished(() => void operator.kill('SIGKILL'));
  await eventually(async () => {
    if (operator.exitCode !== null) throw new Error((await ended).text);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  });
  const scenarios = new Scenarios(admin, await testNamespace(admin));
  await scenarios.begin();
  await scenarios.end();
  operator.kill('SIGTERM');
  const { code, text } = await ended;
  expect(text).toContain('leadership changed');
  expect(code).toBe(0);
});
