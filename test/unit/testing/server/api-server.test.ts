import { describe, expect, test } from 'vitest';
import { ApiError, digestOf, digestOfOwned, extract } from '../../../../operator/kube/index.ts';
import type { KubeObject } from '../../../../operator/kube/index.ts';
import { ApiServer, jsonPatched, mergePatched, namedOf, type Body } from '../../../../testing/simulate/server/index.ts';

const server = (): ApiServer => new ApiServer(() => Date.parse('2026-01-01T00:00:00Z'));

const container = (name: string, image = 'a:1', more: object = {}) => ({ name, image, ...more });

const deployment = (spec: object, labels: object = {}): Body => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'ns', labels } as Body['metadata'],
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
});

const withContainers = (...containers: readonly object[]): Body => deployment({ template: { spec: { containers } } });

const apply = (on: ApiServer, body: Body, manager = 'operator', force = true): KubeObject =>
  on.apply(body, { manager, force });

const containersOf = (object: KubeObject): unknown =>
  (object as unknown as { readonly spec: { readonly template: { readonly spec: { readonly containers: unknown } } } })
    .spec.template.spec.containers;

/** The status of what a write throws. */
function statusOf(write: () => unknown): number | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? error.status : -1;
  }
}

describe('server-side apply', () => {
  test('what was applied is owned, and its digest is that of the manifest', () => {
    const body = deployment(
      {
        replicas: 2,
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            containers: [
              container('main', 'a:1', {
                ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }],
                env: [{ name: 'A', value: '1' }],
                args: ['--a', '--b'],
                volumeMounts: [{ name: 'data', mountPath: '/data' }],
              }),
            ],
            tolerations: [{ key: 'gpu' }],
            volumes: [{ name: 'data', emptyDir: {} }],
          },
        },
      },
      { app: 'web' },
    );
    const live = apply(server(), body);
    expect(digestOfOwned(live, 'operator')).toBe(digestOf(body));
    expect(live.metadata).toMatchObject({ generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' });
  });

  test('to apply the same again changes nothing, not even the version', () => {
    const on = server();
    const first = apply(on, withContainers(container('main')));
    expect(apply(on, withContainers(container('main')))).toBe(first);
  });

  test('what a manager leaves out goes, unless another has it too', () => {
    const on = server();
    apply(on, deployment({ replicas: 2, paused: true }, { a: '1', b: '2' }));
    apply(on, deployment({ replicas: 2 }, { b: '2' }), 'other');
    const live = apply(on, deployment({}, {}));
    expect(live).toMatchObject({ metadata: { labels: { b: '2' }, generation: 2 }, spec: { replicas: 2 } });
    expect(live.metadata.labels).not.toHaveProperty('a');
    expect(live['spec']).not.toHaveProperty('paused');
  });

  test('items of a list that is merged go and come one by one, in the order of the manifest', () => {
    const on = server();
    apply(on, withContainers(container('a'), container('b', 'b:1', { args: ['x'] })));
    apply(on, withContainers(container('sidecar')), 'mesh');
    expect(containersOf(apply(on, withContainers(container('b', 'b:1'), container('c'))))).toEqual([
      container('b', 'b:1'),
      container('sidecar'),
      container('c'),
    ]);
  });

  test.for([
    ['s m', 'm x', 's m x'],
    ['m s', 'x m', 'x m s'],
    ['a s b', 'b a', 's b a'],
    ['m s', 'm x', 'm s x'],
    ['s a t b', 'a b', 's a t b'],
    ['s', 'a', 's a'],
  ] as const)('containers of %s, and then those of %s, are in the order %s', ([live, applied, all]) => {
    const on = server();
    const named = (names: string) => withContainers(...names.split(' ').map((name) => container(name)));
    apply(on, named(live), 'other');
    const containers = containersOf(apply(on, named(applied))) as readonly { readonly name: string }[];
    expect(containers.map(({ name }) => name).join(' ')).toBe(all);
  });

  test('a list that is no list of named items is one value', () => {
    const on = server();
    apply(on, withContainers(container('main', 'a:1', { args: ['a', 'b'] })));
    expect(containersOf(apply(on, withContainers(container('main', 'a:1', { args: ['c'] }))))).toEqual([
      container('main', 'a:1', { args: ['c'] }),
    ]);
  });

  test('a selector is one value: it can not be changed by halves', () => {
    const on = server();
    const service = (selector: object): Body => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { selector },
    });
    apply(on, service({ a: '1' }), 'other');
    expect(apply(on, service({ b: '2' }))).toMatchObject({ spec: { selector: { b: '2' } } });
    expect(extract(apply(on, service({ b: '2' })), 'other')).toBeUndefined();
  });

  test('what another holds at another value is a conflict, or is taken over by force', () => {
    const on = server();
    apply(on, deployment({ replicas: 2 }), 'other');
    expect(statusOf(() => apply(on, deployment({ replicas: 3 }), 'operator', false))).toBe(409);
    expect(statusOf(() => apply(on, deployment({ replicas: 2 }), 'operator', false))).toBeUndefined();
    const live = apply(on, deployment({ replicas: 3 }));
    expect(live).toMatchObject({ spec: { replicas: 3 } });
    expect(extract(live, 'other')).not.toHaveProperty('spec.replicas');
  });

  test('what a person edits is theirs, and what they remove is nobody’s', () => {
    const on = server();
    const before = apply(on, deployment({ replicas: 2, paused: true }, { a: '1' }));
    const spec = { ...(before['spec'] as object), replicas: 5, paused: undefined };
    const edited = on.update(before, { ...before, spec }, 'kubectl-edit');
    expect(extract(edited, 'operator')).toMatchObject({ metadata: { labels: { a: '1' } } });
    expect(extract(edited, 'operator')).not.toHaveProperty('spec.replicas');
    expect(extract(edited, 'operator')).not.toHaveProperty('spec.paused');
    expect(edited.metadata.managedFields?.find(({ manager }) => manager === 'kubectl-edit')).toMatchObject({
      operation: 'Update',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    });
    expect(apply(on, deployment({ replicas: 2, paused: true }, { a: '1' }))).toMatchObject({
      spec: { replicas: 2, paused: true },
    });
  });

  test('a status is no part of what is applied, and is written by itself', () => {
    const on = server();
    const live = apply(on, deployment({ replicas: 2 }));
    const { uid, resourceVersion } = live.metadata;
    const body = {
      ...deployment({}),
      metadata: { name: 'web', namespace: 'ns', uid, resourceVersion },
      status: { replicas: 2 },
    };
    const written = on.apply(body, { manager: 'status', force: true, subresource: 'status' });
    expect(written).toMatchObject({ spec: { replicas: 2 }, status: { replicas: 2 }, metadata: { generation: 1 } });
    expect(apply(on, deployment({ replicas: 2 }))).toMatchObject({ status: { replicas: 2 } });
  });
});

describe('preconditions', () => {
  const guarded = (guard: object): Body => ({
    ...deployment({}),
    metadata: { name: 'web', namespace: 'ns', ...guard },
  });

  test.for([
    ['an apply of version 1 makes an object', false, { resourceVersion: '1' }, undefined],
    ['an apply of version 1 changes none', true, { resourceVersion: '1' }, 409],
    ['an apply to a UID makes none', false, { uid: 'some' }, 409],
    ['an apply to another UID changes none', true, { uid: 'some' }, 422],
  ] as const)('%s', ([, isThere, guard, status]) => {
    const on = server();
    if (isThere) apply(on, deployment({}));
    expect(statusOf(() => apply(on, guarded(guard)))).toBe(status);
  });

  test('a delete and a patch have theirs', () => {
    const on = server();
    const named = namedOf(apply(on, deployment({})));
    const change = (live: KubeObject) => mergePatched(live, { spec: { replicas: 1 } }) as KubeObject;
    expect(statusOf(() => on.delete(named, { uid: 'some' }))).toBe(409);
    expect(statusOf(() => on.delete(named, { resourceVersion: '1' }))).toBe(409);
    expect(statusOf(() => on.patch(named, { change, if: { resourceVersion: '1' } }, 'a'))).toBe(409);
    on.delete(named);
    expect(statusOf(() => on.delete(named))).toBe(404);
    expect(statusOf(() => on.patch(named, { change, if: {} }, 'a'))).toBe(404);
  });

  test('what a finalizer holds stays until it is gone', () => {
    const on = server();
    const body = deployment({});
    const live = apply(on, { ...body, metadata: { ...body.metadata, finalizers: ['a/b'] } as Body['metadata'] });
    expect(on.delete(namedOf(live))?.metadata.deletionTimestamp).toBeDefined();
    const held = on.find(namedOf(live)) as KubeObject;
    expect(held.metadata.generation).toBe(2);
    on.update(held, { ...held, metadata: { ...held.metadata, finalizers: [] } }, 'operator');
    expect(on.objects).toEqual([]);
  });
});

test.for([
  ['a Deployment’s selector', deployment({ selector: { matchLabels: { app: 'other' } } }), 422],
  ['a Deployment’s replicas', deployment({ replicas: 9 }), undefined],
] as const)('%s', ([, change, status]) => {
  const on = server();
  apply(on, deployment({ replicas: 1 }));
  expect(statusOf(() => apply(on, change))).toBe(status);
});

test.for([
  ['batch/v1', 'Job', { template: { a: 1 } }, { template: { a: 2 } }, 422],
  ['batch/v1', 'Job', { template: { a: 1 } }, { template: { a: 1 }, suspend: true }, undefined],
  ['batch/v1', 'Job', { completions: 1 }, { completions: 2 }, 422],
  [
    'batch/v1',
    'Job',
    { completionMode: 'Indexed', completions: 1 },
    { completionMode: 'Indexed', completions: 2 },
    undefined,
  ],
  ['apps/v1', 'StatefulSet', { serviceName: 'a' }, { serviceName: 'b' }, 422],
  ['apps/v1', 'StatefulSet', { replicas: 1 }, { replicas: 2 }, undefined],
  ['v1', 'PersistentVolumeClaim', { storageClassName: 'a' }, { storageClassName: 'b' }, 422],
  ['v1', 'PersistentVolumeClaim', {}, { storageClassName: 'b' }, undefined],
  [
    'v1',
    'PersistentVolumeClaim',
    { resources: { requests: { storage: '1Gi' } } },
    { resources: { requests: { storage: '2Gi' } } },
    undefined,
  ],
] as const)('%s %s from %j to %j', ([apiVersion, kind, before, after, status]) => {
  const on = server();
  const body = (spec: object): Body => ({ apiVersion, kind, metadata: { name: 'a' }, spec });
  apply(on, body(before));
  expect(statusOf(() => apply(on, body(after)))).toBe(status);
});

test.for([
  [
    [
      { op: 'test', path: '/a/b~1c', value: 1 },
      { op: 'add', path: '/a/x', value: 2 },
    ],
    { a: { 'b/c': 1, x: 2 }, l: [1, 2] },
  ],
  [[{ op: 'remove', path: '/l/0' }], { a: { 'b/c': 1 }, l: [2] }],
  [[{ op: 'remove', path: '/a' }], { l: [1, 2] }],
] as const)('a JSON patch %j', ([operations, expected]) => {
  expect(jsonPatched({ a: { 'b/c': 1 }, l: [1, 2] }, operations)).toEqual(expected);
});

test.for([
  [{ op: 'test', path: '/a', value: 2 }],
  [{ op: 'remove', path: '/x' }],
  [{ op: 'add', path: '/a/b', value: 1 }],
  [{ op: 'move', path: '/a' }],
] as const)('a JSON patch that can not be applied: %j', ([operation]) => {
  expect(statusOf(() => jsonPatched({ a: 1 }, [operation]))).toBe(422);
});
