import { convertReview } from '../../../operator/conversion/review.ts';
import { parseJson } from '../../../operator/kube/client/json.ts';
import { webApp } from '../../unit/conversion/support/kinds.ts';
import { holds, type Target } from '../target.ts';

/** Longest message: names, versions, and the words of what failed. */
const LONGEST_MESSAGE = 2_500;

interface Request {
  readonly request: { readonly uid: string; readonly objects: readonly { readonly metadata?: unknown }[] };
}

/** What is sent to the webhook that converts resources, by the API server or by anybody else. */
const review: Target = {
  name: 'review',
  run(bytes) {
    const asked = parseJson(bytes.toString());
    const text = JSON.stringify(asked);
    const { response } = convertReview(asked, [webApp], (work) => work());
    const { status, message = '' } = response.result;
    holds(JSON.stringify(asked) === text, 'what was asked is as it was');
    holds(message.length <= LONGEST_MESSAGE, 'the words of a failure are few');
    holds((status === 'Failure') === (response.convertedObjects === undefined), 'it is all or nothing');
    if (response.convertedObjects === undefined) return;
    const { request } = asked as Request;
    holds(response.uid === request.uid, 'it is the answer to what was asked');
    holds(response.convertedObjects.length === request.objects.length, 'every object is there');
    for (const [at, { metadata }] of response.convertedObjects.entries()) {
      const before = request.objects[at]?.metadata ?? {};
      holds(JSON.stringify(metadata) === JSON.stringify(before), 'metadata stay as they are');
    }
  },
  refusals: [SyntaxError],
};

export const reviewTargets: readonly Target[] = [review];
