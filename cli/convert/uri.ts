import type { Fields } from './fields.ts';

/** A revision behind a colon, as KServe's storage initializer takes it (kserve v0.20.0, kserve_storage.py). */
const COLON_REVISION = /^((?:hf|huggingface):\/\/[^/:@]+\/[^/:@]+):([^:@]+)$/;

/** The URI at a path, as `model.uri` takes it; another value than a text is left to be told. */
export function uriOf(fields: Fields, path: string): string | undefined {
  const uri = fields.text(path);
  const [, model, revision] = COLON_REVISION.exec(uri ?? '') ?? [];
  if (uri === undefined || model === undefined || revision === undefined) return uri;
  fields.note(path, 'has its revision behind an @ here');
  return `${model}@${revision}`;
}
