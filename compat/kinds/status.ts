import type { BareCondition, BareStatus, CommonStatus, Resource } from '../../operator/engine/api/index.ts';
import { ACCEPTED, falseCondition, trueCondition } from '../../operator/kinds/shared/conditions.ts';
import type { Diagnosis } from '../../operator/kinds/shared/diagnosis-text.ts';
import type { Equivalent, Translation } from './translation.ts';
import { isObject, own } from '../../constructs/schema/json.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { StructuralSchema } from '../../constructs/schema/structural.ts';

/** The status of a resource that others specified, as far as all of these kinds have it in common. */
export interface CompatStatus extends CommonStatus {
  /** The rest of our status. */
  readonly workload?: object;
}

/** Our status, out of theirs. */
export function rememberedIn({ status }: Resource): CommonStatus | undefined {
  if (status === undefined) return undefined;
  const { workload, conditions, observedGeneration }: CompatStatus = status;
  return {
    ...workload,
    ...(conditions && { conditions }),
    ...(observedGeneration !== undefined && { observedGeneration }),
  };
}

/** What all of our statuses may have that their users' commands read. */
type OurStatus = CommonStatus & { readonly replicas?: number; readonly selector?: string };

/** Their status: their users' words, our conditions, and all else that we must remember. */
export function statusInWords(
  translation: Translation,
  resource: Resource,
  ours: BareStatus<OurStatus>,
  { missing, remembered }: Equivalent,
): BareStatus<CompatStatus> {
  const { status: workload, conditions } = ours;
  const { replicas, selector } = workload;
  const translated = conditions
    .map((condition) => ({ ...condition, message: inTheirWords(condition.message, translation) }))
    .map((condition) =>
      condition.type === 'Accepted' ? withUnknownFields(condition, translation, resource) : condition,
    );
  const status = {
    ...translation.wordsOf(ours, resource),
    ...remembered,
    ...(replicas !== undefined && { replicas }),
    ...(selector !== undefined && { selector }),
    workload,
  };
  return { status, conditions: [...translated, ...(translation.refersTo ? [resolvedReferences(missing)] : [])] };
}

/** The status of a resource that refers to nothing yet. */
export function waitingStatus(translation: Translation, resource: Resource, missing: Diagnosis) {
  const conditions: readonly BareCondition[] = [ACCEPTED, falseCondition('Ready', missing)];
  return statusInWords(translation, resource, { status: { phase: 'Pending', replicas: 0 }, conditions }, { missing });
}

/** A message as its user must read it to find the field that it is about. */
const inTheirWords = (message: string, { phrases = {} }: Translation): string =>
  Object.entries(phrases).reduce((text, [ours, theirs]) => text.replaceAll(ours, theirs), message);

const resolvedReferences = (missing: Diagnosis | undefined): BareCondition =>
  missing
    ? falseCondition('ResolvedRefs', missing)
    : trueCondition('ResolvedRefs', { reason: 'Resolved', message: 'All that the spec refers to is there.' });

/** A field that nobody knows is kept, and has no effect: its user must learn of that. */
function withUnknownFields(accepted: BareCondition, { theirs }: Translation, { spec }: Resource): BareCondition {
  const unknown = unknownFieldsOf(theirs, spec);
  if (unknown.length === 0 || accepted.status !== 'True') return accepted;
  return { ...accepted, message: `${accepted.message} It has fields of no effect: ${unknown.join(', ')}.` };
}

/** The paths of a spec that its kind does not know. */
export const unknownFieldsOf = (kind: KindSchema, spec: unknown): readonly string[] =>
  unknownIn(kind.schema().properties?.['spec'] ?? {}, spec as Json, 'spec');

function unknownIn(
  { properties, additionalProperties }: StructuralSchema,
  value: Json,
  path: string,
): readonly string[] {
  if (!isObject(value) || (properties === undefined && additionalProperties === undefined)) return [];
  return Object.entries(value).flatMap(([name, child]) => {
    const schema = own(properties, name) ?? additionalProperties;
    return schema === undefined ? [`${path}.${name}`] : unknownIn(schema, child, `${path}.${name}`);
  });
}
