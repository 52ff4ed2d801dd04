import { reasonOf, SpecError } from '../../constructs/schema/error.ts';
import type { Json } from '../../constructs/schema/json.ts';
import { VERSION } from '../../constructs/schema/kind.ts';
import { parseSpec } from '../../constructs/schema/parse.ts';
import type { Manifest } from '../../constructs/workload.ts';
import type { Conversion, Reader } from './conversion.ts';
import { convertExisting, translationOf } from './existing.ts';
import { Fields } from './fields.ts';
import type { Note } from './fields.ts';
import { kagentAgent } from './kagent.ts';
import { inferenceService, llmInferenceService } from './kserve.ts';
import { kubeaiModel } from './kubeai.ts';
import { pytorchJob, trainJob } from './kubeflow.ts';

/** A resource of others, and its equal. */
export interface Equal {
  readonly source: Manifest;
  readonly manifest: Manifest;
  readonly notes: readonly Note[];
  /** What is wrong with it still, with the paths of ours: nobody but its user can correct that. */
  readonly problems: readonly Note[];
}

/** The kinds of others that are read. */
export const READERS: readonly Reader[] = [
  inferenceService,
  llmInferenceService,
  kubeaiModel,
  pytorchJob,
  trainJob,
  kagentAgent,
];

/** Annotations that whoever applied a resource left on it. */
const LEFT_BEHIND = new Set(['kubectl.kubernetes.io/last-applied-configuration']);

/**
 * The equal of a resource of others; undefined where its kind is not known.
 *
 * @param file - the objects that it may refer to
 */
export function convert(source: Manifest, file: readonly Manifest[]): Equal | undefined {
  const conversion = conversionOf(source, file);
  if (conversion === undefined) return undefined;
  const { kind, spec, annotations, notes } = conversion;
  const metadata = metadataOf(source, annotations);
  const manifest = { apiVersion: `${kind.group}/${VERSION}`, kind: kind.kind, metadata, spec };
  return { source, manifest, notes, problems: problemsOf(conversion, metadata) };
}

function conversionOf(source: Manifest, file: readonly Manifest[]): Conversion | undefined {
  const translation = translationOf(source);
  if (translation) return convertExisting(translation, source, file);
  const reader = READERS.find(({ group, kind }) => source.apiVersion.startsWith(`${group}/`) && source.kind === kind);
  if (!reader) return undefined;
  const fields = new Fields({ spec: (source['spec'] ?? {}) as Json }, '');
  const converted = reader.read(fields);
  return { ...converted, notes: [...fields.notes, ...fields.leftover(reader.hints)] };
}

function metadataOf({ metadata }: Manifest, more: Conversion['annotations']): Manifest['metadata'] {
  const { name, namespace, labels, annotations: old = {} } = metadata;
  const kept = Object.fromEntries(Object.entries(old).filter(([key]) => !LEFT_BEHIND.has(key)));
  const annotations = { ...kept, ...more };
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(labels && { labels }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

function problemsOf(
  { kind, spec }: Conversion,
  { name, namespace = 'default' }: Manifest['metadata'],
): readonly Note[] {
  try {
    parseSpec(kind, { name, namespace, spec, host: 'operator' });
    return [];
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return error.problems.map((problem) => ({ path: problem.path, message: reasonOf(problem) }));
  }
}
