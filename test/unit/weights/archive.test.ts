import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { parsePax } from '../../../fetcher/tar/pax.ts';
import { base256, entryOf, gnuLong, pax, tarOf } from './support/tar.ts';
import type { TarEntry } from './support/tar.ts';
import { file, folder, hardLink, link, makeUnpacker } from './support/unpacked.ts';

const unpacker = await makeUnpacker();
const { home, unpacked, refusal } = unpacker;

afterAll(() => unpacker[Symbol.asyncDispose]());

const EXIT_CORRUPT = 65;
const EXIT_NO_SPACE = 68;
const EXIT_UNSAFE = 69;

const up = (times: number): string => Array<string>(times).fill('..').join('/');
const deep = 'a/b/c/d/e/f/g/h/i/j/k/l';

describe('an archive is refused, and nothing of it stays, with', () => {
  test.each<[string, TarEntry[]]>([
    [
      'a link that leads out through another link',
      [link(`${deep}/up`, up(12)), link('tokenizer.json', `${deep}/up/${up(12)}/etc/hostname`)],
    ],
    ['the same in the other order', [link('t', `${deep}/up/${up(1)}/etc/hostname`), link(`${deep}/up`, up(12))]],
    ['a link to what only the running process has', [link('env', '/proc/self/environ')]],
    ['a link that leads out by itself', [link('a/out', '../../secret')]],
    ['a link to the folder above', [link('out', '..')]],
    ['a link that leaves and comes back', [file('f'), link('out', '../model/f')]],
    ['an absolute link', [link('out', '/etc/hostname')]],
    ['an absolute link with several slashes', [link('out', '//etc/hostname')]],
    ['a link to nothing', [file('f'), link('out', 'missing')]],
    ['a link through a file', [file('f'), link('out', 'f/../f')]],
    ['an empty link', [file('f'), link('out', '')]],
    ['a link to itself', [link('a', 'a')]],
    ['links in a circle', [link('a', 'b'), link('b', 'c'), link('c', 'a')]],
    ['a chain of more links than Linux follows', Array.from({ length: 60 }, (_, i) => link(`l${i}`, `l${i + 1}`))],
    ['a file below a link', [folder('d'), link('l', 'd'), file('l/f')]],
    ['a file below a link that comes later', [file('l/f'), folder('d'), link('l', 'd')]],
    ['a link in place of a folder', [folder('d'), link('d', '/etc')]],
    ['a link in place of a file', [file('f'), link('f', '/etc/hostname')]],
    ['a folder in place of a link', [file('f'), link('d', 'f'), folder('d')]],
    ['a file in place of a link', [file('f'), link('l', 'f'), file('l')]],
    ['a file in place of a folder', [folder('d'), file('d')]],
    ['a hard link to a link', [file('f'), link('l', 'f'), hardLink('h', 'l')]],
    ['a hard link that leads out', [hardLink('h', '../../secret')]],
    ['an absolute hard link', [hardLink('h', '/etc/hostname')]],
    ['a hard link to what comes later', [hardLink('h', 'f'), file('f')]],
    ['a hard link to itself', [file('f'), hardLink('f', 'f')]],
    ['a name that leaves the folder', [file('../secret')]],
    ['a name that leaves it within', [file('a/../../secret')]],
    ['an absolute name', [file('/tmp/x')]],
    ['a name of a long form that leaves', [gnuLong('L', '../secret'), file('f')]],
    ['a link of a long form that leaves', [gnuLong('K', '../../secret'), link('l', 'f')]],
    ['a name among attributes that leaves', [pax({ path: '../secret' }), file('f')]],
    ['a link among attributes that leaves', [pax({ linkpath: '/etc/hostname' }), link('l', 'f')]],
    ['a NUL in a name', [pax({ path: 'f\0../../secret' }), file('f')]],
    ['attributes for all entries', [pax({ path: '../secret' }, 'g'), file('f')]],
    ['a prefix that leaves', [{ ...file('secret'), prefix: '..' }]],
    ['a name without anything', [file('./')]],
    ['a name that turns the direction of text', [file('a\u202egpj.exe')]],
    ['a name that is no UTF-8', [pax({ path: 'a\ufffdb' }), file('f')]],
    ['a name that some file servers take for two dots', [file('.. /secret')]],
    ['a name longer than file systems take', [pax({ path: 'x'.repeat(256) }), file('f')]],
    ['a path longer than any has', [pax({ path: 'x/'.repeat(600) + 'x' }), file('f')]],
    ['too many folders in each other', [file(`${'d/'.repeat(40)}f`)]],
    ['the name of a file of the fetcher', [file('.trunnion-complete.json')]],
    ['a character device', [{ name: 'null', type: '3' }]],
    ['a block device', [{ name: 'sda', type: '4' }]],
    ['a pipe', [{ name: 'pipe', type: '6' }]],
    ['an unknown kind', [{ name: 'q', type: 'Q' }]],
    ['a part of another volume', [{ name: 'q', type: 'M' }]],
    ['a file with holes', [{ name: 's', type: 'S', magic: 'ustar ' }]],
    ['a file with holes among attributes', [pax({ 'GNU.sparse.realsize': '1099511627776' }), file('f')]],
    ['a link with a content', [file('f'), { ...link('l', 'f'), content: 'x' }]],
  ])('%s', async (_name, entries) => {
    expect(await refusal(tarOf(file('config.json'), ...entries))).toMatchObject({
      exitCode: EXIT_UNSAFE,
      message: expect.stringMatching(/^the archive is not unpacked: /) as unknown,
    });
  });
});

test.each<[string, Buffer]>([
  ['nothing', Buffer.alloc(0)],
  ['a page of HTML', Buffer.from('<html>')],
  ['a wrong checksum', tarOf({ ...file('f'), damaged: true })],
  ['an end in a header', entryOf(file('f')).subarray(0, 300)],
  ['an end in a content', tarOf({ name: 'f', size: '00000001750\0' }).subarray(0, 600)],
  ['a negative size', tarOf({ name: 'f', size: base256(1n, 0xff) })],
  ['a size beyond all numbers', tarOf({ name: 'f', size: base256(2n ** 63n) })],
  ['a size that is no number', tarOf({ name: 'f', size: '0000000zz\0' })],
  ['a size among attributes that is none', tarOf(pax({ size: '-1' }), file('f'))],
  ['attributes without an end', tarOf({ name: 'p', type: 'x', content: '99 path=f\n' })],
  ['attributes without a length', tarOf({ name: 'p', type: 'x', content: 'path=f\n' })],
  ['attributes that begin again forever', tarOf({ name: 'p', type: 'x', content: '0 path=f\n' })],
  ['no file', tarOf(folder('d'))],
  ['a damaged gzip', Buffer.concat([gzipSync(tarOf(file('f'))).subarray(0, 40), Buffer.alloc(40)])],
  ['a gzip that is cut off', gzipSync(tarOf(file('f'))).subarray(0, -10)],
])('an archive with %s is damaged', async (_name, bytes) => {
  expect(await refusal(bytes)).toMatchObject({ exitCode: EXIT_CORRUPT });
});

test('a size that no volume has is refused before a byte is written', async () => {
  const bytes = tarOf({ name: 'f', size: base256(2n ** 42n) });
  // Of a size that the archive may grow to: as if it were of 100 GiB.
  expect(await refusal(bytes, 100 * 2 ** 30)).toMatchObject({ exitCode: EXIT_NO_SPACE });
});

const zeros = gzipSync(Buffer.alloc(2 ** 20));

test.each([
  ['a file', entryOf({ name: 'f', size: base256(2n ** 31n) })],
  ['what comes after its end', tarOf(file('f'))],
  ['attributes', Buffer.concat([entryOf(file('f')), entryOf({ name: 'x', type: 'V', size: base256(2n ** 31n) })])],
])('an archive that unzips to hundreds of times its size in %s is given up', async (_name, begin) => {
  const bomb = Buffer.concat([gzipSync(begin), ...Array<Buffer>(1100).fill(zeros)]);

  const error = await refusal(bomb);

  expect(error).toMatchObject({ exitCode: EXIT_UNSAFE });
  expect(String(error)).toMatch(/grows to more than 1073741824 bytes; 100 times its own size, or 1 GiB, is the most/);
});

test('more entries than a model has are refused, whatever they are', async () => {
  const attributes = entryOf({ name: 'attributes', type: 'x' });
  const bytes = gzipSync(Buffer.concat(Array<Buffer>(200_001).fill(attributes)), { level: 1 });
  expect(await refusal(bytes)).toMatchObject({ exitCode: EXIT_UNSAFE });
}, 60_000);

test('of attributes no more is kept than what is used, however many there are', () => {
  const records = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`GNU.sparse.${index}`, 'x']));
  const { content } = pax({ ...records, path: 'f', comment: 'x' });
  expect([...parsePax(Buffer.from(content ?? '')).keys()].toSorted()).toEqual(['path', 'sparse']);
});

test('a name of a megabyte is refused before it is read', async () => {
  const huge: TarEntry = { name: '././@LongLink', type: 'L', magic: 'ustar ', size: base256(2n ** 40n) };
  expect(await refusal(tarOf(huge))).toMatchObject({ exitCode: EXIT_UNSAFE });
});

test('links within the folder stay: through folders, through other links, to folders, up and down', async () => {
  const model = await unpacked(
    tarOf(
      link('snapshots/main/config.json', '../../blobs/1'),
      file('blobs/1', '{}'),
      link('latest', 'snapshots/main'),
      link('config.json', 'latest/config.json'),
      link('again', './/config.json'),
      link('snapshots/root', '..'),
      link('through', 'snapshots/root/blobs/1'),
      hardLink('hard', './blobs/1'),
    ),
  );

  for (const name of ['config.json', 'latest/config.json', 'again', 'through', 'hard', 'snapshots/root/hard']) {
    expect(await readFile(join(model, name), 'utf8')).toBe('{}');
  }
  expect(await readlink(join(model, 'latest'))).toBe('snapshots/main');
});

test('what archives of every day have is understood', async () => {
  const long = `${'folder'.repeat(20)}/${'ü'.repeat(60)}.safetensors`;
  const model = await unpacked(
    tarOf(
      pax({ comment: 'a commit' }, 'g'),
      { name: 'a label', type: 'V', magic: 'ustar ' },
      folder('./'),
      folder('./sub/'),
      folder('sub'),
      { name: 'old/', content: '', type: '\0' },
      { ...file('setuid', 'run'), mode: '0004755' },
      { ...file('hidden', 'x'), mode: '0000000' },
      { ...file('name', 'of ustar'), prefix: 'sub/prefixed' },
      gnuLong('L', long),
      { ...file(long.slice(0, 99), 'gnu'), magic: 'ustar ' },
      pax({ path: `pax/${long}`, size: '5', 'LIBARCHIVE.xattr.x': '\u0001' }),
      { name: 'short', content: 'posix', size: '00000000000\0' },
      file('twice', 'old'),
      hardLink('same', 'twice'),
      file('twice', 'new'),
      { name: 'contiguous', type: '7', content: 'x' },
    ),
  );

  const mode = async (name: string): Promise<number> => (await stat(join(model, name))).mode & 0o7777;
  expect(await mode('setuid')).toBe(0o755 & ~process.umask());
  expect(await mode('hidden')).toBe(0o644 & ~process.umask());
  expect((await stat(join(model, 'old'))).isDirectory()).toBe(true);
  expect(await readFile(join(model, 'sub/prefixed/name'), 'utf8')).toBe('of ustar');
  expect(await readFile(join(model, long), 'utf8')).toBe('gnu');
  expect(await readFile(join(model, `pax/${long}`), 'utf8')).toBe('posix');
  expect(await readFile(join(model, 'twice'), 'utf8')).toBe('new');
  expect(await readFile(join(model, 'same'), 'utf8')).toBe('old');
});

test('names that say nothing twice, as tar writes what it is reported, are the names that they mean', async () => {
  const model = await unpacked(
    tarOf(
      folder('.//'),
      folder('sub//'),
      file('sub//one', '1'),
      file('.//sub/./two', '2'),
      hardLink('sub/.//three', './sub//one'),
      link('four', 'sub//./two'),
      gnuLong('L', 'sub//long//'),
      folder('sub'),
    ),
  );
  expect((await readdir(model, { recursive: true })).toSorted()).toEqual([
    'four',
    'sub',
    'sub/long',
    'sub/one',
    'sub/three',
    'sub/two',
  ]);
  expect(await readFile(join(model, 'four'), 'utf8')).toBe('2');
  expect(await refusal(tarOf(file('//etc//x')))).toMatchObject({ exitCode: EXIT_UNSAFE });
});

test.each([
  ['gnu', ['--format=gnu']],
  ['oldgnu', ['--format=oldgnu']],
  ['pax', ['--format=pax']],
  ['ustar', ['--format=ustar']],
  ['v7', ['--format=v7']],
  ['gzip', ['-z']],
])("tar's own archives of the form %s are unpacked as they were packed", async (_name, args) => {
  const source = await mkdtemp(join(home, 'source-'));
  await mkdir(join(source, 'sub/deeper'), { recursive: true });
  await writeFile(join(source, 'sub/deeper/weights'), Buffer.alloc(100_000, 7));
  await writeFile(join(source, 'empty'), '');
  await symlink('sub/deeper/weights', join(source, 'link'));
  execFileSync('ln', [join(source, 'empty'), join(source, 'sub/hard')]);
  const bytes = execFileSync('tar', ['-c', ...args, '-C', source, '.'], { maxBuffer: 2 ** 24 });

  const model = await unpacked(bytes);

  const names = (await readdir(source, { recursive: true })).toSorted();
  expect((await readdir(model, { recursive: true })).toSorted()).toEqual(names);
  for (const name of ['sub/deeper/weights', 'empty', 'sub/hard', 'link']) {
    expect(await readFile(join(model, name))).toEqual(await readFile(join(source, name)));
  }
  expect(await readlink(join(model, 'link'))).toBe('sub/deeper/weights');
});

test('bytes after the end of an archive, and zeros after a gzip, are passed over', async () => {
  const bytes = tarOf(file('f'));
  const garbage = Buffer.alloc(3000, 1);
  expect(await readdir(await unpacked(Buffer.concat([bytes, garbage])))).toEqual(['f']);
  expect(await readdir(await unpacked(Buffer.concat([gzipSync(bytes), Buffer.alloc(3000)])))).toEqual(['f']);
});
