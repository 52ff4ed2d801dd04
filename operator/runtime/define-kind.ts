import { once } from '../../constructs/parts/values/index.ts';
import type * as z from 'zod';
import { crdOf } from '../../constructs/schema/crd.ts';
import type { ConversionWebhook } from '../../constructs/schema/crd-conversion.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { RenderedChild } from '../../constructs/workload.ts';
import type { ChildType, Kind, Resource } from '../engine/api/index.ts';
import { childTypeOf } from './child-types.ts';
import { decide, type Decider } from './decide.ts';
import type { Asks, Behaviour, DefinedKind, DefinitionBySchema, KindDefinition } from './definition.ts';
import { checkBehaviour, checkSchemaFields } from './definition-check.ts';
import { inferredTypes } from './infer.ts';
import { schemaOf } from './kind-schema.ts';
import { parsed } from './parse.ts';
import { renderChildren } from './render-children.ts';

/**
 * Makes a kind that an operator can run, of a schema, a construct and, where readiness of the children doesn't say all, a
 * decision. Nothing is done yet: schemas are built, and types of children found out, when they are first needed.
 *
 * ```ts
 * export const WebApp = defineKind({
 *   group: 'acme.dev',
 *   kind: 'WebApp',
 *   spec: z.strictObject({ image: z.string(), replicas: z.int().default(1) }),
 *   construct: (scope, { name, spec }) => new WebAppChart(scope, name, spec),
 * });
 * ```
 *
 * Where the construct reads a state, `reconcile`, which gives it, stands before `construct`: so its type is known there.
 *
 * @throws TypeError with all that is wrong with the definition at once
 */
export function defineKind<
  Spec extends z.ZodType,
  Status extends z.ZodType = z.ZodObject,
  State extends object = Readonly<Record<string, unknown>>,
  const Answers extends Asks = Asks,
>(definition: DefinitionBySchema<Spec, Status, State, Answers>): DefinedKind<Spec, Status, State>;
export function defineKind<
  Spec extends z.ZodType,
  Status extends z.ZodType = z.ZodObject,
  State extends object = Readonly<Record<string, unknown>>,
  const Answers extends Asks = Asks,
  const Others extends readonly unknown[] = readonly [],
>(definition: KindDefinition<Spec, Status, State, Answers, Others>): DefinedKind<Spec, Status, State>;
export function defineKind(definition: KindDefinition | DefinitionBySchema): DefinedKind {
  const schema = schemaIn(definition);
  const types = once(() => typesOf(definition, schema));
  const render = (resource: Omit<Resource, 'status'>, state: object | undefined): readonly RenderedChild[] =>
    renderChildren({ definition, schema, types: types().children, resource, state });
  const decider: Decider = {
    parse: (resource) => parsed(schema, resource),
    render,
    reconcile: definition.reconcile,
    scale: schema.scalable === true,
    askNames: Object.keys(definition.asks ?? {}),
  };
  const { group, version, kind, plural, scope } = schema;
  const { label = kind.toLowerCase(), finalizer, examples = [] } = definition;
  return {
    type: {
      group,
      version,
      kind,
      plural,
      ...(scope === 'Cluster' && { scope }),
      ...(definition.optional === true && { optional: true }),
    },
    label,
    get childTypes() {
      return types().children;
    },
    get finalizer() {
      return finalizerFor(finalizer, group, () => types().elsewhere);
    },
    ...asIs(definition),
    reconcile: (snapshot: Parameters<typeof decide>[1], now: number) => decide(decider, snapshot, now),
    render,
    construct: definition.construct,
    schema,
    examples,
    crd: (webhook?: ConversionWebhook) => crdOf(schema, webhook),
  } as unknown as DefinedKind;
}

function schemaIn(definition: KindDefinition | DefinitionBySchema): KindSchema {
  if ('schema' in definition) {
    checkBehaviour(definition, definition.schema.kind);
    return definition.schema;
  }
  checkSchemaFields(definition);
  return schemaOf(definition);
}

/** What the engine takes as it is. */
function asIs(definition: Behaviour): Partial<Kind> {
  const { references, refersTo, reads, permissions, computations, secrets, figures, updatedField, refuse, asks } =
    definition;
  return {
    ...(references && { references }),
    ...(refersTo && { refersTo: refersTo.map((type) => childTypeOf(type)) }),
    ...(reads && { reads: reads.map((type) => childTypeOf(type)) }),
    ...permissionsOf(permissions, secrets),
    ...(computations && { computations }),
    ...(secrets && { secrets }),
    ...(figures && { figures }),
    ...(updatedField !== undefined && { updatedField }),
    ...(refuse && { refuse }),
    ...(asks && { asks }),
  };
}

/** A kind that makes Secrets may make them. */
function permissionsOf(given: Kind['permissions'] = [], secrets: Kind['secrets']): Pick<Kind, 'permissions'> {
  const all = new Set([...given, ...(secrets === undefined ? [] : (['make-secrets'] as const))]);
  return all.size === 0 ? {} : { permissions: [...all] };
}

/** Needed as well where children lie where no owner can be named: no garbage collector finds these. */
function finalizerFor(
  finalizer: boolean | string | undefined,
  group: string,
  isElsewhere: () => boolean,
): string | undefined {
  if (typeof finalizer === 'string') return finalizer;
  if (finalizer === undefined) return isElsewhere() ? `${group}/children` : undefined;
  return finalizer ? `${group}/finalizer` : undefined;
}

/** Types of children, and whether some lie where no owner can be named. */
interface Types {
  readonly children: readonly ChildType[];
  readonly elsewhere: boolean;
}

function typesOf(definition: Behaviour, schema: KindSchema): Types {
  const { children } = definition;
  if (children === undefined) return inferredTypes(definition, schema);
  const types = children.map((type) => childTypeOf(type));
  const elsewhere = schema.scope === 'Namespaced' && types.some(({ scope }) => scope === 'Cluster');
  return { children: types, elsewhere };
}
