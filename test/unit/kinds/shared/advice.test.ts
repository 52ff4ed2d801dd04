import { expect, test } from 'vitest';
import { adviceOn } from '../../../../operator/kinds/shared/advice.ts';

const forbidden = (words: string) => ['Forbidden', words] as const;
const invalid = (words: string) => ['Invalid', words] as const;

/** The words of Kubernetes 1.36, and what an SRE is to do about each. */
test.each([
  [
    'a right that is missing',
    forbidden(
      'services is forbidden: User "system:serviceaccount:trunnion-system:trunnion-operator" cannot create resource "services" in API group "" in the namespace "models"',
    ),
    /^Give the operator the right/,
  ],
  [
    'a class without expansion',
    forbidden(
      'persistentvolumeclaims "w" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    ),
    /set storage\.size back .*allowVolumeExpansion: true/,
  ],
  [
    'a volume that is not bound',
    forbidden('persistentvolumeclaims "w" is forbidden: Only bound persistent volume claims can be expanded'),
    /once it is bound/,
  ],
  [
    'a volume that does not shrink',
    invalid(
      'PersistentVolumeClaim "w" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    ),
    /set storage\.size above that/,
  ],
  [
    'a namespace that goes',
    forbidden(
      'services "s" is forbidden: unable to create new content in namespace models because it is being terminated',
    ),
    /namespace is being deleted/,
  ],
  [
    'a webhook that denies',
    forbidden('admission webhook "validate.kyverno.svc-fail" denied the request: require-labels'),
    /policy/,
  ],
  ['one that denies with another code', invalid('admission webhook "v.example.com" denied the request: no'), /policy/],
  [
    'a policy of the API server',
    invalid(
      "deployments.apps \"d\" is forbidden: ValidatingAdmissionPolicy 'images' with binding 'all' denied request: only our registry",
    ),
    /policy/,
  ],
  [
    'a webhook that is away',
    ['ApiError', 'Internal error occurred: failed calling webhook "v.example.com": connection refused'] as const,
    /webhook does not answer.*tried again/,
  ],
  ['Pod Security', forbidden('pods "p" is forbidden: violates PodSecurity "restricted:latest"'), /security\.level/],
  [
    'a LimitRange',
    forbidden(
      'persistentvolumeclaims "w" is forbidden: maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 10Gi',
    ),
    /LimitRange/,
  ],
  ['a quota', ['QuotaExceeded', 'exceeded quota: gpus'] as const, /Raise the quota/],
  ['a field', invalid('Service "s" is invalid: spec.ports[0].port: Invalid value: 0'), /^Correct the spec\.$/],
  ['something else that refuses', forbidden('ingresses "i" is forbidden: nobody knows why'), /what refuses it/],
  ['a name that is taken, whatever its words', ['NameTaken', 'it is being terminated'] as const, /looked at again/],
])('%s', (_what, [reason, message], advice) => {
  expect(adviceOn({ reason, message })).toMatch(advice);
});
