import * as z from 'zod';
import { withRules } from '../schema/rules.ts';
import { DRAFT_METHODS } from './engines.ts';
import { hostNotes } from './hosts.ts';
import { uriRules } from './uri.rules.ts';

const uri = (description: string) =>
  withRules(z.string().min(1).max(1024), ...uriRules)
    .describe(
      `${description}, with the scheme of model.uri: hf://OWNER/MODEL[@REVISION], s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or az://ACCOUNT.blob.core.windows.net/CONTAINER/PREFIX.`,
    )
    .meta({ hosts: hostNotes.uri });

/** A tokenizer from elsewhere. */
export const tokenizer = z
  .strictObject({ uri: uri('Where it is') })
  .describe(
    'A tokenizer from another place, for instance that of the model which one in GGUF was made from. Its files, without weights, are fetched beside the model, to /models/tokenizer. For vllm, sglang and custom.',
  );

/** A draft model. */
export const draft = z
  .strictObject({
    uri: uri('Where it is'),
    method: z
      .enum(DRAFT_METHODS)
      .describe('What it is: a smaller model of the same vocabulary, or a head of EAGLE or EAGLE-3.'),
    tokens: z
      .int()
      .min(1)
      .max(64)
      .describe(
        'How many tokens it proposes at a time. Required by vllm; refused for others, which choose by themselves.',
      )
      .optional(),
  })
  .describe(
    'A draft model for speculative decoding. It is fetched beside the model, to /models/draft, so storage.size needs room for both. For vllm, sglang and custom.',
  );

/** A vocabulary that an engine would load from the network. */
export const vocabulary = z
  .enum(['harmony', 'none'])
  .describe(
    "A vocabulary that the engine would load at the first chat, from a network that it does not reach: harmony, that of OpenAI's gpt-oss. It is fetched beside the model, from openaipublic.blob.core.windows.net, and verified. Default: harmony where model.uri has gpt-oss in it and is fetched, else none.",
  )
  .meta({ hosts: hostNotes.uri });
