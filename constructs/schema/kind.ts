import type * as z from 'zod';
import type { Problem } from './error.ts';
import type { RestartTable } from './restarts.ts';
import { VALIDATIONS, type Rule } from './rules.ts';
import { toStructural, type StructuralSchema } from './structural.ts';

/** A column of `kubectl get`. */
interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly description: string;
  /** Above 0 it is shown by `-o wide` alone. */
  readonly priority?: number;
}

/** What is said of a kind, once. */
export interface KindDefinition<Spec extends z.ZodType, Status extends z.ZodType> {
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  /**
   * Its API group.
   *
   * @default GROUP
   */
  readonly group?: string;
  /** What it is, in a sentence or two. */
  readonly description: string;
  readonly spec: Spec;
  readonly status: Status;
  /** Rules about the resource as a whole: `self.metadata.name` is known here and nowhere else. */
  readonly rules: readonly Rule[];
  /** Rules about `spec` that only hold in static hosts, where no operator runs. */
  readonly staticRules: readonly Rule[];
  /**
   * What is wrong with a spec that no rule can say: a rule knows no namespace, and parses no URL. The spec may be ill-formed.
   *
   * @default - nothing
   */
  readonly namespaced?: (spec: unknown, namespace: string) => readonly Problem[];
  readonly columns: readonly Column[];
  /**
   * Whether a change of a field restarts pods, for every field; for the reference page.
   *
   * @default - nothing is told
   */
  readonly restarts?: RestartTable;
  /**
   * Whether it has `spec.replicas`, `status.replicas` and `status.selector`, so that `kubectl scale` works.
   *
   * @default false
   */
  readonly scalable?: boolean;
}

/** A kind with its schemas in the form that Kubernetes and `parseSpec` use. */
export interface KindSchema<
  Spec extends z.ZodType = z.ZodType,
  Status extends z.ZodType = z.ZodType,
> extends KindDefinition<Spec, Status> {
  /** Its API group. */
  readonly group: string;
  /** The whole resource. */
  readonly schema: () => StructuralSchema;
}

/** The group of all kinds of our own. */
export const GROUP = 'trunnion.dev';
/** The version of all kinds. */
export const VERSION = 'v1alpha1';

/** Makes a kind; its schemas are built when they are first needed, since importing a library must be cheap. */
export function defineSchema<Spec extends z.ZodType, Status extends z.ZodType>(
  definition: KindDefinition<Spec, Status>,
): KindSchema<Spec, Status> {
  let built: StructuralSchema | undefined;
  const { group = GROUP } = definition;
  return { ...definition, group, schema: () => (built ??= resourceSchema({ ...definition, group })) };
}

const resourceSchema = ({ group, kind, description, spec, status, rules }: KindDefinition<z.ZodType, z.ZodType>) => ({
  description,
  type: 'object' as const,
  required: ['spec'],
  properties: {
    apiVersion: { description: `Version of the schema: ${group}/${VERSION}.`, type: 'string' as const },
    kind: { description: `The kind: ${kind}.`, type: 'string' as const },
    // Named for the sake of rules about it: a rule can only point at a field that the schema has.
    metadata: { type: 'object' as const, properties: { name: { type: 'string' as const, maxLength: 253 } } },
    spec: { ...toStructural(spec), description: 'What to run.' },
    status: { ...toStructural(status), description: 'What the operator reports.' },
  },
  [VALIDATIONS]: rules,
});
