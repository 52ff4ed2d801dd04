import { expect, test } from 'vitest';
import { convertReview, convertReviewInTurns } from '../../../operator/conversion/review.ts';
import { webApp } from './support/kinds.ts';

const app = (name: string, spec: object, version = 'v1beta1') => ({
  apiVersion: `acme.dev/${version}`,
  kind: 'WebApp',
  metadata: { name },
  spec,
});

const review = (objects: unknown, more: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  request: { uid: 'u-1', desiredAPIVersion: 'acme.dev/v1', objects, ...more },
});

const KINDS = [webApp];
const pause = () => Promise.resolve();

test('all objects are converted, in the order in which they came', () => {
  const names = Array.from({ length: 100 }, (_, at) => `app-${at}`);
  const { apiVersion, kind, response } = convertReview(
    review(names.map((name) => app(name, { repository: name }))),
    KINDS,
  );
  expect({ apiVersion, kind }).toEqual({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' });
  expect(response).toMatchObject({ uid: 'u-1', result: { status: 'Success' } });
  expect(response.convertedObjects).toEqual(names.map((name) => app(name, { image: name }, 'v1')));
});

test('no objects are converted to none', () => {
  expect(convertReview(review([]), KINDS).response).toEqual({
    uid: 'u-1',
    result: { status: 'Success' },
    convertedObjects: [],
  });
});

test('one object that can not be converted fails them all, and is named', () => {
  const { response } = convertReview(review([app('good', {}), app('bad', [])]), KINDS);
  expect(response).toEqual({
    uid: 'u-1',
    result: {
      status: 'Failure',
      message: "WebApp bad can't be converted from acme.dev/v1beta1 to acme.dev/v1: spec must be an object",
    },
  });
});

test.for([
  [undefined, '', 'the request must be a ConversionReview of apiextensions.k8s.io/v1'],
  [null, '', 'the request must be a ConversionReview'],
  ['text', '', 'the request must be a ConversionReview'],
  [{ ...review([]), apiVersion: 'apiextensions.k8s.io/v1beta1' }, 'u-1', 'the request must be a ConversionReview'],
  [{ ...review([]), kind: 'AdmissionReview' }, 'u-1', 'the request must be a ConversionReview'],
  [{ ...review([]), request: [] }, '', 'request must be an object'],
  [review([], { uid: 7 }), '', 'request.uid must be a text'],
  [review([], { desiredAPIVersion: undefined }), 'u-1', 'request.desiredAPIVersion must be a text'],
  [review({}), 'u-1', 'request.objects must be a list'],
] as const)('%j fails', async ([request, uid, message]) => {
  const { response } = convertReview(request, KINDS);
  expect(response).toEqual({ uid, result: { status: 'Failure', message: expect.stringContaining(message) as string } });
  expect(await convertReviewInTurns(request, KINDS, { pause })).toEqual(convertReview(request, KINDS));
});

test('with pauses between objects the answer is the same', async () => {
  for (const objects of [
    [app('a', { repository: 'a' }), app('b', {})],
    [app('a', {}), null],
  ]) {
    let pauses = 0;
    const turns = convertReviewInTurns(review(objects), KINDS, { pause: () => Promise.resolve(void (pauses += 1)) });
    expect(await turns).toEqual(convertReview(review(objects), KINDS));
    expect(pauses).toBe(objects.filter((object) => object !== null).length);
  }
});
