import { decorate, observeChild } from '../../support/as-trunnion.ts';
import { describe, expect, it } from 'vitest';
import type { ObservedChild, ObservedPod } from '../../../operator/engine/api/observed.ts';
import { makePlan } from '../../../operator/engine/plan/plan.ts';
import type { DesiredChild, PlanInput } from '../../../operator/engine/plan/plan.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { desiredOf, type Live, liveOf, OWNER } from './plan-world.ts';

const labels = { app: 'llama' };
const selector = { matchLabels: labels };

const policy = desiredOf('policy', 'NetworkPolicy');
const deployment = desiredOf('deployment', 'Deployment', { after: ['policy'] });
const stays = (live: Partial<Live> = {}): ObservedChild =>
  liveOf({ kind: 'NetworkPolicy', name: 'policy', deleting: true, staysFor: selector, ...live });

const pod = (its: Partial<ObservedPod> = {}): ObservedPod => ({
  namespace: 'ns',
  name: 'a',
  uid: 'a',
  labels,
  annotations: {},
  createdAt: 0,
  deleting: true,
  phase: 'Running',
  conditions: [],
  containers: [],
  ...its,
});

interface Case {
  readonly name: string;
  readonly desired?: readonly DesiredChild[];
  readonly observed: readonly ObservedChild[];
  readonly pods?: readonly ObservedPod[];
  readonly input?: Partial<PlanInput>;
  readonly steps?: readonly string[];
  readonly waits?: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: 'is as good as any while it has pods: what makes more of them need not wait',
    observed: [stays()],
    pods: [pod()],
    steps: ['create deployment'],
  },
  {
    name: 'follows the spec while it has pods',
    desired: [{ ...policy, digest: 'new' }],
    observed: [stays()],
    pods: [pod()],
    steps: ['apply policy'],
  },
  {
    name: 'is as good as any while a Deployment may make pods',
    observed: [stays(), liveOf({ kind: 'Deployment', name: 'deployment', podLabels: labels })],
  },
  {
    name: 'of an earlier resource of the name passes to the new one',
    desired: [{ ...policy, digest: 'with another owner' }, deployment],
    observed: [stays({ ownerUid: 'of an earlier one' })],
    pods: [pod()],
    steps: ['apply policy', 'create deployment'],
  },
  {
    name: 'is about to go where it has nothing to cover: no pod is made until it is created again',
    observed: [stays()],
    pods: [pod({ phase: 'Succeeded' })],
    waits: ['policy goes', 'deployment waits for policy'],
  },
  {
    name: 'is waited for where nothing of ours keeps it',
    observed: [liveOf({ kind: 'NetworkPolicy', name: 'policy', deleting: true })],
    pods: [pod()],
    waits: ['policy goes', 'deployment waits for policy'],
  },
  {
    name: 'and is no longer wanted just leaves',
    desired: [],
    observed: [stays()],
    pods: [pod()],
    waits: ['policy goes'],
  },
  {
    name: 'of an earlier resource, which the new one does not want, is none of its business',
    desired: [],
    observed: [stays({ ownerUid: 'of an earlier one' })],
    pods: [pod()],
  },
];

describe('a policy that is being deleted and stays for pods', () => {
  it.each(cases)('$name', ({ desired = [policy, deployment], observed, pods = [], steps = [], waits = [] }) => {
    const plan = makePlan({ desired, observed, pods, ownerUid: OWNER });
    expect(plan.steps.map((step) => `${step.action} ${'child' in step ? step.child.id : step.live.name}`)).toEqual(
      steps,
    );
    const words = plan.waiting.map((wait) =>
      wait.for === 'ready' ? `${wait.child.id} waits for ${wait.ids.join()}` : `${wait.live.name} goes`,
    );
    expect(words).toEqual(waits);
    expect(plan.foreign).toEqual([]);
  });

  it('is not taken over where our field manager did not make it', () => {
    const { foreign } = makePlan({
      desired: [policy],
      observed: [stays({ ownerUid: 'x', digest: '' })],
      ownerUid: OWNER,
    });
    expect(foreign).toHaveLength(1);
  });
});

describe('the finalizer by which a policy outlives its pods', () => {
  const owner = {
    apiVersion: 'x/v1',
    kind: 'W',
    metadata: { name: 'w', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
  };
  const adding = { annotations: { 'trunnion.dev/adds-egress': 'fetch' } };
  const rendered = (apiVersion: string, kind: string, more: object = {}) => ({
    id: 'x',
    after: [],
    unmanagedFields: [],
    retain: false,
    manifest: { apiVersion, kind, metadata: { name: 'w', namespace: 'ns', ...more }, spec: { podSelector: selector } },
  });
  const finalizersOf = (child: ReturnType<typeof rendered>): unknown =>
    decorate(child, owner).manifest.metadata['finalizers'];

  it('is on each NetworkPolicy but those that only add to what pods may reach, and on nothing else', () => {
    expect(finalizersOf(rendered('networking.k8s.io/v1', 'NetworkPolicy'))).toEqual(['trunnion.dev/pod-protection']);
    expect(finalizersOf(rendered('networking.k8s.io/v1', 'NetworkPolicy', adding))).toBeUndefined();
    expect(finalizersOf(rendered('networking.k8s.io/v1', 'Ingress'))).toBeUndefined();
    expect(finalizersOf(rendered('example.com/v1', 'NetworkPolicy'))).toBeUndefined();
  });

  const live = (metadata: object, spec: object = { podSelector: selector }): KubeObject => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: {
      name: 'w',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      finalizers: ['trunnion.dev/pod-protection'],
      ...metadata,
    },
    spec,
  });
  const deletionTimestamp = '2026-01-01T00:00:00Z';

  it('has it stay for the pods that it selects as it is, once it is being deleted', () => {
    expect(observeChild(live({})).staysFor).toBeUndefined();
    expect(observeChild(live({ deletionTimestamp })).staysFor).toEqual(selector);
    expect(observeChild(live({ deletionTimestamp, finalizers: ['other'] })).staysFor).toBeUndefined();
    // Without a selector it selects all pods of its namespace.
    expect(observeChild(live({ deletionTimestamp }, {})).staysFor).toEqual({});
  });

  it('has it stay for all pods of its namespace where its selector is longer than what is kept', () => {
    const matchLabels = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`label-${index}`, 'x']));
    expect(observeChild(live({ deletionTimestamp }, { podSelector: { matchLabels } })).staysFor).toEqual({});
    const template = { metadata: { labels: matchLabels } };
    const workload = { ...live({}, { template }), apiVersion: 'apps/v1', kind: 'Deployment' };
    expect(observeChild(workload)).not.toHaveProperty('podLabels');
    expect(makePlan({ desired: [policy], observed: [stays(), observeChild(workload)], ownerUid: 'u' }).waiting).toEqual(
      [],
    );
  });

  it('has it stay while a LeaderWorkerSet may make pods, whose labels are those of two templates', () => {
    const leaderWorkerTemplate = { workerTemplate: { metadata: { labels } } };
    const workload = {
      ...live({}, { leaderWorkerTemplate }),
      apiVersion: 'leaderworkerset.x-k8s.io/v1',
      kind: 'LeaderWorkerSet',
    };
    const observed = [stays(), observeChild(workload)];
    expect(observed[1]).not.toHaveProperty('podLabels');
    expect(makePlan({ desired: [policy], observed, ownerUid: 'u' }).waiting).toEqual([]);
  });

  it('is put on by an apply where an earlier operator or another host has left it off', () => {
    const { digest, manifest } = decorate(rendered('networking.k8s.io/v1', 'NetworkPolicy'), owner);
    const owned = (finalizers: object) => ({
      managedFields: [
        {
          manager: 'trunnion',
          operation: 'Apply' as const,
          fieldsV1: {
            'f:metadata': {
              'f:labels': Object.fromEntries(
                Object.keys(manifest.metadata.labels ?? {}).map((key) => [`f:${key}`, {}]),
              ),
              'f:ownerReferences': { 'k:{"uid":"u"}': {} },
              ...finalizers,
            },
            'f:spec': { 'f:podSelector': {} },
          },
        },
      ],
    });
    const { labels: its, ownerReferences } = manifest.metadata;
    const marks = { labels: its, ownerReferences };
    const set = { 'f:finalizers': { '.': {}, 'v:"trunnion.dev/pod-protection"': {} } };
    // The finalizers of others stay.
    const finalizers = ['example.com/theirs', 'trunnion.dev/pod-protection'];
    expect(observeChild(live({ ...marks, ...owned(set), finalizers })).digest).toBe(digest);
    expect(observeChild(live({ ...marks, ...owned({}), finalizers: [] })).digest).not.toBe(digest);
  });
});
