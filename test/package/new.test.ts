import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { beforeAll, expect, inject, test } from 'vitest';
import { run } from '../support/run.ts';
import { npm } from './support/npm.ts';

const { tarball, operatorTarball, operatorProject } = inject('package');

/** A folder that is not there yet. */
const project = join(dirname(tarball), 'game-operator');

const offline = ['--prefer-offline', '--no-audit', '--no-fund'];

/** What a user types, in the folder of the project. */
const npx = (...args: string[]) => run('npx', ['--no-install', ...args], { cwd: project });

beforeAll(async () => {
  const options = ['--group', 'games.example.com', '--kind', 'GameServer'];
  const made = await run('npx', ['--no-install', 'trunnion', 'new', project, ...options], { cwd: operatorProject });
  expect(made).toMatchObject({ code: 0 });
  // As `npm install` would, of packages that no registry has yet.
  await npm(['install', ...offline, tarball, operatorTarball], project);
});

test('its types hold, and its tests pass', async () => {
  const { stdout } = await npm(['test'], project);
  expect(stdout).toMatch(/^# fail 0$|^ℹ fail 0$/m);
  expect(stdout).not.toMatch(/^(?:#|ℹ) tests 0$/m);
});

test('it prints its CRD, and its example is one of its resources', async () => {
  const { code, stdout } = await npx('trunnion', 'kind', 'crd', 'src/operator.ts');
  expect(code).toBe(0);
  expect(parse(stdout)).toMatchObject({ metadata: { name: 'gameservers.games.example.com' } });
  const rendered = await npx('trunnion', 'render', '-f', 'example.yaml', '--kinds', 'src/operator.ts');
  expect(rendered).toMatchObject({ code: 0, stderr: '' });
  const kinds = parseAllDocuments(rendered.stdout).map((document) => (document.toJS() as { kind: string }).kind);
  expect(kinds.toSorted()).toEqual(['Deployment', 'Service']);
});

test('it writes its chart', async () => {
  await npm(['run', 'chart'], project);
  expect(parse(readFileSync(join(project, 'chart/Chart.yaml'), 'utf8'))).toMatchObject({
    name: 'games-operator',
    version: '0.1.0',
  });
  expect(existsSync(join(project, 'chart/templates/games-operator.deployment.yaml'))).toBe(true);
});

test('what its image has starts, and says that there is no cluster', async () => {
  const image = join(dirname(tarball), 'image');
  mkdirSync(image);
  const [, ignored = ''] = readFileSync(join(project, '.dockerignore'), 'utf8').split('*\n');
  for (const path of ignored.trim().split('\n')) {
    const name = path.replace('!', '');
    cpSync(join(project, name), join(image, name), { recursive: true });
  }
  await npm(['ci', '--omit=dev', ...offline], image);
  const env = { ...process.env, KUBECONFIG: join(image, 'absent'), HOME: image };
  const { code, stderr } = await run(process.execPath, ['src/operator.ts'], { cwd: image, env });
  expect(code).toBe(1);
  expect(stderr).toContain('KUBECONFIG names');
});
