import { expect, test } from 'vitest';
import { refusedPods } from '../../../operator/kinds/shared/refused-pods.ts';

/** Words of Kubernetes 1.36's own admission plugins, as a Job's event and a ReplicaSet's condition have them. */
test.each([
  // plugin/pkg/admission/priority/admission.go
  [
    'Error creating: pods "resnet-1-0-" is forbidden: no PriorityClass with name nope was found',
    'PodsForbidden',
    /: no PriorityClass with name nope was found\. Create the PriorityClass nope, or correct priorityClassName\.$/,
  ],
  // plugin/pkg/admission/runtimeclass/admission.go
  [
    'pods "llama-7d9f-" is forbidden: pod rejected: RuntimeClass "nope" not found',
    'PodsForbidden',
    /: RuntimeClass "nope" not found\. Create the RuntimeClass nope, or correct runtimeClassName\.$/,
  ],
  // plugin/pkg/admission/serviceaccount/admission.go
  [
    'pods "llama-7d9f-" is forbidden: error looking up service account models/llama: serviceaccount "llama" not found',
    'PodsForbidden',
    /It is created again, and the pods are then created\.$/,
  ],
  [
    'pods "llama-7d9f-" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true',
    'PodsForbidden',
    /: violates PodSecurity .* Change security\.level or podTemplate, or the level that the namespace enforces\.$/,
  ],
  [
    'Internal error occurred: failed calling webhook "vpol.kb.io": failed to call webhook: no endpoints available',
    'PodsForbidden',
    /see whether its pods and its Service are well/,
  ],
  [
    'pods "x" is forbidden: exceeded quota: gpus, requested: 2',
    'QuotaExceeded',
    /: exceeded quota: gpus, requested: 2\. Raise/,
  ],
  [
    'pods "x" is forbidden: maximum cpu usage per Pod is 1, but limit is 2',
    'PodsForbidden',
    /A LimitRange of the namespace refuses it: change what is asked for, or that range\.$/,
  ],
])(
  'pods that are refused are reported in the words of the API server, with what to do: %s',
  (words, reason, message) => {
    const diagnosis = refusedPods(words);
    expect(diagnosis).toMatchObject({ reason, message: expect.stringMatching(message), stuck: true });
    expect(diagnosis.message).not.toMatch(/pods "/);
  },
);

test('the words are the same for each try, whatever the name of its pod', () => {
  const of = (name: string) =>
    refusedPods(`Error creating: pods "${name}" is forbidden: no PriorityClass with name a was found`);
  expect(of('resnet-1-0-x8k2p')).toEqual(of('resnet-1-0-mm4zt'));
});

test.each([
  [
    'pods "x" is forbidden: minimum memory usage per Container is 2Gi, but request is 1Gi',
    /A LimitRange of the namespace refuses it: change fetcher\.resources, or that range\.$/,
  ],
  [
    'pods "x" is forbidden: exceeded quota: all, requested: limits.memory=1Gi',
    /Raise the quota or ask for less in fetcher\.resources\.$/,
  ],
])('pods that have a field of their own for what they ask are told it: %s', (words, message) => {
  expect(refusedPods(words, 'fetcher.resources').message).toMatch(message);
});

test('a quota of pods is none that less of their resources helps', () => {
  const words = 'pods "x" is forbidden: exceeded quota: all, requested: pods=1, used: pods=5, limited: pods=5';
  expect(refusedPods(words, 'fetcher.resources').message).toMatch(/Raise the quota or ask for less\.$/);
});
