import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { builtFolder, versionOf } from '../../cluster/binaries.ts';
import { build } from '../../cluster/build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Helm itself. */
    helm: string;
  }
}

const MODULES = join(import.meta.dirname, '..', 'install', 'helm');
const MODULE = 'helm.sh/helm/v4';

/** Builds Helm, once. */
export default async function setup(project: TestProject): Promise<void> {
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
      log: (line) => console.error(line),
    });
  }
  project.provide('helm', join(target, 'helm'));
}
