import { once } from '../parts/values/index.ts';
import type * as z from 'zod';
import type { Column } from './columns.ts';
import type { Problem } from './error.ts';
import type { RestartTable } from './restarts.ts';
import { VALIDATIONS, type Rule } from './rules.ts';
import { toStructural, type StructuralSchema } from './structural.ts';
import { checkVersions, type VersionDefinition, type VersionSchema } from './versions.ts';

/** Whether resources lie in namespaces. */
type Scope = 'Namespaced' | 'Cluster';

/** What is said of a kind, once. */
export interface KindDefinition<
  Spec extends z.ZodType,
  Status extends z.ZodType,
  Others extends readonly unknown[] = readonly unknown[],
> {
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  /**
   * Its API group.
   *
   * @default GROUP
   */
  readonly group?: string;
  /**
   * The version that is stored, and that constructs and the operator see.
   *
   * @default VERSION
   */
  readonly version?: string;
  /**
   * Versions beside it, older ones as a rule.
   *
   * @default - none
   */
  readonly versions?: { readonly [At in keyof Others]: VersionDefinition<Spec, Others[At]> };
  /**
   * Whether its resources lie in namespaces.
   *
   * @default 'Namespaced'
   */
  readonly scope?: Scope;
  /**
   * Groups of kinds that `kubectl get` knows by one name, as it does `all`.
   *
   * @default - none
   */
  readonly categories?: readonly string[];
  /**
   * Labels of the CRD.
   *
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;
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
export interface KindSchema<Spec extends z.ZodType = z.ZodType, Status extends z.ZodType = z.ZodType> extends Omit<
  KindDefinition<Spec, Status>,
  'versions'
> {
  /** Its API group. */
  readonly group: string;
  /** The version that is stored. */
  readonly version: string;
  /** Versions beside it. */
  readonly versions: readonly VersionSchema[];
  readonly scope: Scope;
  /** The whole resource, in the version that is stored. */
  readonly schema: () => StructuralSchema;
}

/** The group of all kinds of our own. */
export const GROUP = 'trunnion.dev';
/** The version of all kinds of our own. */
export const VERSION = 'v1alpha1';
/** How `kubectl` finds the kinds that come with Trunnion, and their CRDs. */
export const SHIPPED = { categories: ['trunnion'], labels: { 'app.kubernetes.io/part-of': 'trunnion' } } as const;

/**
 * Makes the schema of a kind. What the API server needs is built when it is first needed, since importing a library must
 * be cheap.
 *
 * @throws SpecError where its versions can't be
 */
export function defineSchema<
  Spec extends z.ZodType,
  Status extends z.ZodType,
  const Others extends readonly unknown[] = readonly [],
>(definition: KindDefinition<Spec, Status, Others>): KindSchema<Spec, Status> {
  const { group = GROUP, version = VERSION, scope = 'Namespaced' } = definition;
  const versions: readonly VersionDefinition[] = definition.versions ?? [];
  checkVersions(definition.kind, version, versions);
  const kind = { ...definition, group, scope };
  return {
    ...kind,
    version,
    versions: versions.map((each) => versionSchema(kind, each)),
    schema: once(() => resourceSchema(kind, version, definition)),
  };
}

type Grouped = KindDefinition<z.ZodType, z.ZodType> & { readonly group: string };

function versionSchema(kind: Grouped, version: VersionDefinition): VersionSchema {
  const { spec = kind.spec, served = true } = version;
  const isSame = version.spec === undefined;
  const { rules = isSame ? kind.rules : [] } = version;
  const { columns = kind.columns.filter(({ jsonPath }) => isSame || !/^\.spec\b/.test(jsonPath)) } = version;
  return { ...version, spec, served, columns, schema: once(() => resourceSchema(kind, version.name, { spec, rules })) };
}

const resourceSchema = (
  { group, kind, description, status }: Grouped,
  version: string,
  { spec, rules }: Pick<Grouped, 'spec' | 'rules'>,
): StructuralSchema => ({
  description,
  type: 'object' as const,
  required: ['spec'],
  properties: {
    apiVersion: { description: `Version of the schema: ${group}/${version}.`, type: 'string' as const },
    kind: { description: `The kind: ${kind}.`, type: 'string' as const },
    // Named for the sake of rules about it: a rule can only point at a field that the schema has.
    metadata: { type: 'object' as const, properties: { name: { type: 'string' as const, maxLength: 253 } } },
    spec: { ...toStructural(spec), description: 'What to run.' },
    status: { ...toStructural(status), description: 'What the operator reports.' },
  },
  [VALIDATIONS]: rules,
});
