import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { writeRoot } from '../../scripts/image/root.ts';
import { run } from '../support/run.ts';

/** What every test file of this part may `inject`. */
export interface InstallAccess {
  /** What `npm run build` writes for those who install. */
  readonly dist: string;
  /** The root file system of the image. */
  readonly root: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    install: InstallAccess;
  }
}

/** Builds all that is installed. */
export default async function setup(project: TestProject): Promise<() => void> {
  const dist = mkdtempSync(join(tmpdir(), 'trunnion-install-'));
  const { code, stderr } = await run(process.execPath, ['stacks/operator/main.ts', dist]);
  if (code !== 0) throw new Error(`nothing was built to be installed:\n${stderr}`);
  const root = mkdtempSync(join(tmpdir(), 'trunnion-root-'));
  await writeRoot(root);
  project.provide('install', { dist, root });
  return () => [dist, root].forEach((folder) => rmSync(folder, { recursive: true, force: true }));
}
