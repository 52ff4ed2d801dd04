import { expect, test } from 'vitest';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import type { JsonObject } from '../../../constructs/schema/json.ts';
import { distributedTraining } from '../../../operator/kinds/distributed-training/index.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { convergenceOf } from '../../mutations/oracle.ts';
import { modelServing } from '../../../operator/kinds/model-serving/index.ts';
import { modelServingSubject } from '../../mutations/subjects/model-serving.ts';
import { distributedTrainingSubject as subject } from '../../mutations/subjects/distributed-training.ts';

const search = subject.homes['a search'] ?? {};
const { podTemplate: _, ...quick } = search;

type Phase = NonNullable<DistributedTrainingStatus['phase']>;

/** How a search of the first spec stands whose only trial was made by another one. */
function convergenceWith(phase: Phase, specOfTrial: JsonObject): ReturnType<typeof convergenceOf> {
  const trials = [{ number: 1, phase, assignments: { lr: '0.1', batch: '16' } }];
  const status = { observedGeneration: 1, tuning: { trials } };
  const metadata = { namespace: 'a', uid: '1', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
  const resource: KubeObject = {
    apiVersion: 'trunnion.dev/v1alpha1',
    kind: 'DistributedTraining',
    metadata: { ...metadata, name: 'mutated-1', generation: 1 },
    spec: search,
    status,
  };
  const [wanted] = subject.statesOf(specOfTrial, status);
  const children = subject
    .render('mutated-1', 'a', specOfTrial, wanted)
    .map(({ manifest }) => asApplied({ ...manifest, metadata: { ...metadata, ...manifest.metadata } }));
  const live = { subject, kind: distributedTraining, namespace: 'a', name: 'mutated-1', generation: 1 };
  return convergenceOf({ resource: () => resource, children: () => children }, live, search, true);
}

/** As the API server keeps an object of which the operator has applied all fields. */
const asApplied = ({ apiVersion, kind, ...object }: KubeObject): KubeObject => ({
  ...object,
  apiVersion,
  kind,
  metadata: {
    ...object.metadata,
    managedFields: [
      { manager: 'trunnion', operation: 'Apply', fieldsType: 'FieldsV1', fieldsV1: fieldsOf(appliedPart(object)) },
    ],
  },
});

const appliedPart = ({ metadata, ...rest }: { readonly metadata: KubeObject['metadata'] }): object => ({
  ...rest,
  metadata: { labels: metadata.labels, annotations: metadata.annotations },
});

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [`f:${key}`, fieldsOf(inner)]))
    : {};

test('says that a trial that runs must follow the spec of its search', () => {
  const { state, why } = convergenceWith('Running', quick) as { readonly state: string; readonly why?: string };
  expect(state).toBe('not yet');
  expect(why).toContain('.DistributedTraining/mutated-1-1');
});

test.each(['Completed', 'Failed'] as const)('lets a trial that is %s keep the spec it ended with', (phase) => {
  expect(convergenceWith(phase, quick)).toEqual({ state: 'converged' });
});

const ownedBy = (uid: string) => [
  { apiVersion: 'trunnion.dev/v1alpha1', kind: 'ModelServing', name: 'mutated-1', uid },
];

test.each([
  ['lets a volume stay that was retained for an earlier model', {}, 'converged'],
  ['says that a volume of an earlier model is too much', { ownerReferences: ownedBy('1') }, 'not yet'],
] as const)('%s', (_, ownership, state) => {
  const spec = modelServingSubject.homes['a volume that one node mounts'] ?? {};
  const metadata = { namespace: 'a', uid: '1', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
  const resource: KubeObject = {
    apiVersion: 'trunnion.dev/v1alpha1',
    kind: 'ModelServing',
    metadata: { ...metadata, name: 'mutated-1', generation: 1 },
    spec,
    status: { observedGeneration: 1 },
  };
  const [wanted] = modelServingSubject.statesOf(spec, { observedGeneration: 1 });
  const children = modelServingSubject
    .render('mutated-1', 'a', spec, wanted)
    .map(({ manifest }) => asApplied({ ...manifest, metadata: { ...metadata, ...manifest.metadata } }));
  const claim = children.find(({ kind }) => kind === 'PersistentVolumeClaim');
  if (claim === undefined) throw new Error('there is no volume');
  const earlier = { ...claim, metadata: { ...claim.metadata, name: 'mutated-1-weights-earlier', ...ownership } };
  const seen = { resource: () => resource, children: () => [...children, earlier] };
  const live = { subject: modelServingSubject, kind: modelServing, namespace: 'a', name: 'mutated-1', generation: 1 };
  expect(convergenceOf(seen, live, spec, true)).toMatchObject({ state });
});
