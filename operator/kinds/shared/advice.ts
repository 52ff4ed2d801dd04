import type { Problem } from '../../engine/kind.ts';

/** What to do, by the reason of a problem, where the words of the server tell no more. */
const BY_REASON: Readonly<Record<string, string>> = {
  NameTaken: 'It is looked at again every now and then.',
  Forbidden: 'Change the spec, or what refuses it.',
  Invalid: 'Correct the spec.',
  QuotaExceeded: 'Raise the quota of the namespace or ask for less.',
  NotServed: 'Install what serves it.',
};

const OTHERWISE = 'It is tried again.';

/**
 * What to do by the words of the server, the first that fits. One code stands for many causes: 403 for a right, a policy, a
 * range of limits, a namespace that goes; 422 for a field or a policy. Of Kubernetes 1.36: the texts of
 * apiserver/pkg/endpoints/handlers/responsewriters/errors.go, apiserver/pkg/admission/plugin, plugin/pkg/admission and
 * pkg/apis/core/validation.
 */
const BY_WORDS: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /must support resize/,
    'Its storage class does not let volumes grow: set storage.size back to what it was, which is always allowed while the volume has not grown, or set allowVolumeExpansion: true on the class.',
  ],
  [/only bound persistent volume claims can be expanded/i, 'It grows once it is bound: it is tried again.'],
  [
    /field can not be less than (?:status\.capacity|previous value)/,
    'A volume does not shrink, and one that was asked to grow can only be asked for more than it has: set storage.size above that.',
  ],
  [/being terminated/, 'Its namespace is being deleted: nothing new is made there.'],
  [
    /failed calling webhook/,
    'That webhook does not answer: see whether its pods and its Service are well. It is tried again.',
  ],
  [
    /admission webhook .* denied the request|ValidatingAdmissionPolicy .* denied request/,
    'Change the spec as that policy wants it, or have whoever runs the policy make an exception.',
  ],
  [/violates PodSecurity/, 'Change security.level or podTemplate, or the level that the namespace enforces.'],
  [
    /(?:maximum|minimum) .* usage per |limit to request ratio/,
    'A LimitRange of the namespace refuses it: change what is asked for, or that range.',
  ],
  [
    / cannot \S+ resource |cannot set blockOwnerDeletion/,
    'Give the operator the right, or change the spec so that it is not needed.',
  ],
];

/** What to do about a child that could not be written: a sentence or two. */
export const adviceOn = ({ reason, message }: Pick<Problem, 'reason' | 'message'>): string =>
  reason === 'NameTaken'
    ? (BY_REASON[reason] ?? OTHERWISE)
    : (BY_WORDS.find(([words]) => words.test(message))?.[1] ?? BY_REASON[reason] ?? OTHERWISE);
