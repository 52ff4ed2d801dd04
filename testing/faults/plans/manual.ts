import { type KubeObject, type ObjectRef, pathOf, type ResourceType } from '../../../operator/kube/index.ts';
import { until } from '../observe.ts';
import { isCarriedOut, type Passed } from '../proxy/proxy.ts';
import { refOf, type Subject } from '../scenario.ts';
import type { World } from '../world.ts';

/** An object that the operator has created and that is still there. */
export interface Child {
  readonly type: ResourceType;
  readonly ref: ObjectRef;
  readonly object: KubeObject;
  /** Whether it is a Job that has succeeded, which is never created again. */
  readonly isOver: boolean;
}

/** The children of one type, as they are now. */
export const childrenOf = async (plural: string, world: World): Promise<readonly Child[]> =>
  (await allChildren(world)).filter(({ type }) => type.plural === plural);

/** All children, as they are now. */
export async function allChildren({ client, proxy }: World): Promise<readonly Child[]> {
  const created = new Map(proxy.log.flatMap(createdBy).map((one) => [one.path, one]));
  const found = await Promise.all([...created.values()].map((one) => childAt(one, client)));
  return found.filter((child) => child !== undefined);
}

interface Created {
  readonly path: string;
  readonly type: Omit<ResourceType, 'kind'>;
  readonly ref: ObjectRef;
}

/** What a request has created. An event is nobody's child. */
function createdBy(passed: Passed): readonly Created[] {
  const { exchange, status, written } = passed;
  const { group, resource, namespace, subresource } = exchange;
  const name = exchange.name ?? written?.name;
  if (!isCarriedOut(passed) || status !== 201 || resource === 'events' || subresource !== undefined) return [];
  if (group === undefined || resource === undefined || name === undefined) return [];
  const version = exchange.path.split('/')[group === '' ? 2 : 3] ?? '';
  const type = { group, version, plural: resource };
  const ref = { name, ...(namespace !== undefined && { namespace }) };
  return [{ path: pathOf({ ...type, kind: '' }, namespace, name), type, ref }];
}

async function childAt({ type, ref }: Created, client: World['client']): Promise<Child | undefined> {
  const object = await client.find({ ...type, kind: '' }, ref);
  if (object === undefined) return undefined;
  const isOver = (object['status'] as { readonly completionTime?: string } | undefined)?.completionTime !== undefined;
  return { type: { ...type, kind: object.kind }, ref, object, isOver };
}

export const isGone = async (subject: Subject, world: World): Promise<boolean> =>
  (await world.client.find(subject.type, refOf(subject, world))) === undefined;

/** Takes every finalizer away, as people do who lose patience. */
export const stripFinalizers = async (subject: Subject, world: World): Promise<void> => {
  await world.client.patch(subject.type, refOf(subject, world), { metadata: { finalizers: null } });
};

/** Deletes the resource, whatever its finalizers wait for. */
export async function removeByForce(subject: Subject, world: World): Promise<void> {
  await world.client.delete(subject.type, refOf(subject, world), { propagationPolicy: 'Background' });
  if (!(await isGone(subject, world))) await stripFinalizers(subject, world);
  await until('the end of the resource', async () => ((await isGone(subject, world)) ? true : undefined));
}
