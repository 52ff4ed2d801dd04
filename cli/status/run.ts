import { allKinds } from '../kinds.ts';
import type { KubeClient } from '../../operator/kube/index.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { operatorAbsence } from '../leader/observe.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import type { ClusterOptions, Format } from '../options.ts';
import { formatted } from '../output.ts';
import { notShown } from '../kube/denied.ts';
import { liveResource, noResources } from '../live.ts';
import { untilEnded } from '../signals.ts';
import { followPage } from './follow.ts';
import { observe } from './observe.ts';
import { overviewText, resourcesIn } from './overview.ts';
import { statusText, printOptionsOf } from './print.ts';
import { statusOf } from './tree.ts';

/** The options of `trunnion status`. */
export interface StatusOptions extends ClusterOptions {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly operatorNamespace: string;
  readonly all?: boolean;
  readonly watch?: boolean;
  readonly output: Format;
}

/** Prints how a resource is doing, or how all are. */
export async function runStatus(io: Io, reference: string | undefined, options: StatusOptions): Promise<void> {
  const { watch = false, allNamespaces = false } = options;
  if (reference !== undefined && allNamespaces) throw new UsageError('a resource is in one namespace: leave out -A');
  const namespace = allNamespaces ? undefined : await namespaceOf(options);
  await withClient(settingsOf(options), async (client) => {
    const page = () =>
      reference === undefined
        ? overview(io, client, namespace, options)
        : tree(io, client, reference, namespace ?? '', options);
    if (watch) await untilEnded((signal) => followPage(io, page, signal));
    else io.out(await page());
  });
}

/** All resources as a table. */
async function overview(
  io: Io,
  client: KubeClient,
  namespace: string | undefined,
  { output, operatorNamespace }: StatusOptions,
): Promise<string> {
  const { resources, denied } = await resourcesIn(client, allKinds, namespace);
  for (const line of notShown(denied)) io.log(line);
  const absence = await operatorAbsence(client, { operatorNamespace, now: Date.now() });
  if (absence !== undefined) io.log(absence);
  if (resources.length === 0) io.log(noResources(namespace));
  return formatted(output, resources, () =>
    resources.length === 0 ? '' : overviewText(resources, printOptionsOf(io)),
  );
}

/** One resource as a tree. */
async function tree(
  io: Io,
  client: KubeClient,
  reference: string,
  namespace: string,
  { output, operatorNamespace, all = false }: StatusOptions,
): Promise<string> {
  const { kind, resource } = await liveResource(client, reference, namespace, allKinds, (line) => io.log(line));
  const status = statusOf(await observe(client, { kind, resource, operatorNamespace }));
  return formatted(output, status, () => statusText(status, printOptionsOf(io, all)));
}
