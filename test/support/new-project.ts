import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { npm } from './npm.ts';
import { OFFLINE, type Tarballs } from './packages.ts';
import { run } from './run.ts';

/**
 * Makes a project with `trunnion new`, of the kind GameServer, and installs it.
 *
 * @param project - a folder that is not there yet
 * @param operatorProject - a project that has the command line installed
 */
export async function makeNewProject(project: string, operatorProject: string, tarballs: Tarballs): Promise<void> {
  const options = ['--group', 'games.example.com', '--kind', 'GameServer'];
  const made = await run('npx', ['--no-install', 'trunnion', 'new', project, ...options], { cwd: operatorProject });
  expect(made).toMatchObject({ code: 0 });
  // As `npm install` would, of packages that no registry has yet.
  await npm(['install', ...OFFLINE, tarballs.tarball, tarballs.operatorTarball], project);
}

/** Makes the folder that a new project's Dockerfile leaves in its image. */
export async function makeImageFolder(image: string, project: string): Promise<void> {
  mkdirSync(image);
  const [, kept = ''] = readFileSync(join(project, '.dockerignore'), 'utf8').split('*\n');
  for (const path of kept.trim().split('\n')) {
    const name = path.replace('!', '');
    cpSync(join(project, name), join(image, name), { recursive: true });
  }
  await npm(['ci', '--omit=dev', ...OFFLINE], image);
}
