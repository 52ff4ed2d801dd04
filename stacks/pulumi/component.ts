import * as pulumi from '@pulumi/pulumi';
import { App, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Workload } from '../../constructs/index.ts';
import { setFetcherImage } from '../../constructs/model-serving/fetcher-image.ts';
import { mapValues, type Json } from '../../constructs/schema/json.ts';
import { OperatedResource, type ResourceArgs } from './by-operator.ts';
import { registerName, type Via } from './name-registry.ts';
import { inputErrors } from './errors.ts';
import { eventualTextsOf, marked, resolved, type Inputs, type Text } from './inputs.ts';
import { patienceFor, timeoutsFor, timeoutsWithOperator, type Patience } from './patience.ts';
import { merged, type Merged } from './rendering.ts';
import { annotated, replacingOf, typeOf } from './resources.ts';
import { completed, waitingOf, type Awaited } from './waiting.ts';

/** What a workload is made from in a Pulumi program. */
export interface WorkloadArgs<Spec> {
  /**
   * The name of the resource. Names of all objects come from it.
   *
   * @default - the logical name
   */
  readonly name?: Text;
  /** The namespace of all objects, which must exist: that of a Namespace of the program is `metadata.name` of it. */
  readonly namespace: Text;
  /** What to run: the construct's own spec, with Outputs where it has text. */
  readonly spec: Inputs<Spec>;
}

/** Options of a workload. */
export interface WorkloadOptions extends pulumi.ComponentResourceOptions {
  /**
   * Who makes the objects: Pulumi, each as a resource of its own, or the operator, from the custom resource, which is all
   * that Pulumi makes then.
   *
   * @default 'pulumi'
   */
  readonly via?: Via;
}

/** What a component has to know of its construct. */
export interface Recipe<Spec, Outputs extends string> {
  /** The kind: `ModelServing`. */
  readonly kind: string;
  /** Puts the construct into a scope. */
  readonly make: (scope: Construct, props: PlainArgs<Spec>) => Made<Outputs>;
  /**
   * What Pulumi waits for, in the words of the custom resource's conditions. With Accepted it waits for no pod.
   *
   * @default - Ready
   */
  readonly awaits?: (spec: Inputs<Spec>) => Awaited;
  /**
   * The Job whose end is the end of the workload: others may run forever.
   *
   * @default - every Job ends
   */
  readonly leading?: (spec: Inputs<Spec>) => string;
  /**
   * The fields of the custom resource's status that hold outputs.
   *
   * @default - none: the construct knows them
   */
  readonly statusFields?: Readonly<Partial<Record<Outputs, string>>>;
}

/** The arguments once all text is filled in. */
interface PlainArgs<Spec> {
  readonly name: string;
  readonly namespace: string;
  readonly spec: Spec;
  /** Given where the operator runs it. */
  readonly state?: Readonly<Record<string, never>>;
}

/** A construct, with what others may want to know of it. */
interface Made<Outputs extends string> {
  readonly workload: Workload & { readonly warnings: readonly string[] };
  readonly outputs: Readonly<Record<Outputs, string>>;
  /**
   * What a component that refers to this one makes something of.
   *
   * @default - nothing does
   */
  readonly referred?: Json;
}

/** A component with one typed resource for each object of its construct, or with the custom resource alone. */
export abstract class WorkloadComponent<Spec, Outputs extends string> extends pulumi.ComponentResource {
  /** Who makes the objects. */
  readonly via: Via;
  /** The names of all that Pulumi makes, by what it is to the workload: `deployment`, `weights`, or `resource`. */
  readonly names: Readonly<Record<string, pulumi.Output<string>>>;
  /** All that Pulumi makes, by what it is to the workload. */
  readonly objects: Readonly<Record<string, pulumi.CustomResource>>;
  /** What the construct, or the operator, tells of it. */
  protected readonly reported: Readonly<Record<Outputs, pulumi.Output<string>>>;
  /** What components that refer to this one make something of, with Outputs where it has text. */
  protected readonly referred: unknown;

  /** @throws pulumi.InputPropertiesError with all that is wrong with the arguments at once */
  constructor(
    logicalName: string,
    args: WorkloadArgs<Spec>,
    { via = 'pulumi', ...opts }: WorkloadOptions,
    recipe: Recipe<Spec, Outputs>,
  ) {
    const { kind, make, awaits = () => 'Ready' } = recipe;
    super(`trunnion:index:${kind}`, logicalName, {}, opts);
    const { name = logicalName, namespace, spec } = args;
    const other = registerName(via, kind, name, namespace);
    if (other.length > 0) throw inputErrors(`${kind} ${logicalName}`, other);
    const { children, outputs, referred, warnings } = merged<Spec>(
      `${kind} ${logicalName}`,
      { metadata: { name, namespace }, spec },
      ({ metadata, spec }) => {
        const state = via === 'operator' ? { state: {} } : {};
        const app = new App();
        const chart = new Chart(app, 'pulumi');
        // What the stack sets for all models: `pulumi config set trunnion:fetcherImage IMAGE`.
        setFetcherImage(chart, new pulumi.Config('trunnion').get('fetcherImage'));
        const { workload, outputs, referred = null } = make(chart, { ...metadata, spec, ...state });
        return { children: workload.render(), outputs, referred, warnings: workload.warnings };
      },
    );
    this.referred = referred;
    this.via = via;
    const unnamed = args.name === undefined ? renamed(kind, logicalName, opts.aliases) : [];
    for (const warning of [...warnings, ...unnamed]) void pulumi.log.warn(warning, this);
    const manifests = children.map(({ manifest }) => manifest);
    const awaited = awaits(spec);
    const patience = patienceFor(manifests, awaited);
    const outputsKnown = mapValues(outputs, (value) => pulumi.output(value)) as Record<Outputs, pulumi.Output<string>>;
    if (via === 'operator') {
      const resource = this.#operated(
        logicalName,
        { kind, name, namespace, spec, awaits: awaited },
        opts,
        timeoutsWithOperator(awaited, manifests, patience),
      );
      this.objects = { resource };
      this.names = { resource: pulumi.output(resolved(name) as pulumi.Input<string>) };
      this.reported = mapValues<pulumi.Output<string>, pulumi.Output<string>>(outputsKnown, (value, output) => {
        const field = recipe.statusFields?.[output as Outputs];
        return field === undefined ? value : resource.reported(field, value);
      }) as typeof outputsKnown;
    } else {
      this.objects = this.#register(logicalName, children, opts, {
        patience,
        waits: awaited !== 'Accepted',
        leading: recipe.leading?.(spec),
        // Only an Output can be secret.
        mayBeSecret: eventualTextsOf(marked(spec, 'spec')).length > 0,
      });
      this.names = Object.fromEntries(children.map(({ id, manifest }) => [id, pulumi.output(manifest.metadata.name)]));
      this.reported = outputsKnown;
    }
    this.registerOutputs({ ...this.reported, names: this.names, objects: this.objects });
  }

  #operated(
    logicalName: string,
    args: ResourceArgs,
    { dependsOn = [], retainOnDelete, customTimeouts }: pulumi.ComponentResourceOptions,
    timeouts: pulumi.CustomTimeouts,
  ): OperatedResource {
    const own: pulumi.CustomResourceOptions = {
      parent: this,
      customTimeouts: { ...timeouts, ...customTimeouts },
      ...(retainOnDelete !== undefined && { retainOnDelete }),
    };
    return new OperatedResource(`${logicalName}-resource`, args, pulumi.mergeOptions(own, { dependsOn }));
  }

  #register(
    logicalName: string,
    children: Merged['children'],
    { dependsOn = [], retainOnDelete, customTimeouts }: pulumi.ComponentResourceOptions,
    { patience, waits, leading, mayBeSecret }: Carefully,
  ): Readonly<Record<string, pulumi.CustomResource>> {
    const objects = new Map<string, pulumi.CustomResource>();
    /** What others wait for: of a Job, that it has not failed. */
    const ready = new Map<string, pulumi.Input<pulumi.Resource>>();
    for (const { id, after, retain, manifest } of children) {
      const { make: Resource, aliases = [] } = typeOf(manifest, retain);
      const endless = manifest.kind === 'Job' && leading !== undefined && id !== leading;
      const { annotations, ends } = waitingOf(manifest, {
        waits,
        endless,
        resumes: leading === undefined,
        retained: retain,
      });
      const own: pulumi.CustomResourceOptions = {
        parent: this,
        dependsOn: after.flatMap((other) => ready.get(other) ?? []),
        customTimeouts: { ...timeoutsFor(manifest, patience), ...customTimeouts },
        aliases: aliases.map((type) => ({ type })),
        ...replacingOf(manifest),
        // A server may quote there what it was given.
        ...(mayBeSecret && { additionalSecretOutputs: ['status'] }),
        ...(retainOnDelete !== undefined && { retainOnDelete }),
        ...(retain && { retainOnDelete: true }),
      };
      const written = annotated(manifest, annotations);
      const object = new Resource(`${logicalName}-${id}`, written, pulumi.mergeOptions(own, { dependsOn }));
      objects.set(id, object);
      ready.set(id, ends ? completed(object) : object);
    }
    return Object.fromEntries(objects);
  }
}

/** How the objects of a workload are made. */
interface Carefully {
  readonly patience: Patience;
  /** Whether Pulumi waits for its pods. */
  readonly waits: boolean;
  readonly leading: string | undefined;
  /** Whether anything in the spec may be secret. */
  readonly mayBeSecret: boolean;
}

/**
 * What to tell the user of a workload that has got another logical name, and no name of its own: its objects are named
 * after that, and no alias keeps an object whose name changes.
 *
 * @returns nothing where no alias tells of another logical name
 */
export function renamed(
  kind: string,
  logicalName: string,
  aliases: pulumi.ComponentResourceOptions['aliases'],
): readonly string[] {
  if (!Array.isArray(aliases)) return [];
  const earlier = (aliases as readonly unknown[])
    .map(nameIn)
    .find((name) => name !== undefined && name !== logicalName);
  if (earlier === undefined) return [];
  return [
    `name: left out, so the objects of ${kind} ${logicalName} are named after its new logical name, and all are created again, volumes included; to keep those of ${earlier}, give name: '${earlier}'`,
  ];
}

/** The logical name in an alias, where it is plain: that of an object, or the end of a URN. */
function nameIn(alias: unknown): string | undefined {
  if (typeof alias === 'string') return alias.split('::').at(-1);
  const name: unknown = (alias as { readonly name?: unknown } | undefined)?.name;
  return typeof name === 'string' ? name : undefined;
}
