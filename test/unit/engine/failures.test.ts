import { expect, it } from 'vitest';
import { rejectionOf } from '../../../operator/engine/api/failures.ts';
import { ApiError, type StatusDetails, TransportError } from '../../../operator/kube/index.ts';

const api = (status: number, message: string, details: StatusDetails = {}) =>
  new ApiError(status, { message, details });
const uid = { causes: [{ field: 'metadata.uid' }] };

it.each<[string, unknown, string]>([
  ['a conflict', api(409, 'the object has been modified'), 'stale'],
  ['a namesake of what we saw', api(422, 'uid: field is immutable', uid), 'stale'],
  ['a right that we lack', api(403, 'user may not'), 'refused Forbidden'],
  ['a quota', api(403, 'services "x" is forbidden: exceeded quota: q, requested: 1'), 'refused QuotaExceeded'],
  ['an invalid object', api(422, 'spec.replicas: Invalid value: -1'), 'refused Invalid'],
  ['an immutable field', api(422, 'spec.template: Invalid value: {}: field is immutable'), 'immutable Invalid'],
  ['a webhook that denies', api(400, 'admission webhook "w" denied the request'), 'refused Invalid'],
  ['an object that is too large', api(413, 'request is too large'), 'refused Invalid'],
  ['a kind that is not served', api(404, 'the server could not find the requested resource'), 'refused NotServed'],
  [
    'a kind whose CRD is being deleted',
    api(405, 'create not allowed while custom resource definition is terminating'),
    'refused NotServed',
  ],
  ['a namespace that is gone', api(404, 'namespaces "x" not found', { kind: 'namespaces' }), 'refused ApiError'],
  ['a server with too much to do', api(429, 'too many requests'), 'away ApiError'],
  ['a server that is ill', api(500, 'etcdserver: no leader'), 'away ApiError'],
  ['a token that is out of date', api(401, 'Unauthorized'), 'away ApiError'],
  ['a server that is not there', new TransportError('connect ECONNREFUSED', 'ECONNREFUSED', false), 'away ApiError'],
])('%s', (_, error, reading) => {
  const rejection = rejectionOf(error, 'child');
  expect(rejection.type === 'stale' ? 'stale' : `${rejection.type} ${rejection.failure.reason}`).toBe(reading);
  if (rejection.type !== 'stale')
    expect(rejection.failure).toMatchObject({ child: 'child', message: (error as Error).message });
});

it('what no server has answered is no problem of the resource', () => {
  expect(() => rejectionOf(new Error('not the leader'))).toThrow('not the leader');
});
