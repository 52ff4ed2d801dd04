import { stampConditions } from '../../engine/api/index.ts';
import type { BareCondition, CommonStatus, Resource } from '../../engine/api/index.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import type { Equal, Translation } from './translation.ts';
import { unknownFieldsOf } from './unknown-fields.ts';

/** The status of a resource that others specified, as far as all of these kinds have it in common. */
interface ExistingStatus extends CommonStatus {
  /** The rest of our status. */
  readonly workload?: object;
}

/** Our status, out of theirs. */
export function rememberedIn({ status }: Resource): CommonStatus | undefined {
  if (status === undefined) return undefined;
  const { workload, conditions, observedGeneration }: ExistingStatus = status;
  return {
    ...workload,
    ...(conditions && { conditions }),
    ...(observedGeneration !== undefined && { observedGeneration }),
  };
}

/** Their status: their users' words, our conditions, and all else that we must remember. */
export function statusInWords(
  translation: Translation,
  resource: Resource,
  ours: CommonStatus & { readonly replicas?: number; readonly selector?: string },
  { missing, remembered }: Equal,
  now: number,
): ExistingStatus {
  const { conditions = [], observedGeneration = 0, ...workload } = ours;
  const { replicas, selector } = workload;
  const verdicts = conditions
    .map((condition) => ({ ...condition, message: inTheirWords(condition.message, translation) }))
    .map((condition) =>
      condition.type === 'Accepted' ? withUnknownFields(condition, translation, resource) : condition,
    );
  const references = translation.refersTo ? [referencesVerdict(missing)] : [];
  return {
    ...translation.wordsOf(ours, resource),
    ...remembered,
    ...(replicas !== undefined && { replicas }),
    ...(selector !== undefined && { selector }),
    observedGeneration,
    conditions: stampConditions([...verdicts, ...references], resource.status?.conditions, observedGeneration, now),
    workload,
  };
}

/** The status of a resource that refers to nothing yet. */
export function waitingStatus(translation: Translation, resource: Resource, missing: Diagnosis, now: number) {
  const generation = resource.metadata.generation ?? 0;
  const verdicts: readonly BareCondition[] = [
    { type: 'Accepted', status: 'True', reason: 'Accepted', message: 'The spec is valid.' },
    { type: 'Ready', status: 'False', reason: missing.reason, message: missing.message },
  ];
  const conditions = stampConditions(verdicts, resource.status?.conditions, generation, now);
  const ours = { phase: 'Pending', observedGeneration: generation, conditions, replicas: 0 };
  return statusInWords(translation, resource, ours, { missing }, now);
}

/** A message as its user must read it to find the field that it is about. */
const inTheirWords = (message: string, { phrases = {} }: Translation): string =>
  Object.entries(phrases).reduce((text, [ours, theirs]) => text.replaceAll(ours, theirs), message);

const referencesVerdict = (missing: Diagnosis | undefined): BareCondition =>
  missing
    ? { type: 'ResolvedRefs', status: 'False', reason: missing.reason, message: missing.message }
    : { type: 'ResolvedRefs', status: 'True', reason: 'Resolved', message: 'All that the spec refers to is there.' };

/** A field that nobody knows is kept, and has no effect: its user must learn of that. */
function withUnknownFields(accepted: BareCondition, { theirs }: Translation, { spec }: Resource): BareCondition {
  const unknown = unknownFieldsOf(theirs, spec);
  if (unknown.length === 0 || accepted.status !== 'True') return accepted;
  return { ...accepted, message: `${accepted.message} It has fields of no effect: ${unknown.join(', ')}.` };
}
