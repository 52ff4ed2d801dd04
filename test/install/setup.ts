import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { builtFolder, versionOf } from '../../cluster/binaries.ts';
import { build } from '../../cluster/build.ts';
import { writeRoot } from '../../scripts/image/root.ts';
import { run } from '../support/run.ts';

/** What every test file of this part may `inject`. */
export interface InstallAccess {
  /** Helm itself. */
  readonly helm: string;
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

const MODULES = join(import.meta.dirname, 'helm');
const MODULE = 'helm.sh/helm/v4';

/** Builds Helm, once, and all that is installed. */
export default async function setup(project: TestProject): Promise<() => void> {
  const helm = await findHelm((line) => console.error(line));
  const dist = mkdtempSync(join(tmpdir(), 'trunnion-install-'));
  const { code, stderr } = await run(process.execPath, ['stacks/operator/main.ts', dist]);
  if (code !== 0) throw new Error(`nothing was built to be installed:\n${stderr}`);
  const root = mkdtempSync(join(tmpdir(), 'trunnion-root-'));
  await writeRoot(root);
  project.provide('install', { helm, dist, root });
  return () => [dist, root].forEach((folder) => rmSync(folder, { recursive: true, force: true }));
}

async function findHelm(log: (line: string) => void): Promise<string> {
  const target = builtFolder('helm', MODULES);
  const version = versionOf(readFileSync(join(MODULES, 'go.mod'), 'utf8'), MODULE);
  if (!existsSync(join(target, 'helm'))) {
    await build({
      what: 'Helm',
      takes: 'about 3 minutes on two cores',
      otherwise: 'run the other parts of the tests',
      modules: MODULES,
      target,
      tools: [{ name: 'helm', package: `${MODULE}/cmd/helm` }],
      variables: { [`${MODULE}/internal/version.version`]: version },
      log,
    });
  }
  return join(target, 'helm');
}
