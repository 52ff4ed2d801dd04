import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

type Versions = Readonly<Record<string, string>>;

interface Manifest {
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly exports?: unknown;
}

interface Lock {
  readonly packages: Readonly<Record<string, Manifest & { readonly version?: string; readonly resolved?: string }>>;
}

const json = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const ours = json('package.json') as Manifest;
const lock = json('package-lock.json') as Lock;

const RANGE = /^\^\d+\.\d+\.\d+$/;
const EXACT = /^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+$/;

const otherThan = (versions: Versions = {}, pattern: RegExp): readonly string[] =>
  Object.entries(versions).flatMap(([name, version]) => (pattern.test(version) ? [] : [`${name}@${version}`]));

test('what runs is taken by a range, so that users can share it and take its corrections', () => {
  expect(otherThan(ours.dependencies, RANGE)).toEqual([]);
  expect(otherThan(ours.peerDependencies, RANGE)).toEqual([]);
});

test('what the tests use is of one version: tools by package.json, the rest by the lock file', () => {
  expect(otherThan(ours.devDependencies, EXACT)).toEqual([]);
  const locked = Object.keys({ ...ours.dependencies, ...ours.devDependencies }).map(
    (name) => [name, lock.packages[`node_modules/${name}`]?.version ?? 'none'] as const,
  );
  expect(otherThan(Object.fromEntries(locked), EXACT)).toEqual([]);
  expect(lock.packages['']).toMatchObject({ dependencies: ours.dependencies, devDependencies: ours.devDependencies });
});

test('the lock file names no registry', () => {
  const named = Object.values(lock.packages).flatMap(({ resolved = '' }) => (resolved === '' ? [] : [resolved]));
  expect(named).toEqual([]);
});

/** `name`, or `@scope/name`, and what comes after it. */
const PATH = /^((?:@[^/]+\/)?[^/]+)\/(.+)$/;

test('what is published imports nothing from a path that its package has not made public', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', ':!test/'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(ROOT, file)));
  const deep = files.flatMap((file) =>
    [
      ...readFileSync(join(ROOT, file), 'utf8').matchAll(
        /(?:^import |^[^\n'"]* from |^declare module )'([^'.][^']*)'/gm,
      ),
    ]
      .flatMap(([, specifier = '']) => (isBuiltin(specifier) ? [] : [PATH.exec(specifier)]))
      .flatMap((parts) => (parts === null ? [] : [{ file, name: parts[1] ?? '', path: parts[2] ?? '' }])),
  );
  // Node.js itself holds who imports to what a package exports, where it says so.
  const isPrivate = ({ name }: { readonly name: string }): boolean =>
    lock.packages[`node_modules/${name}`] !== undefined &&
    (json(`node_modules/${name}/package.json`) as Manifest).exports === undefined;
  expect(deep.map(({ name }) => name)).toContain('@noble/hashes');
  expect(deep.filter(isPrivate)).toEqual([]);
});
