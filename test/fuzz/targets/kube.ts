import { normalisedQuantity, parseQuantity } from '../../../constructs/parts/values/quantity.ts';
import { ApiError, isTooLargeVersion, LONGEST_MESSAGE } from '../../../operator/kube/client/errors.ts';
import { FrameError, frames } from '../../../operator/kube/cache/frames.ts';
import { parseJson } from '../../../operator/kube/client/json.ts';
import { readFrame } from '../../../operator/kube/cache/watch-frame.ts';
import { holds, type Target } from '../target.ts';

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  const size = 1 + (bytes[0] ?? 0);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const LARGEST_FRAME = 65_536;

/** What comes of a watch. */
const watch: Target = {
  name: 'watch',
  async run(bytes) {
    for await (const frame of frames(inPieces(bytes), LARGEST_FRAME)) {
      const { type, ...read } = readFrame(frame);
      holds(['put', 'remove', 'bookmark', 'error'].includes(type), 'a frame is one of four');
      if ('object' in read) holds(typeof read.object.metadata.uid === 'string', 'an object can be told from others');
    }
  },
  refusals: [FrameError],
};

/** What the API server, or a proxy before it, answers where it did not do what was asked. */
const refusal: Target = {
  name: 'refusal',
  run(bytes) {
    const text = bytes.toString();
    const error = ApiError.from(500, text, text.slice(0, 10));
    isTooLargeVersion(ApiError.from(504, text));
    holds(typeof error.message === 'string' && typeof error.reason === 'string', 'an error has words');
    holds(error.message.length <= LONGEST_MESSAGE + 1, 'the words of an error are few');
  },
  refusals: [],
};

const json: Target = {
  name: 'json',
  run(bytes) {
    const text = bytes.toString();
    const value = parseJson(text);
    const again = JSON.stringify(parseJson(JSON.stringify(value)));
    holds(again === JSON.stringify(value), 'what was read is written back as it was');
  },
  refusals: [SyntaxError],
};

const quantity: Target = {
  name: 'quantity',
  run(bytes) {
    const text = bytes.toString('latin1');
    const canonical = normalisedQuantity(text);
    holds(normalisedQuantity(canonical) === canonical, `what is canonical stays so: ${canonical}`);
    const parsed = parseQuantity(text);
    holds(parsed === undefined || typeof parsed.nanos === 'bigint', 'an amount is exact');
  },
  refusals: [],
};

export const kubeTargets: readonly Target[] = [watch, refusal, json, quantity];
