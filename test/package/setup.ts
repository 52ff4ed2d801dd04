import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { npm } from './support/npm.ts';

/** What every test file of this part may `inject`. */
export interface PackageAccess {
  /** What `npm publish` would send of the constructs. */
  readonly tarball: string;
  /** What `npm publish` would send of the operator and the command line. */
  readonly operatorTarball: string;
  /** A project that has the constructs installed, with their peers, and nothing else. */
  readonly project: string;
  /** A project that has the operator installed as well. */
  readonly operatorProject: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    package: PackageAccess;
  }
}

const PEERS = ['cdk8s', 'constructs'] as const;

/** Packs both packages once, and installs them as a user would. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-package-'));
  const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );
  await npm(['run', 'build'], process.cwd());
  const tarball = await packed('trunnion', folder);
  const operatorTarball = await packed('trunnion-operator', folder);

  const peers = PEERS.map((name) => `${name}@${devDependencies[name]}`);
  const consumer = await projectWith([tarball, ...peers], folder);
  const operatorProject = await projectWith([tarball, operatorTarball, ...peers], folder);

  project.provide('package', { tarball, operatorTarball, project: consumer, operatorProject });
  return () => rmSync(folder, { recursive: true, force: true });
}

async function packed(name: string, folder: string): Promise<string> {
  const from = `./${join('dist/packages', name)}`;
  const { stdout } = await npm(['pack', '--silent', '--pack-destination', folder, from], process.cwd());
  return join(folder, stdout.trim());
}

async function projectWith(packages: readonly string[], folder: string): Promise<string> {
  const project = mkdtempSync(join(folder, 'project-'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], project);
  return project;
}
