import { TRUNNION } from '../../../operator/trunnion.ts';
import { describe, expect, it } from 'vitest';
import { runActions, deleteResource } from '../../../operator/engine/reconcile/actions.ts';
import type { Resource } from '../../../operator/engine/api/resource.ts';
import { ApiError } from '../../../operator/kube/client/errors.ts';
import type { DeleteOptions, ObjectRef } from '../../../operator/kube/client/options.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject, ResourceType } from '../../../operator/kube/client/types.ts';
import { sshKeySecret } from '../../../operator/kinds/distributed-training/ssh-key.ts';
import { WIDGET, widget } from '../../support/widget.ts';
import { FakeApi } from './fake-api.ts';

/** An API server that remembers how pods were deleted. */
class Api extends FakeApi {
  readonly deletes: (readonly [string, DeleteOptions])[] = [];

  override async delete(type: ResourceType, ref: ObjectRef, options: DeleteOptions): Promise<KubeObject | undefined> {
    this.deletes.push([ref.name, options]);
    return super.delete(type, ref, options);
  }
}

function world() {
  const api = new Api();
  const resource = api.put(WIDGET, {
    apiVersion: 'test.trunnion.dev/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'ns' },
    spec: {},
  }) as KubeObject & Resource;
  const pod = api.put(TYPES.pod, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'ns' } });
  return {
    api,
    resource,
    pod,
    context: { client: api, kind: { ...widget, secrets: { 'ssh-key': sshKeySecret } }, identity: TRUNNION, resource },
  };
}

/** Its methods, whatever they are called on. */
const bound = (api: Api) => ({
  create: api.create.bind(api),
  delete: api.delete.bind(api),
  find: api.find.bind(api),
});

describe('what is done beside children', () => {
  it('deletes the very pod that was meant, and waits for its node by default', async () => {
    const { api, pod, context } = world();
    const { uid } = pod.metadata;
    expect(await runActions({ removePods: [{ name: 'p', uid }] }, context)).toEqual([]);
    expect(api.deletes).toEqual([['p', { uid }]]);
    expect(await runActions({ removePods: [{ name: 'p', uid, force: true }] }, context)).toEqual([]);
    expect(api.deletes[1]).toEqual(['p', { uid, gracePeriodSeconds: 0 }]);
    expect(await runActions({ removePods: [{ name: 'p', uid, graceSeconds: 5 }] }, context)).toEqual([]);
    expect(api.deletes[2]).toEqual(['p', { uid, gracePeriodSeconds: 5 }]);
  });

  it('leaves a namesake alone, and takes it for done', async () => {
    const { api, context } = world();
    expect(await runActions({ removePods: [{ name: 'p', uid: 'of an earlier one' }] }, context)).toEqual([]);
    expect(api.object(TYPES.pod, 'p')).toBeDefined();
  });

  it('tells a pod what it must know and lets it start, at once and if it is the very pod that was meant', async () => {
    const { pod, context } = world();
    const patches: unknown[] = [];
    const patch = (_: ResourceType, { name }: ObjectRef, body: object) => {
      patches.push([name, body]);
      return Promise.resolve(pod);
    };
    const mark = { name: 'p', uid: pod.metadata.uid, labels: { 'a/role': 'master' }, gate: 'trunnion.dev/role' };
    expect(await runActions({ markPods: [mark] }, { ...context, client: { ...bound(context.client), patch } })).toEqual(
      [],
    );
    expect(patches).toEqual([
      [
        'p',
        [
          { op: 'test', path: '/metadata/uid', value: pod.metadata.uid },
          { op: 'test', path: '/spec/schedulingGates/0/name', value: 'trunnion.dev/role' },
          { op: 'add', path: '/metadata/labels/a~1role', value: 'master' },
          { op: 'remove', path: '/spec/schedulingGates/0' },
        ],
      ],
    ]);
  });

  it.each([
    [422, []],
    [404, []],
    [403, [{ reason: 'Forbidden' }]],
  ])('takes the answer %i to that for what it is', async (status, failures) => {
    const { context } = world();
    const patch = () => Promise.reject(new ApiError(status, { message: 'no' }));
    const mark = { name: 'p', uid: 'u', labels: {}, gate: 'g' };
    const answer = runActions({ markPods: [mark] }, { ...context, client: { ...bound(context.client), patch } });
    expect(await answer).toMatchObject(failures);
  });

  it('makes a key once, and keeps one that is there', async () => {
    const { api, context, resource } = world();
    expect(await runActions({ makeSecrets: [{ name: 'w-ssh', by: 'ssh-key' }] }, context)).toEqual([]);
    const secret = api.object(TYPES.secret, 'w-ssh');
    expect(secret).toMatchObject({
      type: 'kubernetes.io/ssh-auth',
      metadata: { ownerReferences: [{ uid: resource.metadata.uid }] },
      stringData: { 'ssh-privatekey': expect.any(String), 'ssh-publickey': expect.any(String) },
    });
    await runActions({ makeSecrets: [{ name: 'w-ssh', by: 'ssh-key' }] }, context);
    expect(api.object(TYPES.secret, 'w-ssh')).toEqual(secret);
  });

  it('reports the actions that failed, and runs the rest', async () => {
    const { api, pod, context } = world();
    api.fault = (call) =>
      call.startsWith('delete')
        ? { error: new ApiError(403, { message: 'no' }), when: 'before its effect' }
        : undefined;
    const result = {
      removePods: [{ name: 'p', uid: pod.metadata.uid }],
      makeSecrets: [{ name: 'w-ssh', by: 'ssh-key' }],
    };
    expect(await runActions(result, context)).toMatchObject([{ reason: 'Forbidden' }]);
    expect(api.object(TYPES.secret, 'w-ssh')).toBeDefined();
  });
});

describe('an end', () => {
  it('deletes the resource as it was when that was decided, and no other', async () => {
    const { api, context } = world();
    api.edit(WIDGET, 'w', { spec: { changed: true } });
    await expect(deleteResource(context)).rejects.toMatchObject({ status: 409 });
    const resource = api.object(WIDGET, 'w') as KubeObject & Resource;
    await deleteResource({ ...context, resource });
    expect(api.object(WIDGET, 'w')).toBeUndefined();
  });
});
