import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { makeImageFolder, makeNewProject } from '../support/new-project.ts';
import { npm } from '../support/npm.ts';
import { run } from '../support/run.ts';

const { tarball, operatorTarball, operatorProject } = inject('package');

/** A folder that is not there yet. */
const project = join(dirname(tarball), 'game-operator');

/** What a user types, in the folder of the project. */
const npx = (...args: string[]) => run('npx', ['--no-install', ...args], { cwd: project });

beforeAll(() => makeNewProject(project, operatorProject, { tarball, operatorTarball }));

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

test('its sources name what it is built with where they import it, and nowhere else', () => {
  const lines = ['src/game-server.ts', 'src/operator.ts'].flatMap((file) =>
    readFileSync(join(project, file), 'utf8').split('\n'),
  );
  expect(lines.filter((line) => /trunnion/i.test(line))).toEqual([
    expect.stringMatching(/^import \{ defineKind \} from 'trunnion-operator';$/),
    expect.stringMatching(/^import \{ operate \} from 'trunnion-operator';$/),
  ]);
});

describe('its image', () => {
  /** What the image has in its working directory. */
  const image = join(dirname(tarball), 'image');

  beforeAll(() => makeImageFolder(image, project));

  test('has the packages that it names, and theirs, in at most 200 MB', async () => {
    const { stdout } = await npm(['ls', '--omit=dev', '--json'], image);
    const { dependencies } = JSON.parse(stdout) as { dependencies: object };
    expect(Object.keys(dependencies).toSorted()).toEqual([
      'cdk8s',
      'cdk8s-plus-28',
      'constructs',
      'trunnion',
      'trunnion-operator',
      'zod',
    ]);
    const [size] = (await run('du', ['-sm', 'node_modules'], { cwd: image })).stdout.split('\t');
    console.log(`its packages take ${size} MB`);
    expect(Number(size)).toBeLessThanOrEqual(200);
  });

  test('starts, and says that there is no cluster', async () => {
    const env = { ...process.env, KUBECONFIG: join(image, 'absent'), HOME: image };
    const { code, stderr } = await run(process.execPath, ['src/operator.ts'], { cwd: image, env });
    expect(code).toBe(1);
    expect(stderr).toContain('KUBECONFIG names');
  });
});
