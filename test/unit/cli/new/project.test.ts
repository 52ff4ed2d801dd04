import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, describe, expect, test } from 'vitest';
import { TOOLS } from '../../../../cli/new/files/package.ts';
import { type Names, namesOf } from '../../../../cli/new/names.ts';
import { COMMANDS, projectFiles } from '../../../../cli/new/project.ts';
import { trunnion } from '../../../support/trunnion.ts';

const names = namesOf({ group: 'games.example.com', kind: 'GameServer' }) as Names;
const versions = { cdk8s: '^2.0.0', constructs: '^10.0.0', operator: '^0.1.0', zod: '^4.0.0' };
const files = new Map(projectFiles(names, versions).map(({ path, text }) => [path, text]));
const text = (path: string): string => files.get(path) ?? `there is no ${path}`;

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

describe('a project', () => {
  test('has what an operator needs to be run, tested and shipped', () => {
    expect([...files.keys()].toSorted()).toEqual(
      [
        '.dockerignore',
        '.github/workflows/ci.yml',
        '.gitignore',
        'Dockerfile',
        'README.md',
        'example.yaml',
        'package.json',
        'src/game-server.ts',
        'src/operator.ts',
        'test/faults/faults.test.ts',
        'test/game-server.test.ts',
        'tsconfig.json',
      ].toSorted(),
    );
  });

  test('has nothing left of the example in the documentation', () => {
    for (const [path, content] of files) expect(`${path}: ${content}`).not.toMatch(/acme|web-?app/i);
  });

  test('names the library where it imports it, depends on it and calls its command, and nowhere else', () => {
    const lines = [...files].flatMap(([path, content]) => content.split('\n').map((line) => `${path}: ${line}`));
    const others = lines.filter(
      (line) =>
        /trunnion/i.test(line.replaceAll('npx trunnion', '')) &&
        !/ from 'trunnion-operator(?:\/testing)?';$/.test(line) &&
        !/^package\.json: +"trunnion-operator": "\^/.test(line),
    );
    expect(others).toEqual([]);
  });

  test('has JSON and YAML that can be read', () => {
    for (const path of ['package.json', 'tsconfig.json']) expect(() => JSON.parse(text(path)) as unknown).not.toThrow();
    expect(parse(text('example.yaml'))).toMatchObject({ apiVersion: 'games.example.com/v1alpha1', kind: 'GameServer' });
    expect(parse(text('.github/workflows/ci.yml'))).toMatchObject({ jobs: { test: { 'runs-on': 'ubuntu-latest' } } });
  });

  test('has a script for each of its commands, and CI calls no other', () => {
    const { scripts } = JSON.parse(text('package.json')) as Manifest;
    const called = (content: string): readonly string[] =>
      [...content.matchAll(/npm (?:run )?([a-z:]+)/g)].map(([, script = '']) => script);
    const known = new Set([...Object.keys(scripts), 'install', 'ci', 'silent']);
    const all = [...COMMANDS.map(({ command }) => command), text('.github/workflows/ci.yml'), text('README.md')];
    expect(all.flatMap(called).filter((script) => !known.has(script))).toEqual([]);
    expect(COMMANDS).toHaveLength(5);
  });

  test('depends on the versions that this package depends on, or is developed with', () => {
    const ours = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
    const { dependencies, devDependencies } = JSON.parse(text('package.json')) as Manifest;
    expect(dependencies).toMatchObject({ cdk8s: '^2.0.0', constructs: '^10.0.0', zod: '^4.0.0' });
    expect(Object.keys({ ...dependencies, ...devDependencies })).toEqual(expect.arrayContaining(Object.keys(TOOLS)));
    expect(TOOLS).toEqual({
      'cdk8s-plus-28': `^${ours.devDependencies['cdk8s-plus-28']}`,
      typescript: `^${ours.devDependencies['tsc7']?.replace('npm:typescript@', '')}`,
      '@types/node': `^${ours.devDependencies['@types/node']}`,
    });
  });

  test('keeps out of its image what it does not run', () => {
    const copied = [...text('Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths = '']) =>
      paths.split(' '),
    );
    expect(copied.map((path) => `!${path}`).toSorted()).toEqual(
      text('.dockerignore')
        .split('\n')
        .filter((line) => line.startsWith('!'))
        .toSorted(),
    );
  });
});

describe('trunnion new', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-new-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('writes to a folder that is not there, and prints what comes next', async () => {
    const project = join(folder, 'deep', 'acme');
    const { code, stdout, stderr } = await trunnion(['new', project]);
    expect(code).toBe(0);
    expect(stderr).toContain('files to');
    expect(stdout.split('\n').map((line) => line.split('  ')[0])).toEqual([
      `cd ${project}`,
      ...COMMANDS.map(({ command }) => command),
      '',
    ]);
    const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Manifest;
    expect(dependencies['trunnion-operator']).toMatch(/^\^\d/);
    expect(dependencies['zod']).toMatch(/^\^4/);
    expect(readFileSync(join(project, 'src/web-app.ts'), 'utf8')).toContain('export const WebApp = defineKind({');
  });

  test('writes to a folder that git has made', async () => {
    const project = join(folder, 'cloned');
    mkdirSync(join(project, '.git'), { recursive: true });
    expect(await trunnion(['new', project])).toMatchObject({ code: 0 });
  });

  test('leaves a folder alone that has something, and tells all other problems with it', async () => {
    const project = join(folder, 'mine');
    mkdirSync(project);
    writeFileSync(join(project, 'notes.txt'), 'mine');
    const { code, stdout, stderr } = await trunnion(['new', project, '--kind', 'webapp', '--group', 'acme']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${project} is not empty (it has notes.txt)`);
    expect(stderr).toMatch(/--group acme: .*\n.*--kind webapp: /);
    expect(readdirSync(project)).toEqual(['notes.txt']);
  });

  test('a file of the name of the folder is told', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await trunnion(['new', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${file} is a file: name a folder`),
    });
    expect(await trunnion(['new', join(file, 'below')])).toMatchObject({ code: 2 });
  });
});
