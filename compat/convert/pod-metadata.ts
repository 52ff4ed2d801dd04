import { isAllowed, defaultAnnotations } from '../../constructs/parts/annotations/index.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { Fields } from './fields.ts';
import { schemaOf } from './known.ts';
import { structureProblems } from '../../constructs/schema/structure.ts';

/** Labels and annotations that only Trunnion sets: those of others by these names are not put on pods. */
const OURS = /^(?:app\.kubernetes\.io|trunnion\.dev)\//;

type Texts = Readonly<Record<string, Json>>;

/** Where labels or annotations of pods stand, and whether they are those of the resource itself, which keeps them. */
interface From {
  readonly path: string;
  readonly isOfResource?: boolean;
  /**
   * The beginnings of the keys that are handed to pods.
   *
   * @default - all
   */
  readonly only?: readonly string[];
}

/**
 * The metadata of pods. What the operator puts on no pod by default is told: it would refuse the resource.
 *
 * @param isOwn - whether a key is read by the source's own programs alone
 */
export function podMetadata(
  fields: Fields,
  kind: KindSchema,
  from: { readonly labels: readonly From[]; readonly annotations: readonly From[] },
  isOwn: (key: string) => boolean = () => false,
): object {
  const labels = from.labels.flatMap((each) => Object.entries(labelsOf(fields, each, kind, isOwn)));
  const annotations = from.annotations.flatMap((each) => Object.entries(annotationsOf(fields, each, kind, isOwn)));
  return {
    ...(labels.length > 0 && { labels: Object.fromEntries(labels) }),
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
  };
}

function labelsOf(fields: Fields, from: From, kind: KindSchema, isOwn: (key: string) => boolean): Texts {
  return textsOf(fields, from, schemaOf(kind, 'spec.podTemplate.metadata.labels'), isOwn, (key) =>
    OURS.test(key) ? 'is set by Trunnion on pods' : undefined,
  );
}

function annotationsOf(fields: Fields, from: From, kind: KindSchema, isOwn: (key: string) => boolean): Texts {
  return textsOf(fields, from, schemaOf(kind, 'spec.podTemplate.metadata.annotations'), isOwn, (key, value) => {
    if (OURS.test(key)) return 'is set by Trunnion on pods';
    const spec = { podTemplate: { metadata: { annotations: { [key]: value } } } };
    return isAllowed(spec, defaultAnnotations())
      ? undefined
      : 'reaches no pod: the operator puts it on pods once an administrator adds it to allowedAnnotations.pod';
  });
}

function textsOf(
  fields: Fields,
  { path, isOfResource = false, only }: From,
  schema: Parameters<typeof structureProblems>[0],
  isOwn: (key: string) => boolean,
  refusal: (key: string, value: string) => string | undefined,
): Texts {
  const map = fields.at(path);
  const found = map.names.flatMap((key) => {
    const value = map.peek(key);
    if (typeof value !== 'string' || isOwn(key) || map.isHandled(key)) return [];
    if (only?.some((start) => key.startsWith(start)) === false) return [];
    if (structureProblems(schema, { [key]: value }, '').length > 0) return [];
    const why = key === LAST_APPLIED ? undefined : refusal(key, value);
    if (why !== undefined) map.note(key, why);
    if (!isOfResource) map.take(key);
    return why === undefined && key !== LAST_APPLIED ? [[key, value] as const] : [];
  });
  return Object.fromEntries(found);
}

/** What anyone who applied a resource left on it. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
