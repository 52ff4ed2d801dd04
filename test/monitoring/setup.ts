import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { builtFolder, versionOf } from '../../cluster/binaries.ts';
import { build } from '../../cluster/build.ts';

/** Prometheus' own programs. */
export interface PrometheusTools {
  readonly prometheus: string;
  readonly promtool: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    prometheus: PrometheusTools;
  }
}

const MODULES = join(import.meta.dirname, 'prometheus');
const MODULE = 'github.com/prometheus/prometheus';

export default async function setup(project: TestProject): Promise<void> {
  project.provide('prometheus', await buildPrometheus());
}

/** Builds Prometheus, once, with no service discovery but that of Kubernetes: the others are most of it. */
export async function buildPrometheus(): Promise<PrometheusTools> {
  const target = builtFolder('prometheus', MODULES);
  await build({
    what: 'Prometheus',
    takes: 'about 4 minutes on two cores',
    otherwise: 'run the other parts of the tests',
    modules: MODULES,
    target,
    tools: ['prometheus', 'promtool'].map((name) => ({ name, package: `${MODULE}/cmd/${name}` })),
    variables: {
      'github.com/prometheus/common/version.Version': versionOf(readFileSync(join(MODULES, 'go.mod'), 'utf8'), MODULE),
    },
    tags: ['remove_all_sd', 'enable_kubernetes_sd'],
    log: (line) => console.error(line),
  });
  return { prometheus: join(target, 'prometheus'), promtool: join(target, 'promtool') };
}
