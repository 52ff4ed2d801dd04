import { expect, test } from 'vitest';
import { rejectionOf } from '../../../operator/engine/api/failures.ts';
import { ApiError } from '../../../operator/kube/index.ts';

const invalid = (name: string, causes: readonly { readonly field: string; readonly message: string }[]) =>
  new ApiError(422, {
    kind: 'Status',
    reason: 'Invalid',
    message: `${name} is invalid: ${causes.map(({ field, message }) => `${field}: ${message}`).join(', ')}`,
    details: { causes },
  });

/** As the API server shows a template: with all of its fields. */
const dump = `core.PodTemplateSpec{ObjectMeta:v1.ObjectMeta{Name:"", ${'Labels:map[string]string{"app":"x"}, '.repeat(250)}}`;

test('of a template that cannot change, the field and the words are kept, and none of its 9,000 characters', () => {
  const error = invalid('Job.batch "fetch"', [
    { field: 'spec.template', message: `Invalid value: ${dump}: field is immutable` },
  ]);
  expect(error.message).toBe('Job.batch "fetch" is invalid: spec.template: Invalid value: …: field is immutable');
  expect(error.details.causes).toEqual([{ field: 'spec.template', message: 'Invalid value: …: field is immutable' }]);
});

test('however much is quoted, it is told that the field is immutable', () => {
  const error = invalid('Job.batch "fetch"', [
    { field: 'spec.completions', message: 'Invalid value: 4: field is immutable' },
    { field: 'spec.template', message: `Invalid value: ${dump}: field is immutable` },
  ]);
  expect(error.message).toMatch(/spec\.completions: Invalid value: 4: field is immutable, spec\.template: /);
  expect(rejectionOf(error)).toMatchObject({ type: 'immutable' });
});

test('the comparison of two volumes is left out, and what was said before it is not', () => {
  const words =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  const error = invalid('PersistentVolumeClaim "weights"', [
    { field: 'spec', message: `Forbidden: ${words}\n  core.PersistentVolumeClaimSpec{\n  \t... // 2 identical fields` },
  ]);
  expect(error.message).toBe(`PersistentVolumeClaim "weights" is invalid: spec: Forbidden: ${words}`);
  expect(rejectionOf(error)).toMatchObject({ type: 'immutable' });
});

test('what is short stays as the API server says it, and so does what has no causes', () => {
  const message = 'ModelServing.trunnion.dev "x" is invalid: spec.replicas: Invalid value: -1: should be at least 0';
  const causes = [{ field: 'spec.replicas', message: 'Invalid value: -1: should be at least 0' }];
  expect(new ApiError(422, { message, details: { causes } })).toMatchObject({ message, details: { causes } });
  const webhook = `admission webhook "policy" denied the request: ${'no. '.repeat(300)}`;
  expect(new ApiError(400, { message: webhook }).message).toBe(webhook);
});

test.each<[unknown]>([[undefined], [null], ['words'], [[null, 1, 'x', { message: 3 }, {}]]])(
  'causes that are no causes (%j) break nothing',
  (causes) => {
    const details = { causes } as ConstructorParameters<typeof ApiError>[1]['details'];
    expect(new ApiError(422, { message: 'no', ...(details && { details }) }).message).toBe('no');
  },
);
