import { OBSERVER, decorate, observeChild } from '../../support/as-trunnion.ts';
import { TRUNNION } from '../../../operator/trunnion.ts';
import { describe, expect, it } from 'vitest';
import { AsWanted } from '../../../operator/engine/reconcile/as-wanted.ts';
import { execute } from '../../../operator/engine/reconcile/execute.ts';
import { namedBy } from '../../../operator/engine/api/identity.ts';
import { makePlan } from '../../../operator/engine/plan/plan.ts';
import type { DesiredChild, Plan } from '../../../operator/engine/plan/plan.ts';
import { AdmissionDrift } from '../../../operator/engine/plan/admission-drift.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import type { Widget } from '../../support/widget.ts';
import { FakeApi } from './fake-api.ts';

const OWNER = 'owner-uid';
const labels = { 'app.kubernetes.io/name': 'widget', 'app.kubernetes.io/instance': 'w' };
const deletionTimestamp = '2026-01-01T00:00:00Z';

const owner = {
  apiVersion: 'test.trunnion.dev/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'ns', uid: OWNER, resourceVersion: '1', creationTimestamp: deletionTimestamp },
} as Widget;

/** A CiliumNetworkPolicy that is live. */
const policy = (metadata: object = {}, endpointSelector: object = { matchLabels: labels }): KubeObject => ({
  apiVersion: 'cilium.io/v2',
  kind: 'CiliumNetworkPolicy',
  metadata: {
    name: 'w',
    namespace: 'ns',
    uid: 'of-the-policy',
    resourceVersion: '7',
    creationTimestamp: deletionTimestamp,
    finalizers: [TRUNNION.podProtection],
    ownerReferences: [{ ...owner, name: 'w', uid: OWNER, controller: true }],
    managedFields: [{ manager: 'trunnion', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:endpointSelector': {} } } }],
    ...metadata,
  },
  spec: { endpointSelector },
});
const ofAnEarlierOne = { ownerReferences: [{ ...owner, name: 'w', uid: 'of an earlier one', controller: true }] };

/** What makes pods, as the spec asks. */
const deployment: DesiredChild = {
  id: 'deployment',
  after: [],
  unmanagedFields: [],
  retain: false,
  digest: 'new',
  manifest: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'w', namespace: 'ns' } },
  object: namedBy({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'w', namespace: 'ns' } }),
};

const planFor = (live: KubeObject, desired: readonly DesiredChild[], deleting = false): Plan =>
  makePlan({ desired, observed: [observeChild(live)], ownerUid: OWNER, deleting });

describe('a CiliumNetworkPolicy', () => {
  it('has the finalizer by which it outlives its pods', () => {
    const { apiVersion, kind, spec } = policy() as KubeObject & { readonly spec: object };
    const manifest = { apiVersion, kind, metadata: { name: 'w', namespace: 'ns' }, spec };
    const { metadata } = decorate(
      { id: 'host-egress', after: [], unmanagedFields: [], retain: false, manifest },
      owner,
    ).manifest;
    expect(metadata['finalizers']).toEqual([TRUNNION.podProtection]);
  });

  it.each<[string, object, object]>([
    ['pods by their labels', { matchLabels: labels }, { matchLabels: labels }],
    [
      'pods by labels with their source',
      { matchLabels: { 'k8s:app': 'a', 'any:b': '' } },
      { matchLabels: { app: 'a', b: '' } },
    ],
    ['no selector', {}, { matchLabels: {} }],
    // What the API server takes for no selector of pods would keep it forever.
    ['labels that are none of pods', { matchLabels: { 'reserved:host': '' } }, {}],
    ['a label that the namespace gives', { matchLabels: { 'k8s:io.kubernetes.pod.namespace': 'ns' } }, {}],
    ['a key that no pod can have', { matchLabels: { 'not a key': 'a' } }, {}],
    ['expressions', { matchExpressions: [{ key: 'k8s:app', operator: 'In', values: ['a'] }] }, {}],
  ])(
    'that is being deleted and selects %s stays for these, or for all where that cannot be asked for',
    (_, selector, pods) => {
      expect(observeChild(policy({ deletionTimestamp }, selector)).staysFor).toEqual(pods);
    },
  );
});

describe('a CiliumNetworkPolicy that is no longer wanted', () => {
  const words = ({ steps, waiting }: Plan): readonly string[] => [
    ...steps.filter(({ action }) => action === 'delete').map((step) => `delete${'atOnce' in step ? ' at once' : ''}`),
    ...waiting.map((wait) => `wait until it is ${wait.for}`),
  ];

  it.each<[string, KubeObject, readonly DesiredChild[], readonly string[]]>([
    ['goes at once where pods run on: the spec has taken its hosts back', policy(), [deployment], ['delete at once']],
    [
      'goes at once also where somebody has deleted it before',
      policy({ deletionTimestamp }),
      [deployment],
      ['delete at once'],
    ],
    ['stays for pods that stop where nothing makes pods any more', policy(), [], ['delete']],
    ['is waited for by nobody while it stays for them', policy({ deletionTimestamp }), [], ['wait until it is gone']],
    [
      'of an earlier resource goes at once where the new one of its name does not ask for hosts',
      policy({ deletionTimestamp, ...ofAnEarlierOne }),
      [deployment],
      ['delete at once'],
    ],
    [
      'of an earlier resource is left to its pods where the new one has none',
      policy({ deletionTimestamp, ...ofAnEarlierOne }),
      [],
      [],
    ],
    ['of another resource is left alone', policy(ofAnEarlierOne), [deployment], []],
    [
      'that others hold is waited for',
      policy({ deletionTimestamp, finalizers: ['x/y'] }),
      [deployment],
      ['wait until it is gone'],
    ],
  ])('%s', (_, live, desired, steps) => {
    expect(words(planFor(live, desired))).toEqual(steps);
  });

  it('stays for the pods of a resource that is being deleted', () => {
    expect(words(planFor(policy(), [deployment], true))).toEqual(['delete']);
  });

  async function carriedOut(live: KubeObject): Promise<FakeApi> {
    const api = new FakeApi();
    const plan = planFor(api.put(TYPES.ciliumNetworkPolicy, live), [deployment]);
    const steps = plan.steps.filter(({ action }) => action === 'delete');
    const { failures, stale } = await execute(
      { ...plan, steps },
      {
        client: api,
        types: [TYPES.ciliumNetworkPolicy],
        owner,
        observer: OBSERVER,
        isLabelled: () => true,
        log: {
          wrote: (object) => observeChild(object),
          found: (object) => observeChild(object),
          wroteDelete: () => undefined,
        },
        drift: new AdmissionDrift(),
        asWanted: new AsWanted(),
        record: () => undefined,
      },
    );
    expect({ failures, stale }).toEqual({ failures: [], stale: false });
    return api;
  }

  it.each<[string, object, readonly string[]]>([
    ['is freed and deleted', {}, ['patch ciliumnetworkpolicies/w', 'delete ciliumnetworkpolicies/w']],
    ['is freed where it is being deleted', { deletionTimestamp }, ['patch ciliumnetworkpolicies/w']],
    [
      'is deleted where an earlier operator has left the finalizer off',
      { finalizers: [] },
      ['delete ciliumnetworkpolicies/w'],
    ],
  ])('%s, and is gone then', async (_, metadata, calls) => {
    const api = await carriedOut(policy(metadata));
    expect(api.calls).toEqual(calls);
    expect(api.object(TYPES.ciliumNetworkPolicy, 'w')).toBeUndefined();
  });
});
