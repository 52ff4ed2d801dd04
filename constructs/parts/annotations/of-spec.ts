import { isObject, own, type Json } from '../../schema/json.ts';
import type { AnnotationClass } from './group.ts';

/** An annotation of a spec that reaches an object. */
export interface SpecAnnotation {
  readonly class: AnnotationClass;
  /** Where it stands: `spec.expose.ingress.annotations[example.com/team]`. */
  readonly path: string;
  readonly key: string;
  readonly value: string;
}

/** Every place of a spec, of any kind, from which annotations reach an object. */
const PLACES: readonly { readonly class: AnnotationClass; readonly steps: readonly string[] }[] = [
  { class: 'ingress', steps: ['expose', 'ingress', 'annotations'] },
  { class: 'serviceAccount', steps: ['serviceAccount', 'annotations'] },
  { class: 'pod', steps: ['podTemplate', 'metadata', 'annotations'] },
];

/** The annotations of a spec, which need not be well-formed: what is not text is a matter of the schema. */
export function annotationsOfSpec(spec: unknown): readonly SpecAnnotation[] {
  return PLACES.flatMap(({ class: of, steps }) => {
    const found = steps.reduce<Json | undefined>(
      (from, step) => (isObject(from) ? own(from, step) : undefined),
      spec as Json | undefined,
    );
    if (!isObject(found)) return [];
    return Object.entries(found).flatMap(([key, value]) =>
      typeof value === 'string' ? [{ class: of, path: `spec.${steps.join('.')}[${key}]`, key, value }] : [],
    );
  });
}
