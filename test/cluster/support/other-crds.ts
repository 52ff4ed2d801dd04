import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import type { KubeClient } from '../../../operator/kube/client.ts';
import type { KubeObject } from '../../../operator/kube/types.ts';
import { eventually } from './eventually.ts';
import { types } from './types.ts';

/** CRDs of others as they publish them: the Go module, its version, and the file in it. */
export const PUBLISHED = {
  ScaledObject: ['github.com/kedacore/keda/v2', 'v2.21.0', 'config/crd/bases/keda.sh_scaledobjects.yaml'],
  TriggerAuthentication: [
    'github.com/kedacore/keda/v2',
    'v2.21.0',
    'config/crd/bases/keda.sh_triggerauthentications.yaml',
  ],
  HTTPRoute: ['sigs.k8s.io/gateway-api', 'v1.4.0', 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  PyTorchJob: ['github.com/kubeflow/training-operator', 'v1.9.3', 'manifests/base/crds/kubeflow.org_pytorchjobs.yaml'],
  TrainJob: ['github.com/kubeflow/trainer/v2', 'v2.0.1', 'manifests/base/crds/trainer.kubeflow.org_trainjobs.yaml'],
} as const;

/**
 * Installs CRDs of others, so that the API server validates what is rendered for them.
 *
 * @returns a function that takes them away
 */
export async function installPublished(
  admin: KubeClient,
  ...kinds: (keyof typeof PUBLISHED)[]
): Promise<() => Promise<void>> {
  const names: string[] = [];
  for (const kind of kinds) {
    const [module, version, file] = PUBLISHED[kind];
    const crd = parse(await readFile(join(await moduleFolder(module, version), file), 'utf8')) as KubeObject;
    const { name } = crd.metadata;
    await admin.apply(types.customResourceDefinition, crd, { fieldManager: 'test', force: true });
    await eventually(async () => {
      const live = await admin.get(types.customResourceDefinition, { name });
      const { conditions = [] } = live['status'] as { conditions?: { type: string; status: string }[] };
      if (!conditions.some(({ type, status }) => type === 'Established' && status === 'True'))
        throw new Error(`${name} is not served yet`);
    });
    names.push(name);
  }
  return async () => {
    for (const name of names) await admin.delete(types.customResourceDefinition, { name });
    await eventually(async () => {
      for (const name of names) {
        if ((await admin.find(types.customResourceDefinition, { name })) !== undefined)
          throw new Error(`${name} is there`);
      }
    });
  };
}

/** Where Go has unpacked a module, after fetching it if need be. */
async function moduleFolder(module: string, version: string): Promise<string> {
  const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', `${module}@${version}`]);
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}
