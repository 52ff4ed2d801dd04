import { sizeOf, sizeOnCpus } from '../../constructs/parts/sizing/index.ts';
import { isFetched, parseModelUri } from '../../constructs/parts/weights/index.ts';
import { CliError, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { gpuNamed, WHICH_GPU } from './gpu.ts';
import { withAnswers } from './missing.ts';
import { learnModel } from './model.ts';
import { writeResource, type OutputOptions } from './output.ts';
import { cpuServing, gpuServing, type Written } from './serving-text.ts';
import { misfitInWords } from './words.ts';

/** The options of `trunnion init serving`. */
export interface ServingOptions extends OutputOptions {
  readonly model?: string;
  readonly gpu?: string;
  readonly gpus?: number;
  readonly maxLen?: number;
  readonly requests?: number;
  readonly replicas: number;
  readonly parameters?: string;
  readonly config?: string;
  readonly secret?: string;
}

/** Writes a ModelServing with sizes for a model and a GPU. */
export async function initServing(io: Io, name: string, options: ServingOptions): Promise<void> {
  const [model = '', gpuName = ''] = await withAnswers(io, [
    { option: '--model', value: options.model, what: 'model, for instance hf://Qwen/Qwen2.5-7B-Instruct' },
    { option: '--gpu', value: options.gpu, what: WHICH_GPU },
  ]);
  const [uri, gpu] = allOf(
    () => uriOf(model),
    () => gpuNamed(gpuName),
  );
  checkCounts(options);
  const known = await learnModel(io, { uri, ...options });
  const scheme = parseModelUri(uri);
  const written: Written = {
    name,
    uri,
    model: known,
    replicas: options.replicas,
    secret: options.secret ?? (known.isGated ? TOKEN_SECRET : undefined),
    hasVolume: isFetched(scheme),
  };
  const wishes = { gpus: options.gpus, context: options.maxLen, requests: options.requests };
  if (gpu === undefined) {
    const { longest = Number.POSITIVE_INFINITY } = known.shape;
    if ((wishes.context ?? 1) > longest) throw new UsageError(`--max-len: ${uri} takes up to ${longest} tokens`);
    await writeResource(io, cpuServing(written, sizeOnCpus(known.shape, wishes)), options);
  } else {
    const sizes = sizeOf(known.shape, gpu, wishes);
    if (!sizes.fits) throw new CliError(misfitInWords(uri, known.shape, gpu, sizes));
    await writeResource(io, gpuServing(written, gpu, sizes), options);
  }
  if (known.isGated && options.secret === undefined) {
    io.log(
      `${uri} asks for a token: kubectl create secret generic ${TOKEN_SECRET} --from-literal=HF_TOKEN=... in the same namespace`,
    );
  }
}

const TOKEN_SECRET = 'hf-token';

/** A model's URI as it was written; `OWNER/MODEL` is of the Hub. */
function uriOf(text: string): string {
  const uri = /^[^/:]+\/[^/:]+$/.test(text) ? `hf://${text}` : text;
  if (/gguf/i.test(uri)) {
    throw new UsageError(
      '--model: a repository of GGUF has several models, of which model.file names one, and its file is its size; init writes resources for safetensors alone',
    );
  }
  try {
    parseModelUri(uri);
    return uri;
  } catch (error) {
    throw new UsageError('--model', { cause: error });
  }
}

/** Both results, or all that is wrong with both at once. */
function allOf<A, B>(first: () => A, second: () => B): [A, B] {
  const problems: string[] = [];
  const result = [first, second].map((each) => {
    try {
      return each();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
      problems.push(error.message + cause);
      return undefined;
    }
  });
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return result as [A, B];
}

function checkCounts({ gpus, requests, replicas }: ServingOptions): void {
  const zero = Object.entries({ '--gpus': gpus, '--requests': requests }).find(([, value]) => value === 0);
  if (zero !== undefined) {
    throw new UsageError(
      `${zero[0]} must be at least 1${zero[0] === '--gpus' ? '; --gpu none is for CPUs alone' : ''}`,
    );
  }
  if (replicas > 1000) throw new UsageError('--replicas must be at most 1000');
}
