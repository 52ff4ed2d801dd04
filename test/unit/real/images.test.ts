import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { cachedImage } from '../../real/images/cache.ts';
import { debianImage } from '../../real/images/debian.ts';
import { LIGHT, programsImage } from '../../real/images/programs.ts';
import { pythonImage } from '../../real/images/python.ts';
import { contained } from '../../support/contained.ts';
import { run } from '../../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-images-'));
const images = join(folder, 'images');

beforeAll(() => void vi.stubEnv('TRUNNION_CACHE', folder));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A root file system with what the image has in it. */
async function unpacked(file: string): Promise<{ readonly root: string; readonly config: unknown }> {
  const layout = mkdtempSync(join(folder, 'layout-'));
  const root = mkdtempSync(join(folder, 'root-'));
  onTestFinished(() => [layout, root].forEach((made) => rmSync(made, { recursive: true })));
  await run('tar', ['-xf', file, '-C', layout]);
  const json = (path: string): unknown => JSON.parse(readFileSync(join(layout, path), 'utf8'));
  const [saved] = json('manifest.json') as readonly { readonly Config: string; readonly Layers: readonly string[] }[];
  await run('tar', ['-xf', join(layout, saved?.Layers[0] ?? ''), '-C', root]);
  return { root, config: (json(saved?.Config ?? '') as { readonly config: unknown }).config };
}

test('the light engine and the load client run from their image as any user, on a read-only root', async () => {
  const file = await programsImage(LIGHT);
  expect(file).toMatch(/docker\.io_library_trunnion-light_real-[0-9a-f]{16}\.tar$/);
  const { root, config } = await unpacked(file);
  expect(config).toMatchObject({ User: '65532:65532', Entrypoint: ['/usr/local/bin/vllm'] });
  mkdirSync(join(root, 'models'));
  writeFileSync(join(root, 'models/config.json'), '{}');
  const start = (command: readonly string[]) =>
    contained({ root, user: '12345:54321', command, env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' } });

  const engine = start(['vllm', 'serve', '/models', '--served-model-name=tiny', '--host=127.0.0.1', '--port=0']);
  const ended = once(engine, 'exit');
  onTestFinished(() => void engine.kill('SIGKILL'));
  let url = '';
  for await (const line of createInterface({ input: engine.stderr ?? process.stdin })) {
    url = /on (http:\S+)$/.exec(line)?.[1] ?? '';
    if (url !== '') break;
  }
  const load = start([
    'load',
    `--url=${url}/v1/chat/completions`,
    '--model=tiny',
    '--tokens=5',
    '--stream',
    '--seconds=1',
  ]);
  let printed = '';
  load.stdout?.on('data', (chunk) => (printed += String(chunk)));
  await once(load, 'close');
  expect(JSON.parse(printed)).toMatchObject({ failed: 0, failures: {} });
  engine.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('the same programs are the same file to the byte, and one that changed is another file', async () => {
  const source = join(folder, 'program.ts');
  const image = { name: 'example.com/program:1', programs: { hello: source } };
  writeFileSync(source, 'console.log("one");');
  const first = await programsImage(image);
  const content = readFileSync(first);
  const written = readdirSync(images);
  expect(await programsImage(image)).toBe(first);
  expect(readdirSync(images)).toEqual(written);

  rmSync(first);
  expect(await programsImage(image)).toBe(first);
  expect(readFileSync(first).equals(content)).toBe(true);

  writeFileSync(source, 'console.log("two");');
  const second = await programsImage(image);
  expect(second).not.toBe(first);
  expect(readFileSync(second).includes('console.log("two")')).toBe(true);
});

test('what decides what is in an image decides its name', async () => {
  const make = (file: string) => writeFileSync(file, 'x');
  const files = await Promise.all([
    cachedImage('a:1', ['x'], make),
    cachedImage('a:1', ['y'], make),
    cachedImage('b:1', ['x'], make),
    cachedImage('a:1', ['x'], make),
  ]);
  expect(new Set(files).size).toBe(3);
  expect(files[3]).toBe(files[0]);
});

test('a file that was not finished is not taken, and none is left where making it failed', async () => {
  const make = (file: string, text: string): void => writeFileSync(file, text);
  const failing = cachedImage('half:1', [], (file) => {
    make(file, 'half');
    throw new Error('no space left');
  });
  await expect(failing).rejects.toThrow('no space left');
  expect(readdirSync(images).filter((name) => name.startsWith('half_1'))).toEqual([]);
  // As one that was killed leaves it.
  const file = await cachedImage('half:1', [], (partial) => {
    expect(existsSync(partial.replace(/\.tar\..*$/, '.tar'))).toBe(false);
    make(`${partial.replace(/\.tar\..*$/, '.tar')}.1-ffffffff.partial`, 'half');
    make(partial, 'whole');
  });
  expect(readFileSync(file, 'utf8')).toBe('whole');
});

test('two that make it at the same time both get a whole file', async () => {
  const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const made = both.map((turn) =>
    cachedImage('twice:1', [], async (file) => {
      writeFileSync(file, 'wh');
      await turn.promise;
      writeFileSync(file, 'whole');
    }),
  );
  both[0].resolve();
  const file = (await made[0]) ?? '';
  expect(readFileSync(file, 'utf8')).toBe('whole');
  both[1].resolve();
  expect(await made[1]).toBe(file);
  expect(readFileSync(file, 'utf8')).toBe('whole');
});

test('images that nobody has asked for in a week are removed when another one is made', async () => {
  const make = (file: string) => writeFileSync(file, 'x');
  const [unused, used] = [await cachedImage('unused:1', [], make), await cachedImage('used:1', [], make)];
  const long = new Date(Date.now() - 8 * 24 * 3_600_000);
  for (const file of [unused, used]) utimesSync(file, long, long);
  expect(await cachedImage('used:1', [], () => expect.unreachable())).toBe(used);
  await cachedImage('new:1', [], make);
  expect([existsSync(unused), existsSync(used)]).toEqual([false, true]);
});

test('a base image says what is missing', async () => {
  const path = process.env['PATH'] ?? '';
  vi.stubEnv('PATH', folder);
  onTestFinished(() => void vi.stubEnv('PATH', path));
  const image = debianImage({ name: 'base:1', packages: ['procps'] });
  const isRoot = process.getuid?.() === 0;
  await expect(image).rejects.toThrow(isRoot ? 'Install it: apt-get install mmdebstrap' : 'Run as root');
});

test('a base image is made of the packages of its list, by mmdebstrap, and once', async () => {
  const [path, bin] = [process.env['PATH'] ?? '', mkdtempSync(join(folder, 'bin-'))];
  vi.spyOn(process, 'getuid').mockReturnValue(0);
  vi.stubEnv('PATH', `${bin}:${path}`);
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.stubEnv('PATH', path);
  });
  const script = `#!/bin/sh\necho "$@" >> ${bin}/calls\nfor last; do :; done\necho sources > ${bin}/x\ntar -cf "$last" -C ${bin} x\n`;
  writeFileSync(join(bin, 'mmdebstrap'), script, { mode: 0o755 });
  const file = await debianImage({ name: 'base:2', packages: ['b', 'a'], env: { HOME: '/home/x' } });
  expect(await debianImage({ name: 'base:2', packages: ['a', 'b'], env: { HOME: '/home/x' } })).toBe(file);
  const calls = readFileSync(join(bin, 'calls'), 'utf8').trimEnd().split('\n');
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatch(/--variant=minbase .* --include=a,b bookworm \S+$/);
  const user = { name: 'mpi', id: 1000 };
  expect(await debianImage({ name: 'base:2', packages: ['a', 'b'], env: { HOME: '/home/x' }, user })).not.toBe(file);
  const [, withUser] = readFileSync(join(bin, 'calls'), 'utf8').trimEnd().split('\n');
  expect(withUser).toContain('--customize-hook=chroot "$1" useradd --create-home --uid 1000 mpi ');
  const { root, config } = await unpacked(file);
  expect(readFileSync(join(root, 'x'), 'utf8')).toBe('sources\n');
  expect(config).toMatchObject({ Env: [expect.stringContaining('PATH='), 'HOME=/home/x'] });
});

test('packages of Python come from wheels with known hashes, and what is done to them is done before they are packed', async () => {
  const [path, bin] = [process.env['PATH'] ?? '', mkdtempSync(join(folder, 'bin-'))];
  vi.spyOn(process, 'getuid').mockReturnValue(0);
  vi.stubEnv('PATH', `${bin}:${path}`);
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.stubEnv('PATH', path);
  });
  const uv = `echo "$@" >> ${bin}/uv-calls\ncase "$1" in pip) mkdir -p "\${13}/bin"; echo 1 > "\${13}/module.py";; esac\n`;
  writeFileSync(join(bin, 'uv'), `#!/bin/sh\n${uv}`, { mode: 0o755 });
  const copies = 'for each; do case "$each" in *copy-in*) from=${each#*copy-in };; esac; done\n';
  const mmdebstrap = `echo "$@" > ${bin}/calls\nfor last; do :; done\n${copies}tar -cf "$last" -C "\${from% /}/.." usr\n`;
  writeFileSync(join(bin, 'mmdebstrap'), `#!/bin/sh\n${mmdebstrap}`, { mode: 0o755 });

  const adapted = vi.fn<(site: string) => void>((site) => writeFileSync(join(site, 'adapted'), ''));
  const image = { name: 'python:1', packages: ['procps'], requirements: 'vllm', scripts: { hello: 'print(1)' } };
  const adapt = { version: 1, packages: adapted };
  const file = await pythonImage({ ...image, adapt });
  expect(await pythonImage({ ...image, adapt })).toBe(file);
  expect(await pythonImage({ ...image, adapt: { ...adapt, version: 2 } })).not.toBe(file);

  const calls = readFileSync(join(bin, 'uv-calls'), 'utf8');
  expect(calls).toMatch(/^--version\npip install .*--require-hashes --no-deps --only-binary :all: /);
  expect(adapted).toHaveBeenCalledTimes(2);
  const { root } = await unpacked(file);
  const site = join(root, 'usr/local/lib/python3.11/dist-packages');
  expect(readdirSync(site).toSorted()).toEqual(['adapted', 'module.py']);
  expect(readFileSync(join(root, 'usr/local/lib/scripts/hello.py'), 'utf8')).toBe('#!/usr/bin/python3\nprint(1)');
  const command = readFileSync(join(bin, 'calls'), 'utf8');
  expect(command).toMatch(/hello\.py \/usr\/local\/bin\/hello .*compileall .*--include=procps,python3 /);
});

test('an image with packages of Python says what is missing', async () => {
  const path = process.env['PATH'] ?? '';
  vi.stubEnv('PATH', folder);
  onTestFinished(() => void vi.stubEnv('PATH', path));
  const image = pythonImage({ name: 'python:2', packages: [], requirements: 'vllm' });
  await expect(image).rejects.toThrow('apt-get install python3-pip');
});
