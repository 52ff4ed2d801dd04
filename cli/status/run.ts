import type { Identity, Kind } from '../../operator/engine/api/index.ts';
import type { KubeClient } from '../../operator/kube/index.ts';
import { TRUNNION } from '../../operator/trunnion.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { operatorAbsence } from '../leader/observe.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import { type ClusterOptions, type Format, type KindsOptions, OPERATOR_NAMESPACE } from '../options.ts';
import { formatted } from '../output.ts';
import { notShown } from '../kube/denied.ts';
import { liveResource, noResources } from '../live.ts';
import { untilEnded } from '../signals.ts';
import { knownKinds, operatorOfKind, operatorsOf } from '../user-kinds/known.ts';
import { followPage } from './follow.ts';
import { observe } from './observe.ts';
import { overviewText, resourcesIn } from './overview.ts';
import { statusText, printOptionsOf } from './print.ts';
import { statusOf } from './tree.ts';

/** The options of `trunnion status`. */
export interface StatusOptions extends ClusterOptions, KindsOptions {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  /** @default - where `trunnion install` puts ours, and charts of kinds of the user's put theirs */
  readonly operatorNamespace?: string;
  readonly all?: boolean;
  readonly watch?: boolean;
  readonly output: Format;
}

/** Prints how a resource is doing, or how all are. */
export async function runStatus(io: Io, reference: string | undefined, options: StatusOptions): Promise<void> {
  const { watch = false, allNamespaces = false } = options;
  if (reference !== undefined && allNamespaces) throw new UsageError('a resource is in one namespace: leave out -A');
  const among = await knownKinds(options.kinds);
  const namespace = allNamespaces ? undefined : await namespaceOf(options);
  await withClient(settingsOf(options), async (client) => {
    const page = () =>
      reference === undefined
        ? overview(io, client, { among, namespace }, options)
        : tree(io, client, reference, { among, namespace: namespace ?? '' }, options);
    if (watch) await untilEnded((signal) => followPage(io, page, signal));
    else io.out(await page());
  });
}

/** The namespace in which an operator is looked for. */
const homeOf = (operator: Identity): string => (operator === TRUNNION ? OPERATOR_NAMESPACE : operator.name);

/** What is looked at. */
interface Scope<Namespace> {
  readonly among: readonly Kind[];
  readonly namespace: Namespace;
}

/** All resources as a table. */
async function overview(
  io: Io,
  client: KubeClient,
  { among, namespace }: Scope<string | undefined>,
  { output, operatorNamespace }: StatusOptions,
): Promise<string> {
  const { resources, denied } = await resourcesIn(client, among, namespace);
  for (const line of notShown(denied)) io.log(line);
  for (const operator of operatorsOf(among)) {
    const absence = await operatorAbsence(client, {
      operator,
      operatorNamespace: operatorNamespace ?? homeOf(operator),
      now: Date.now(),
    });
    if (absence !== undefined) io.log(absence);
  }
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
  { among, namespace }: Scope<string>,
  { output, operatorNamespace, all = false }: StatusOptions,
): Promise<string> {
  const { kind, resource } = await liveResource(client, reference, namespace, among, (line) => io.log(line));
  const home = operatorNamespace ?? homeOf(operatorOfKind(kind));
  const status = statusOf(await observe(client, { kind, resource, operatorNamespace: home }));
  return formatted(output, status, () => statusText(status, printOptionsOf(io, all)));
}
