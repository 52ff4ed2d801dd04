import { describe, expect, test } from 'vitest';
import { claimTo, lettingGo, moveOf, withManagedFields, withoutFields } from '../../../cli/handover/ownership.ts';
import type { FieldSet } from '../../../operator/kube/apply/owned-fields.ts';
import type { KubeObject, ManagedFieldsEntry, ObjectMeta } from '../../../operator/kube/client/types.ts';

const PART_OF = 'app.kubernetes.io/part-of';

/** The fields of a Deployment that a manifest has; each object of ours has the label. */
const fields = (...spec: readonly string[]): FieldSet => ({
  'f:metadata': { 'f:labels': { [`f:${PART_OF}`]: {} } },
  ...(spec.length > 0 && { 'f:spec': Object.fromEntries(spec.map((name) => [`f:${name}`, {}])) }),
});

const entry = (
  manager: string,
  operation: 'Apply' | 'Update',
  fieldsV1: FieldSet,
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry => ({ manager, operation, apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1, ...more });

const object = (managedFields: readonly ManagedFieldsEntry[], metadata: Partial<ObjectMeta> = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'llama',
    namespace: 'models',
    uid: 'uid-1',
    resourceVersion: '7',
    creationTimestamp: '2026-01-01T00:00:00Z',
    managedFields,
    ...metadata,
  },
  spec: { replicas: 3, paused: true, template: {}, minReadySeconds: 5 },
});

/** The API server's answer to what the operator would apply. */
const applied = object([entry('trunnion', 'Apply', fields('template'))]);
const status = entry('kube-controller-manager', 'Update', { 'f:status': {} }, { subresource: 'status' });
const lastApplied = (spec: object) => ({
  annotations: {
    'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
      metadata: { labels: { [PART_OF]: 'trunnion' } },
      spec,
    }),
  },
});

describe('a move', () => {
  test.for<[string, readonly ManagedFieldsEntry[], Partial<ObjectMeta>, readonly string[], FieldSet | undefined]>([
    ['from kubectl apply --server-side', [entry('kubectl', 'Apply', fields('template'))], {}, ['kubectl'], undefined],
    [
      'from Pulumi, with a field that the operator leaves out',
      [entry('pulumi-kubernetes-1a2b', 'Apply', fields('template', 'paused'))],
      {},
      ['pulumi-kubernetes-1a2b'],
      { 'f:spec': { 'f:paused': {} } },
    ],
    [
      'from kubectl apply: what the server filled in is nobody’s to remove',
      [entry('kubectl-client-side-apply', 'Update', fields('template', 'paused', 'minReadySeconds'))],
      lastApplied({ template: {}, paused: true }),
      ['kubectl-client-side-apply'],
      { 'f:spec': { 'f:paused': {} } },
    ],
    [
      'from a plain create: nothing tells what was filled in',
      [entry('pulumi-kubernetes', 'Update', fields('template', 'paused'))],
      {},
      ['pulumi-kubernetes'],
      undefined,
    ],
    [
      'from two hosts at once',
      [entry('argocd-controller', 'Apply', fields('template')), entry('kubectl', 'Apply', fields('paused'))],
      {},
      ['argocd-controller', 'kubectl'],
      { 'f:spec': { 'f:paused': {} } },
    ],
    [
      'from another version of the type, in which fields may have other names',
      [entry('kubectl', 'Apply', fields('paused'), { apiVersion: 'apps/v1beta1' })],
      {},
      ['kubectl'],
      undefined,
    ],
    ['of what the operator let go of', [entry('trunnion-released', 'Update', fields())], {}, [], undefined],
  ])('%s', ([, managers, metadata, from, drops]) => {
    const move = moveOf(object([status, ...managers], metadata), applied, []);
    expect(move.from).toEqual(from);
    expect(move.drops).toEqual(drops);
    const spec = { 'f:template': {}, ...(drops?.['f:spec'] as object) };
    // A controller's own entry stays; those of the hosts become the operator's.
    expect(move.managedFields).toEqual([status, entry('trunnion', 'Apply', { ...fields(), 'f:spec': spec })]);
  });

  test('anyone who set one field of it keeps that', () => {
    const others = [
      status,
      entry('kubectl-edit', 'Update', { 'f:spec': { 'f:paused': {} } }),
      entry('vpa', 'Apply', { 'f:metadata': { 'f:annotations': { 'f:vpa': {} } } }),
    ];
    expect(moveOf(object(others), applied, [])).toEqual({ from: [] });
    const all = [...others, entry('kubectl', 'Apply', fields('template'))];
    expect(moveOf(object(all), applied, []).managedFields).toEqual([
      ...others,
      entry('trunnion', 'Apply', fields('template')),
    ]);
  });

  test('replicas that somebody else scales are nobody’s on the way, so that they are not reset', () => {
    const live = object([entry('kubectl', 'Apply', fields('template', 'replicas'))]);
    const { drops, managedFields } = moveOf(live, applied, ['spec.replicas']);
    expect(drops).toBeUndefined();
    expect(JSON.stringify(managedFields)).not.toContain('replicas');
    const own = object([entry('trunnion', 'Apply', fields('template', 'replicas'))]);
    expect(moveOf(own, applied, ['spec.replicas']).managedFields).toEqual([
      entry('trunnion', 'Apply', fields('template')),
    ]);
  });

  test('of what is the operator’s already needs nothing', () => {
    expect(moveOf(applied, applied, [])).toEqual({ from: [] });
  });

  test('is written onto the object as it was seen', () => {
    expect(withManagedFields(applied, [status])).toEqual([
      { op: 'test', path: '/metadata/uid', value: 'uid-1' },
      { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
      { op: 'replace', path: '/metadata/managedFields', value: [status] },
    ]);
  });

  test('fields that go are taken from the end of a list on, by their places', () => {
    const live = {
      ...applied,
      metadata: { ...applied.metadata, labels: { 'a/b~c': 'd' } },
      list: [{ name: 'x' }, { name: 'y' }],
    };
    const item = (name: string) => ({ [`k:{"name":"${name}"}`]: { '.': {} } });
    const drops = { 'f:list': { ...item('x'), ...item('y') }, 'f:metadata': { 'f:labels': { 'f:a/b~c': {} } } };
    expect(withoutFields(live, drops)).toEqual([
      { op: 'remove', path: '/metadata/labels/a~1b~0c' },
      { op: 'remove', path: '/list/1' },
      { op: 'remove', path: '/list/0' },
    ]);
  });
});

describe('letting go', () => {
  const owner = {
    apiVersion: 'trunnion.dev/v1alpha1',
    kind: 'ModelServing',
    name: 'llama',
    uid: 'owner',
    controller: true,
  };
  const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'other' };
  const labels = { [PART_OF]: 'trunnion', 'app.kubernetes.io/managed-by': 'trunnion' };

  test('removes owner, label and fields, and leaves what is others’', () => {
    const handover = entry('trunnion-handover', 'Apply', { 'f:spec': { 'f:replicas': {} } });
    const managers = [entry('trunnion', 'Apply', fields('template')), handover, status];
    expect(lettingGo(object(managers, { labels, ownerReferences: [other, owner] }), 'owner')).toEqual([
      { op: 'test', path: '/metadata/uid', value: 'uid-1' },
      { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
      { op: 'replace', path: '/metadata/ownerReferences', value: [other] },
      { op: 'remove', path: '/metadata/labels/app.kubernetes.io~1managed-by' },
      {
        op: 'replace',
        path: '/metadata/managedFields',
        value: [status, entry('trunnion-released', 'Update', fields())],
      },
    ]);
  });

  test('has nothing to do where there is nothing of the operator’s', () => {
    const managers = [entry('trunnion-released', 'Update', fields()), entry('kubectl', 'Apply', fields('template'))];
    expect(lettingGo(object(managers, { ownerReferences: [other] }), 'owner')).toBeUndefined();
  });
});

test('an object is free where nobody controls it', () => {
  const controlled = object([], {
    ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'owner', controller: true }],
  });
  expect(claimTo(object([]), ['owner'])).toBe('free');
  expect(claimTo(controlled, ['earlier', 'owner'])).toBe('ours');
  expect(claimTo(controlled, ['another'])).toBe('taken');
});
