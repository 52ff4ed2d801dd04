import { setTimeout as sleep } from 'node:timers/promises';
import { isLeftAlone, pauseOf } from '../../operator/engine/api/index.ts';
import type { Kind, Resource } from '../../operator/engine/api/index.ts';
import type { KubeClient } from '../../operator/kube/index.ts';
import { CliError } from '../errors.ts';
import { FIELD_MANAGER } from '../kube/client.ts';
import { titleOf } from './objects.ts';
import { operatorOfKind } from '../user-kinds/known.ts';

/** How long an operator may take to say that it leaves a resource alone. */
const PATIENCE_MS = 30_000;
/** Between two looks. */
const POLL_MS = 100;

/** What the annotation says, so that the operator's answer can be told from one to an earlier pause. */
export const pauseText = (command: string): string => `trunnion ${command}, ${new Date().toISOString()}`;

/**
 * Sees that the operator leaves a live resource alone: no write of its is on its way once this returns.
 *
 * @param command - the command that asks for it
 * @param wait - whether to wait until an operator has seen it; not where none runs
 * @throws CliError where no operator answers in time
 */
export async function pause(
  client: KubeClient,
  kind: Kind,
  resource: Resource,
  command: string,
  wait: boolean,
): Promise<void> {
  const { name, namespace = '', uid } = resource.metadata;
  const operator = operatorOfKind(kind);
  if (isLeftAlone(resource, operator)) return;
  // An operator that has never seen it otherwise has nothing to stop.
  if (pauseOf(resource, operator) !== undefined && resource.status === undefined) return;
  const annotations = { [operator.pausedAnnotation]: pauseText(command) };
  await client.patch(
    kind.type,
    { namespace, name },
    { metadata: { uid, annotations } },
    { fieldManager: FIELD_MANAGER },
  );
  if (!wait) return;
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const seen = (await client.get(kind.type, { namespace, name })) as unknown as Resource;
    if (isLeftAlone(seen, operator)) return;
    await sleep(POLL_MS);
  }
  throw new CliError(
    `${titleOf(resource)}: no operator has answered within ${PATIENCE_MS / 1000} s. Nothing was changed but that it is paused. If no operator runs, add --no-wait; to undo the pause: kubectl annotate${namespace === '' ? '' : ` -n ${namespace}`} ${kind.type.plural}.${kind.type.group} ${name} ${operator.pausedAnnotation}-`,
  );
}

/** Lets the operator continue. */
export async function resume(client: KubeClient, kind: Kind, { metadata }: Resource): Promise<void> {
  const { name, namespace = '', uid } = metadata;
  const body = { metadata: { uid, annotations: { [operatorOfKind(kind).pausedAnnotation]: null } } };
  await client.patch(kind.type, { namespace, name }, body, { fieldManager: FIELD_MANAGER });
}
