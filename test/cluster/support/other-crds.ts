import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isNotFound } from '../../../operator/kube/client/errors.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject, ResourceType } from '../../../operator/kube/client/types.ts';
import { moduleFolder } from '../../support/go-module.ts';
import { eventually } from './eventually.ts';

/** CRDs of others as they publish them: the Go module, its version, and the file in it. */
export const PUBLISHED = {
  ScaledObject: ['github.com/kedacore/keda/v2', 'v2.21.0', 'config/crd/bases/keda.sh_scaledobjects.yaml'],
  TriggerAuthentication: [
    'github.com/kedacore/keda/v2',
    'v2.21.0',
    'config/crd/bases/keda.sh_triggerauthentications.yaml',
  ],
  HTTPRoute: ['sigs.k8s.io/gateway-api', 'v1.4.0', 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  CiliumNetworkPolicy: [
    'github.com/cilium/cilium',
    'v1.20.2',
    'pkg/k8s/apis/cilium.io/client/crds/v2/ciliumnetworkpolicies.yaml',
  ],
  PyTorchJob: ['github.com/kubeflow/training-operator', 'v1.9.3', 'manifests/base/crds/kubeflow.org_pytorchjobs.yaml'],
  LeaderWorkerSet: ['sigs.k8s.io/lws', 'v0.9.0', 'config/crd/bases/leaderworkerset.x-k8s.io_leaderworkersets.yaml'],
  DisaggregatedSet: ['sigs.k8s.io/lws', 'v0.9.0', 'config/crd/bases/disaggregatedset.x-k8s.io_disaggregatedsets.yaml'],
  TrainJob: ['github.com/kubeflow/trainer/v2', 'v2.0.1', 'manifests/base/crds/trainer.kubeflow.org_trainjobs.yaml'],
} as const;

interface CustomResourceDefinitionSpec {
  readonly group: string;
  readonly names: { readonly kind: string; readonly plural: string };
  readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
}

/**
 * Installs CRDs of others, so that the API server validates what is rendered for them.
 *
 * @returns a function that removes those that were not there
 */
export async function installPublished(
  admin: KubeClient,
  ...kinds: (keyof typeof PUBLISHED)[]
): Promise<() => Promise<void>> {
  const all = await Promise.all(kinds.map(published));
  const there = await Promise.all(all.map(({ metadata }) => admin.find(TYPES.customResourceDefinition, metadata)));
  const crds = all.filter((_, index) => there[index] === undefined);
  for (const crd of crds) await admin.apply(TYPES.customResourceDefinition, crd, { fieldManager: 'test', force: true });
  await Promise.all(crds.map((crd) => eventually(() => admin.list(storedTypeOf(crd)))));
  return async () => {
    for (const { metadata } of crds) await admin.delete(TYPES.customResourceDefinition, metadata);
    await eventually(async () => {
      for (const crd of crds) await letGoOfAll(admin, storedTypeOf(crd));
      for (const { metadata } of crds) {
        if ((await admin.find(TYPES.customResourceDefinition, metadata)) !== undefined)
          throw new Error(`${metadata.name} is there`);
      }
    });
  };
}

/** Anyone who would take the finalizers off may be gone: the operator of a test stops before what it has installed goes. */
async function letGoOfAll(admin: KubeClient, type: ResourceType): Promise<void> {
  const { items } = await admin.list(type).catch(() => ({ items: [] }));
  for (const { metadata } of items.filter((item) => (item.metadata.finalizers ?? []).length > 0)) {
    await admin.patch(type, metadata, { metadata: { finalizers: null } }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

/** Installs the CRDs of all that a spec may ask for beside Kubernetes' own, and those that are named. */
export const installExtensions = (
  admin: KubeClient,
  ...more: (keyof typeof PUBLISHED)[]
): Promise<() => Promise<void>> =>
  installPublished(
    admin,
    'ScaledObject',
    'TriggerAuthentication',
    'HTTPRoute',
    'CiliumNetworkPolicy',
    'LeaderWorkerSet',
    ...more,
  );

async function published(kind: keyof typeof PUBLISHED): Promise<KubeObject> {
  const [module, version, file] = PUBLISHED[kind];
  return parse(await readFile(join(await moduleFolder(module, version), file), 'utf8')) as KubeObject;
}

/**
 * The type in which the API server stores what a CRD defines. Once it has listed that, its storage is there: without it, to
 * delete the CRD may take the five minutes until the server's finalizer, which first fails for lack of it, looks again.
 */
function storedTypeOf({ spec }: KubeObject): ResourceType {
  const { group, names, versions } = spec as CustomResourceDefinitionSpec;
  const version = versions.find(({ storage }) => storage)?.name ?? '';
  return { group, version, kind: names.kind, plural: names.plural };
}
