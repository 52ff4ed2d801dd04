import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtFolder, versionOf } from '../../../cluster/binaries.ts';
import { build } from '../../../cluster/build.ts';

/** A module, and the folder of the go.mod that names its version. */
interface Source {
  readonly module: string;
  readonly modules: string;
}

export const KEDA: Source = {
  module: 'github.com/kedacore/keda/v2',
  modules: join(import.meta.dirname, 'keda'),
};

export const METRICS_SERVER: Source = {
  module: 'sigs.k8s.io/metrics-server',
  modules: join(import.meta.dirname, 'metrics-server'),
};

const OTHERWISE = 'leave out the tests of scaling';
const log = (line: string): void => console.error(line);

const versionIn = ({ module, modules }: Source): string =>
  versionOf(readFileSync(join(modules, 'go.mod'), 'utf8'), module);

/** Builds KEDA's operator and its adapter, which serves what an autoscaler asks for, once. */
export async function buildKeda(): Promise<{ readonly operator: string; readonly adapter: string }> {
  const target = builtFolder('keda', KEDA.modules);
  await build({
    what: 'KEDA',
    takes: 'about 9 minutes on two cores',
    otherwise: OTHERWISE,
    modules: KEDA.modules,
    target,
    tools: ['operator', 'adapter'].map((name) => ({ name, package: `${KEDA.module}/cmd/${name}` })),
    // As its Makefile has it, GO_LDFLAGS.
    variables: { [`${KEDA.module}/version.Version`]: versionIn(KEDA) },
    log,
  });
  return { operator: join(target, 'operator'), adapter: join(target, 'adapter') };
}

/** Builds metrics-server, once. */
export async function buildMetricsServer(): Promise<string> {
  const target = builtFolder('metrics-server', METRICS_SERVER.modules);
  await build({
    what: 'metrics-server',
    takes: 'about 3 minutes on two cores',
    otherwise: OTHERWISE,
    modules: METRICS_SERVER.modules,
    target,
    tools: [{ name: 'metrics-server', package: `${METRICS_SERVER.module}/cmd/metrics-server` }],
    // As its Makefile has it, VERSION_LDFLAGS.
    variables: { 'k8s.io/client-go/pkg/version.gitVersion': versionIn(METRICS_SERVER) },
    log,
  });
  return join(target, 'metrics-server');
}
