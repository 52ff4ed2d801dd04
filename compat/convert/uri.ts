import { isArchive } from '../../constructs/parts/weights/index.ts';
import type { Fields } from './fields.ts';

/** A revision behind a colon, as KServe's storage initializer takes it (kserve v0.20.0, kserve_storage.py). */
const COLON_REVISION = /^((?:hf|huggingface):\/\/[^/:@]+\/[^/:@]+):([^:@]+)$/;

/** Containers and shares of Azure, whose files KServe lists (kserve v0.20.0, kserve_storage.py). */
const AZURE = /^https:\/\/[^/]+\.(?:blob|file)\.(?:core\.windows|storage\.azure)\.net\//;

/** A folder or a file of a container, as KServe names it and as `model.uri` does; an archive is unpacked from https alone. */
const BLOBS = /^https(:\/\/[a-z0-9]+\.(?:blob\.core\.windows\.net|z[0-9]+\.blob\.storage\.azure\.net)\/[^?#]+)$/;

/** A URI of KServe's Azure, as `model.uri` takes it; any other as it is. */
export function azureUri(uri: string): string {
  const [, rest] = isArchive(uri) ? [] : (BLOBS.exec(uri) ?? []);
  return rest === undefined ? uri : `az${rest}`;
}

/** The URI at a path, as `model.uri` takes it; another value than a text is left to be told. */
export function uriOf(fields: Fields, path: string): string | undefined {
  const written = fields.text(path);
  const uri = written === undefined ? undefined : azureUri(written);
  if (uri !== undefined && AZURE.test(uri) && !isArchive(uri)) {
    fields.note(
      path,
      'names files of Azure that https does not list: put them into a container and use az://, or use a claim',
    );
  }
  const [, model, revision] = COLON_REVISION.exec(uri ?? '') ?? [];
  if (uri === undefined || model === undefined || revision === undefined) return uri;
  fields.note(path, 'has its revision behind an @ here');
  return `${model}@${revision}`;
}

/** A model of the hub without a revision. */
const WITHOUT_REVISION = /^(?:hf|huggingface):\/\/[^/:@?#]+\/[^/:@?#]+$/;

/** A URI with the revision that an argument of an engine says; where it takes none, that is told. */
export function withRevision(
  uri: string | undefined,
  revision: string | undefined,
  container: Fields,
): string | undefined {
  if (revision === undefined || uri?.endsWith(`@${revision}`)) return uri;
  const isHandled = uri !== undefined && WITHOUT_REVISION.test(uri);
  container.note(
    'args',
    isHandled
      ? `the revision ${revision} is that of model.uri`
      : `model.uri says what is served, and not revision ${revision}`,
  );
  return isHandled ? `${uri}@${revision}` : uri;
}
