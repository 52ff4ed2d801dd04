import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { npm } from './support/npm.ts';

/** What every test file of this part may `inject`. */
export interface PackageAccess {
  /** What `npm publish` would send. */
  readonly tarball: string;
  /** A project that has it installed, with its peers, and nothing else. */
  readonly project: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    package: PackageAccess;
  }
}

const PEERS = ['cdk8s', 'cdk8s-plus-28', 'constructs'] as const;

/** Packs the package once, and installs it as a user would. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-package-'));
  const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );
  const { stdout } = await npm(['pack', '--json', '--pack-destination', folder], process.cwd());
  const tarball = join(folder, tarballOf(stdout));

  const consumer = mkdtempSync(join(folder, 'project-'));
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const peers = PEERS.map((name) => `${name}@${devDependencies[name]}`);
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', tarball, ...peers], consumer);

  project.provide('package', { tarball, project: consumer });
  return () => rmSync(folder, { recursive: true, force: true });
}

/** npm prints what the build says before its own JSON. */
function tarballOf(stdout: string): string {
  const file = /"filename": "([^"]+\.tgz)"/.exec(stdout)?.[1];
  if (file === undefined) throw new Error(`npm pack named no tarball:\n${stdout}`);
  return file;
}
