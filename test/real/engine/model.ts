import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What vLLM says of a folder without a model, before it ends with 1 (0.30.0, transformers_utils/config.py, get_config, where
 * it is an error of ModelConfig). Nothing where there is one. What is in the files is not looked at.
 */
export function complaintAbout(model: string): string | undefined {
  if (['config.json', 'params.json'].some((file) => existsSync(join(model, file)))) return undefined;
  return `pydantic_core._pydantic_core.ValidationError: 1 validation error for ModelConfig
  Value error, Invalid repository ID or local directory specified: '${model}'.
Please verify the following requirements:
1. Provide a valid Hugging Face repository ID.
2. Specify a local directory that contains a recognized configuration file.
   - For Hugging Face models: ensure the presence of a 'config.json'.
   - For Mistral models: ensure the presence of a 'params.json'.
`;
}
