import { QUALIFIED_NAME } from '../../constructs/parts/objects/schema.ts';
import { reasonOf, SpecError } from '../../constructs/schema/error.ts';
import type { Json } from '../../constructs/schema/json.ts';
import { VERSION } from '../../constructs/schema/kind.ts';
import { parseSpec } from '../../constructs/schema/parse.ts';
import type { Manifest } from '../../constructs/workload.ts';
import type { Conversion, Reader } from './conversion.ts';
import { convertCompat, translationOf } from './compat-kinds.ts';
import { Fields, type Note } from './fields.ts';
import { withFreeVolumeNames } from './volume-names.ts';
import { LAST_APPLIED } from './pod-metadata.ts';
import { below, changed, NONE, taken, reported } from './fates.ts';
import type { Fates } from './fates.ts';
import { kagentAgent } from './kagent.ts';
import { inferenceService } from './kserve.ts';
import { llmInferenceService } from './llm-inference.ts';
import { kubeaiModel } from './kubeai.ts';
import { jaxJob, tfJob, xgboostJob } from './kubeflow-jobs.ts';
import { mpiJob } from './mpi-job.ts';
import { experiment } from './katib.ts';
import { sandboxAgent } from './sandbox-agent.ts';
import { pytorchJob } from './pytorch-job.ts';
import { notesOnCpus } from './on-cpus.ts';
import { earlyTrainJob, trainJob } from './train-job.ts';

/** What our kinds call their Services by: no dot, and a letter at the beginning. */
const OURS = /^[a-z][-a-z0-9]*$/;
/** What others allow besides. */
const THEIRS = /^[a-z0-9][-a-z0-9.]*$/;

/**
 * The name of the equivalent. A Service gets it, whose name has no dot and begins with a letter; a name that no resource could
 * have stays as it is, to be corrected.
 */
export function nameOf(fields: Fields): string {
  const name = fields.text('metadata.name') ?? '';
  if (OURS.test(name) || !THEIRS.test(name)) return name;
  const changed = name.replaceAll('.', '-').replace(/^(?=\d)/, 'x-');
  fields.note(
    'metadata.name',
    `is ${changed} here: a Service gets the name, which has no dot and begins with a letter`,
  );
  return changed;
}

/** A resource of others, and its equivalent. */
export interface Equivalent {
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
  earlyTrainJob,
  kagentAgent,
  sandboxAgent,
  tfJob,
  jaxJob,
  xgboostJob,
  mpiJob,
  experiment,
];

/** What happens to the metadata of any resource. */
const METADATA: Fates = below('metadata', {
  name: changed('metadata.name'),
  namespace: taken('metadata.namespace'),
  labels: taken('metadata.labels'),
  annotations: taken('metadata.annotations'),
  finalizers: reported('hold up the end of the old resource alone'),
  generateName: reported('give it a name'),
  ownerReferences: reported('belong to the old resource'),
});

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

/**
 * The equivalent of a resource of others; undefined where its kind is not known.
 *
 * @param file - the objects that it may refer to
 */
export function convert(source: Manifest, file: readonly Manifest[]): Equivalent | undefined {
  const translated = translate(source, file);
  if (translated === undefined) return undefined;
  const { conversion, ...equivalent } = translated;
  const { notes, problems } = judge(conversion, equivalent.manifest.metadata);
  return { source, ...equivalent, notes: [...equivalent.notes, ...notes], problems };
}

/** The same before it is looked at whether it is valid. */
export function translate(source: Manifest, file: readonly Manifest[]) {
  const fields = new Fields(source as unknown as Json);
  const conversion = conversionOf(source, fields, file);
  if (conversion === undefined) return undefined;
  const { kind, spec, annotations = {}, fates = METADATA, notes = [] } = conversion;
  const metadata = metadataOf(fields, annotations, fates);
  for (const path of ['apiVersion', 'kind', ...WRITTEN_BY_OTHERS]) fields.take(path);
  const manifest: Manifest = { apiVersion: `${kind.group}/${VERSION}`, kind: kind.kind, metadata, spec };
  return {
    conversion,
    manifest,
    notes: [...fields.notes, ...notes, ...fields.changed(fates), ...fields.leftover(fates)],
  };
}

function conversionOf(source: Manifest, fields: Fields, file: readonly Manifest[]): Conversion | undefined {
  const translation = translationOf(source);
  if (translation) return convertCompat(translation, source, { fields, file });
  const reader = READERS.find(({ group, kind }) => source.apiVersion.startsWith(`${group}/`) && source.kind === kind);
  return reader && read(reader, fields);
}

function read(reader: Reader, fields: Fields): Conversion {
  const { kind, spec } = reader.read(fields);
  const named = withFreeVolumeNames(spec as Json);
  return { kind, spec: named.spec as object, notes: named.notes, fates: fatesOf(reader, fields) };
}

/** What happens to the fields of a resource. */
export function fatesOf(reader: Reader, fields: Fields): Fates {
  const fates = together(reader.fates, reader.fatesOf?.(fields) ?? NONE);
  const own = ownKeyFates(reader, fields);
  return Object.keys(own).length === 0 ? fates : { ...fates, ...own };
}

/** Those of a reader and those that depend on a resource, put together once: there are thousands. */
function together(fates: Fates, more: Fates): Fates {
  const known = merged.get(fates) ?? new Map<Fates, Fates>();
  merged.set(fates, known);
  const found = known.get(more) ?? { ...METADATA, ...fates, ...more };
  known.set(more, found);
  return found;
}

const merged = new Map<Fates, Map<Fates, Fates>>();

/** Labels and annotations of the source's own programs do nothing here: each is told. */
function ownKeyFates({ ownKeys = {}, fates }: Reader, fields: Fields): Fates {
  const keys = ['metadata.labels', 'metadata.annotations'].flatMap((path) =>
    fields.at(path).names.flatMap((name) => {
      const [, why] = Object.entries(ownKeys).find(([start]) => name.startsWith(start)) ?? [];
      const isKnown = Object.hasOwn(fates, `${path}.${name}`);
      return why === undefined || isKnown ? [] : [[`${path}.${name}`, reported(why)] as const];
    }),
  );
  return Object.fromEntries(keys);
}

function metadataOf(fields: Fields, more: Readonly<Record<string, string>>, fates: Fates): Manifest['metadata'] {
  const namespace = fields.text('metadata.namespace');
  const isReported = (path: string) => (name: string) => Object.hasOwn(fates, `${path}.${name}`);
  const labels = textsOf(fields.at('metadata.labels'), isReported('metadata.labels'), LABEL);
  const carried = textsOf(fields.at('metadata.annotations'), isReported('metadata.annotations'));
  const { [LAST_APPLIED]: _, ...annotations } = { ...carried, ...more };
  return {
    name: nameOf(fields),
    ...(namespace !== undefined && { namespace }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

// oxlint-disable-next-line trunnion/no-built-regexp -- a rule of the schema, which bounded.test.ts has checked.
const KEY = new RegExp(QUALIFIED_NAME);
/** What Kubernetes allows as the value of a label. */
const LABEL = /^([A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?)?$/;

/**
 * The labels or annotations of a resource. What can be neither is left to be told, as is what has another fate; what a
 * reader has taken stands elsewhere.
 */
const textsOf = (
  fields: Fields,
  hasOtherFate: (name: string) => boolean,
  value = /(?:)/,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fields.names.flatMap((name) => {
      const text = fields.peek(name);
      if (fields.isHandled(name) || hasOtherFate(name)) return [];
      if (typeof text !== 'string' || !KEY.test(name) || !value.test(text)) return [];
      fields.take(name);
      return [[name, text] as const];
    }),
  );

/** What is wrong with the equivalent, or what its user should know of it. */
function judge(
  { kind, spec }: Conversion,
  { name, namespace = 'default' }: Manifest['metadata'],
): Pick<Equivalent, 'notes' | 'problems'> {
  try {
    return {
      notes: notesOnCpus(kind.kind, parseSpec(kind, { name, namespace, spec, host: 'operator' })),
      problems: [],
    };
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return {
      notes: [],
      problems: error.problems.map((problem) => ({ path: problem.path, message: reasonOf(problem) })),
    };
  }
}
