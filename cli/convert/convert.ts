import { QUALIFIED_NAME } from '../../constructs/parts/names.schema.ts';
import { reasonOf, SpecError } from '../../constructs/schema/error.ts';
import type { Json } from '../../constructs/schema/json.ts';
import { VERSION } from '../../constructs/schema/kind.ts';
import { parseSpec } from '../../constructs/schema/parse.ts';
import type { Manifest } from '../../constructs/workload.ts';
import type { Conversion, Reader } from './conversion.ts';
import { convertExisting, translationOf } from './existing.ts';
import { Fields } from './fields.ts';
import type { Hints, Note } from './fields.ts';
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

/** What is said of fields of any resource that have no equal. */
const HINTS: Hints = {
  'metadata.finalizers': 'hold up the end of the old resource alone',
  'metadata.generateName': 'give it a name',
  'metadata.ownerReferences': 'belong to the old resource',
};

/** What is written by others than the user of a resource. */
const WRITTEN_BY_OTHERS = [
  'status',
  ...[
    'creationTimestamp',
    'deletionGracePeriodSeconds',
    'deletionTimestamp',
    'generation',
    'managedFields',
    'resourceVersion',
    'selfLink',
    'uid',
  ].map((name) => `metadata.${name}`),
];

/** What whoever applied a resource left on it. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The equal of a resource of others; undefined where its kind is not known.
 *
 * @param file - the objects that it may refer to
 */
export function convert(source: Manifest, file: readonly Manifest[]): Equal | undefined {
  const fields = new Fields(source as unknown as Json);
  const conversion = conversionOf(source, fields, file);
  if (conversion === undefined) return undefined;
  const { kind, spec, annotations = {}, hints = {}, notes = [] } = conversion;
  const metadata = metadataOf(fields, annotations);
  for (const path of ['apiVersion', 'kind', ...WRITTEN_BY_OTHERS]) fields.take(path);
  return {
    source,
    manifest: { apiVersion: `${kind.group}/${VERSION}`, kind: kind.kind, metadata, spec },
    notes: [...fields.notes, ...notes, ...fields.leftover({ ...HINTS, ...hints })],
    problems: problemsOf(conversion, metadata),
  };
}

function conversionOf(source: Manifest, fields: Fields, file: readonly Manifest[]): Conversion | undefined {
  const translation = translationOf(source);
  if (translation) return convertExisting(translation, source, { fields, file });
  const reader = READERS.find(({ group, kind }) => source.apiVersion.startsWith(`${group}/`) && source.kind === kind);
  return reader && { ...reader.read(fields), hints: reader.hints };
}

function metadataOf(fields: Fields, more: Readonly<Record<string, string>>): Manifest['metadata'] {
  const namespace = fields.text('metadata.namespace');
  const labels = textsOf(fields.at('metadata.labels'), LABEL);
  const { [LAST_APPLIED]: _, ...annotations } = { ...textsOf(fields.at('metadata.annotations')), ...more };
  return {
    name: fields.text('metadata.name') ?? '',
    ...(namespace !== undefined && { namespace }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

// oxlint-disable-next-line trunnion/no-built-regexp -- a rule of the schema, which bounded.test.ts has checked.
const KEY = new RegExp(QUALIFIED_NAME);
/** What Kubernetes allows as the value of a label. */
const LABEL = /^([A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?)?$/;

/** The labels or annotations of a resource; what can be neither is left to be told. */
const textsOf = (fields: Fields, value = /(?:)/): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fields.names.flatMap((name) => {
      const text = fields.peek(name);
      if (typeof text !== 'string' || !KEY.test(name) || !value.test(text)) return [];
      fields.take(name);
      return [[name, text] as const];
    }),
  );

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
