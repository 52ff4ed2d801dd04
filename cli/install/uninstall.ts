import { TRUNNION } from '../../operator/trunnion.ts';
import type { Manifest } from '../../constructs/workload.ts';
import type { Kind } from '../../operator/engine/api/index.ts';
import { allKinds, kinds } from '../kinds.ts';
import { Discovery, type KubeClient } from '../../operator/kube/index.ts';
import { crds } from '../../stacks/operator/crds.ts';
import { CliError } from '../errors.ts';
import { installation, type InstallOptions } from '../install.ts';
import type { Io } from '../io.ts';
import { settingsOf, withClient } from '../kube/client.ts';
import { servedType } from '../kube/types.ts';
import type { ClusterOptions } from '../options.ts';
import { removed } from './remove.ts';
import { unprotect, type Unprotected } from './unprotect.ts';

/** The options of `trunnion uninstall`. */
export interface UninstallFlags
  extends ClusterOptions, Pick<InstallOptions, 'namespace' | 'watchNamespace' | 'compat'> {
  readonly crds?: boolean;
}

/**
 * Removes what install has put there, the operator first.
 *
 * @throws CliError where the CRDs are to go and there are resources
 */
export async function uninstall(io: Io, { crds: withCrds = false, ...flags }: UninstallFlags): Promise<void> {
  const all = installation(flags).toReversed();
  await withClient(settingsOf(flags), async (client) => {
    if (withCrds) await refuseWhileInUse(client, flags.compat ? allKinds : kinds);
    // The Deployment goes before its rights, so that its last passes don't fail for lack of them.
    for (const manifest of all.filter(({ kind }) => kind !== 'CustomResourceDefinition' && kind !== 'Namespace')) {
      await remove(io, client, manifest);
    }
    report(io, await unprotect(client, flags.watchNamespace));
    await remove(io, client, leaseOf(flags.namespace));
    for (const crd of withCrds ? crds(flags.compat) : []) await remove(io, client, crd);
  });
  io.log(
    withCrds
      ? `The namespace ${flags.namespace} stays: kubectl delete namespace ${flags.namespace}`
      : 'Resources, their objects and the CRDs stay, and so does the namespace. Another install continues with them.',
  );
}

/** Those who led have made it. Without its rights the operator can't make it again. */
const leaseOf = (namespace: string): Manifest => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: TRUNNION.name, namespace },
});

/** The operator has to be gone by now, and its rights with it: it would put them back. */
function report(io: Io, { freed, waiting }: Unprotected): void {
  if (freed > 0) io.log(`took the operator's finalizer off ${freed} ${freed === 1 ? 'policy' : 'policies'} of pods`);
  if (waiting.length === 0) return;
  io.log(`These policies are being deleted, and cover pods that still run, so they stay:
${waiting.map((one) => `  ${one}`).join('\n')}
Once the pods have stopped, call this again.`);
}

async function remove(io: Io, client: KubeClient, manifest: Manifest): Promise<void> {
  const { kind, metadata } = manifest;
  if (await removed(client, await servedType(client, manifest), metadata)) io.log(`deleted ${kind} ${metadata.name}`);
}

/** Deleting a CRD deletes its resources, and the garbage collector what belongs to them: the pods, too. */
async function refuseWhileInUse(client: KubeClient, of: readonly Kind[]): Promise<void> {
  const discovery = new Discovery(client);
  const inUse = await Promise.all(
    of.map(async ({ type }) => {
      if (!(await discovery.isServed(type))) return [];
      const { items } = await client.list(type);
      return items.map(({ metadata }) => `  ${type.kind.toLowerCase()}/${metadata.name} -n ${metadata.namespace}`);
    }),
  );
  if (inUse.flat().length === 0) return;
  throw new CliError(`deleting the CRDs would delete these resources, and the pods of each:
${inUse.flat().join('\n')}
Delete those that are no longer wanted; have the operator let go of the others, so that they run on:
  trunnion release RESOURCE -n NAMESPACE > RESOURCE.yaml
Then call this again. Nothing was done.`);
}
