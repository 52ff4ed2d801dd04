import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packBoth, projectWith, type Tarballs } from '../support/packages.ts';

/** What every test file of this part may `inject`. */
export interface PackageAccess extends Tarballs {
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

/** Packs both packages once, and installs them as a user would. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-package-'));
  const tarballs = await packBoth(folder);
  const consumer = await projectWith([tarballs.tarball], folder);
  const operatorProject = await projectWith([tarballs.tarball, tarballs.operatorTarball], folder);

  project.provide('package', { ...tarballs, project: consumer, operatorProject });
  return () => rmSync(folder, { recursive: true, force: true });
}
