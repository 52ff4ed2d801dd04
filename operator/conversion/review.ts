import { isObject, type PlainObject } from '../../constructs/schema/json.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import { type Call, callInTime, convertObject, messageOf } from './convert.ts';

const API_VERSION = 'apiextensions.k8s.io/v1';
const KIND = 'ConversionReview';

/** What the API server is answered: the objects in the order in which it named them, or why there are none. */
export interface ReviewAnswer {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: typeof KIND;
  readonly response: {
    readonly uid: string;
    readonly result: { readonly status: 'Success' | 'Failure'; readonly message?: string };
    readonly convertedObjects?: readonly PlainObject[];
  };
}

interface Request {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly unknown[];
}

/**
 * Answers a ConversionReview. Pure. Where one object can't be converted, none is: the API server takes all or nothing
 * (webhook_converter.go of apiextensions-apiserver v0.36). Of the metadata it would only take labels and annotations from
 * here, and these are kept as well.
 */
export function convertReview(review: unknown, kinds: readonly KindSchema[], call: Call = callInTime): ReviewAnswer {
  return answered(review, (request) => [...conversions(request, kinds, call)]);
}

/** The same, with a pause between objects for all else that the process has to do. */
export async function convertReviewInTurns(
  review: unknown,
  kinds: readonly KindSchema[],
  { call = callInTime, pause }: { readonly call?: Call; readonly pause: () => Promise<void> },
): Promise<ReviewAnswer> {
  const converted: PlainObject[] = [];
  try {
    const request = requestOf(review);
    for (const object of conversions(request, kinds, call)) {
      converted.push(object);
      await pause();
    }
  } catch (error) {
    return failure(review, error);
  }
  return answered(review, () => converted);
}

function* conversions({ objects, desiredAPIVersion }: Request, kinds: readonly KindSchema[], call: Call) {
  for (const object of objects) yield convertObject(object, desiredAPIVersion, kinds, call);
}

function answered(review: unknown, convert: (request: Request) => readonly PlainObject[]): ReviewAnswer {
  try {
    const request = requestOf(review);
    return answer({ uid: request.uid, result: { status: 'Success' }, convertedObjects: convert(request) });
  } catch (error) {
    return failure(review, error);
  }
}

/** @throws Error where it is no request that can be answered */
function requestOf(review: unknown): Request {
  if (!isObject(review) || review['apiVersion'] !== API_VERSION || review['kind'] !== KIND) {
    throw new MalformedReviewError(`the request must be a ${KIND} of ${API_VERSION}`);
  }
  const request: unknown = review['request'];
  if (!isObject(request)) throw new MalformedReviewError('request must be an object');
  const { uid, desiredAPIVersion, objects } = request;
  if (typeof uid !== 'string') throw new MalformedReviewError('request.uid must be a text');
  if (typeof desiredAPIVersion !== 'string') throw new MalformedReviewError('request.desiredAPIVersion must be a text');
  if (!Array.isArray(objects)) throw new MalformedReviewError('request.objects must be a list');
  return { uid, desiredAPIVersion, objects };
}

class MalformedReviewError extends Error {
  override readonly name = 'MalformedReviewError';
}

function failure(review: unknown, error: unknown): ReviewAnswer {
  const request: unknown = isObject(review) ? review['request'] : undefined;
  const uid: unknown = isObject(request) ? request['uid'] : undefined;
  const message = error instanceof MalformedReviewError ? error.message : messageOf(error);
  return answer({ uid: typeof uid === 'string' ? uid : '', result: { status: 'Failure', message } });
}

const answer = (response: ReviewAnswer['response']): ReviewAnswer => ({
  apiVersion: API_VERSION,
  kind: KIND,
  response,
});
