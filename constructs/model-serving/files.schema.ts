import * as z from 'zod';
import { withRules } from '../schema/rules.ts';
import { fileNameRules, patternRules, selectionRules } from './files.rules.ts';
import { hostNotes } from './hosts.ts';

/** Enough for any model's files; each is matched with each name that a host lists. */
const MOST_PATTERNS = 16;

const patterns = z
  .array(withRules(z.string().min(1).max(128), ...patternRules).describe('A pattern.'))
  .min(1)
  .max(MOST_PATTERNS)
  .meta({ 'x-kubernetes-list-type': 'atomic' });

/** Which files of a model are fetched. */
export const files = withRules(
  z.strictObject({
    include: patterns
      .describe(
        'What is fetched, as patterns of paths: * stands for any characters, slashes included, and ? for one; original/ is all in that folder. Default: all files but second copies of the weights.',
      )
      .optional(),
    exclude: patterns.describe('What of that is left out. Default: nothing.').optional(),
  }),
  ...selectionRules,
)
  .describe(
    'Which files are fetched from hf://, s3://, gs:// and az://. By default a model with safetensors comes without large files of other formats, without the folders original and metal, and without consolidated*.safetensors beside others. Other patterns are another model: they get a volume of their own.',
  )
  .meta({ hosts: hostNotes.uri });

/** The file of a model that the engine is given. */
export const file = withRules(z.string().min(1).max(256), ...fileNameRules)
  .describe(
    'The GGUF file that the engine is given instead of the folder, by its path in the model: one of several quantizations, for instance model-Q4_K_M.gguf. Of a model that is split it is the first part. No other weights are fetched. Default: none; a repository with several is refused by the fetch, which says which there are, and so is one with no other weights, for vllm, sglang and tgi.',
  )
  .meta({ hosts: hostNotes.uri });
