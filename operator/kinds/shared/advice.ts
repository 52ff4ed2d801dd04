import type { Failure } from '../../engine/api/index.ts';

/** What to do, by the reason of a problem, where the words of the server tell no more. */
const BY_REASON: Readonly<Record<string, string>> = {
  NameTaken: 'It is looked at again every now and then.',
  Forbidden: 'Change the spec, or what refuses it.',
  Invalid: 'Correct the spec.',
  QuotaExceeded: 'Raise the quota of the namespace or ask for less.',
  NotServed: 'Install what serves it.',
};

const OTHERWISE = 'It is tried again.';

/** Makes advice of what was found in the words, and of the field that says what pods ask for. */
type Advice = (found: string, asked: string) => string;

/**
 * What to do by the words of the server, the first that fits. One code stands for many causes: 403 for a right, a policy, a
 * range of limits, a namespace that goes; 422 for a field or a policy. Of Kubernetes 1.36: the texts of
 * apiserver/pkg/endpoints/handlers/responsewriters/errors.go, apiserver/pkg/admission/plugin, plugin/pkg/admission and
 * pkg/apis/core/validation. All kinds share these words: a field that only one kind has is named with its kind. Tests quote
 * them: refused-pods.test.ts of the unit tests and of the cluster tests, and obstacles.test.ts.
 */
const BY_WORDS: readonly (readonly [words: RegExp, advice: string | Advice])[] = [
  [
    /no PriorityClass with name (\S{1,253}) was found/,
    (name) => `Create the PriorityClass ${name}, or correct priorityClassName.`,
  ],
  [/RuntimeClass "([^"]{1,253})" not found/, (name) => `Create the RuntimeClass ${name}, or correct runtimeClassName.`],
  [
    /(?:serviceaccount|service account) (?:[^\s"]{1,253}\/)?"?[^"\s/]{1,253}"? (?:was )?not found/i,
    'It is created again, and the pods are then created.',
  ],
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
    'Change the spec as that policy wants it, or have anyone who runs the policy make an exception.',
  ],
  [/violates PodSecurity/, 'Change security.level or podTemplate, or the level that the namespace enforces.'],
  [
    /(?:maximum|minimum) .* usage per |limit to request ratio/,
    (_, asked) => `A LimitRange of the namespace refuses it: change ${asked}, or that range.`,
  ],
  [
    / cannot \S+ resource |cannot set blockOwnerDeletion/,
    'Give the operator the right, or change the spec so that it is not needed.',
  ],
];

/** What is asked for, where no field says it for just these pods. */
export const ASKED = 'what is asked for';

/**
 * What to do about a child or pods that could not be written: a sentence or two.
 *
 * @param asked - the field that says what the pods ask for (resources), not the field at fault
 */
export function adviceOn({ reason, message }: Pick<Failure, 'reason' | 'message'>, asked: string = ASKED): string {
  const otherwise = BY_REASON[reason] ?? OTHERWISE;
  if (reason === 'NameTaken') return otherwise;
  for (const [words, advice] of BY_WORDS) {
    const found = words.exec(message);
    if (found) return typeof advice === 'string' ? advice : advice(found[1] ?? '', asked);
  }
  return otherwise;
}
