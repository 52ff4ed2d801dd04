import { objectIn } from '../../constructs/schema/json.ts';
import { isWeights, withoutCopies } from '../../fetcher/copies.ts';

/** What the Hub says of a model. */
export interface HubModel {
  /** Its config.json. */
  readonly config: unknown;
  /** Where this is from, in words. */
  readonly from: string;
  /** @default - it doesn't say */
  readonly parameters?: number;
  /** Bytes of the weights that are fetched by default. */
  readonly weightBytes?: number;
  /** Bytes of all files that are fetched by default. */
  readonly fileBytes?: number;
  /** Whether a token is needed to fetch it. */
  readonly isGated: boolean;
}

/** Reads the Hub's answer about a model with its files (`?blobs=true`). */
export function hubModelOf(answer: unknown, config: unknown, from: string): HubModel {
  const model = objectIn(answer);
  const files = (Array.isArray(model['siblings']) ? model['siblings'] : []).map(objectIn).flatMap((file) => {
    const [path, bytes] = [file['rfilename'], file['size']];
    return typeof path === 'string' && isSize(bytes) ? [{ path, bytes }] : [];
  });
  const fetched = withoutCopies(files);
  const weightBytes = sum(fetched.filter(isWeights));
  const total = objectIn(model['safetensors'])['total'];
  // MXFP4 and other formats pack several weights into one value, which the Hub counts as one.
  const isPacked = objectIn(config)['quantization_config'] !== undefined;
  return {
    config,
    from,
    ...(isSize(total) && total > 0 && !isPacked && { parameters: total }),
    ...(weightBytes > 0 && { weightBytes, fileBytes: sum(fetched) }),
    isGated: model['private'] === true || (model['gated'] !== undefined && model['gated'] !== false),
  };
}

const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const sum = (files: readonly { readonly bytes?: number | undefined }[]): number =>
  files.reduce((total, { bytes = 0 }) => total + bytes, 0);
