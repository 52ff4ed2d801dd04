import { setTimeout as sleep } from 'node:timers/promises';
import type { Manifest } from '../../constructs/workload.ts';
import type { KubeClient, KubeObject } from '../../operator/kube/index.ts';
import { CliError } from '../errors.ts';
import { FIELD_MANAGER } from './client.ts';
import { servedType } from './types.ts';

/** How long the API server may take to serve a new type. */
const ESTABLISHED_MILLISECONDS = 30_000;

/** Between two looks. */
const POLL_MILLISECONDS = 100;

/** Applies an object as `kubectl apply --server-side` does, in `namespace` where it names none. */
export async function apply(client: KubeClient, manifest: Manifest, namespace: string): Promise<KubeObject> {
  const type = await servedType(client, manifest);
  const metadata = type.namespaced ? { namespace, ...manifest.metadata } : manifest.metadata;
  return client.apply(type, { ...manifest, metadata }, { fieldManager: FIELD_MANAGER, force: true });
}

/** Waits until the API server serves the types of these CRDs. */
export async function established(client: KubeClient, crds: readonly Manifest[]): Promise<void> {
  const deadline = performance.now() + ESTABLISHED_MILLISECONDS;
  for (const crd of crds) {
    const { group, names, versions } = crd['spec'] as CrdSpec;
    for (const { name } of versions) {
      await served(client, { apiVersion: `${group}/${name}`, kind: names.kind }, deadline);
    }
  }
}

async function served(client: KubeClient, type: { apiVersion: string; kind: string }, deadline: number): Promise<void> {
  for (;;) {
    try {
      return void (await servedType(client, type));
    } catch (error) {
      if (!(error instanceof CliError) || performance.now() > deadline) throw error;
    }
    await sleep(POLL_MILLISECONDS);
  }
}

interface CrdSpec {
  readonly group: string;
  readonly names: { readonly kind: string };
  readonly versions: readonly { readonly name: string }[];
}
