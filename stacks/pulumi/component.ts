import * as pulumi from '@pulumi/pulumi';
import { App, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Workload } from '../../constructs/index.ts';
import { mapValues, type Json } from '../../constructs/schema/json.ts';
import type { Inputs, Text } from './inputs.ts';
import { woven, type Woven } from './rendering.ts';
import { classOf, patienceFor, waitsForPods, withoutWaiting } from './resources.ts';

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

/** What a component has to know of its construct. */
export interface Recipe<Spec, Outputs extends string> {
  /** The kind: `ModelServing`. */
  readonly kind: string;
  /** Puts the construct into a scope. */
  readonly make: (scope: Construct, props: PlainArgs<Spec>) => Made<Outputs>;
  /**
   * Whether Pulumi waits until pods are ready, or have ended.
   *
   * @default - it does
   */
  readonly waits?: (spec: Inputs<Spec>) => boolean;
}

/** The arguments once all text is in its place. */
interface PlainArgs<Spec> {
  readonly name: string;
  readonly namespace: string;
  readonly spec: Spec;
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

/** A component with one typed resource for each object of its construct. */
export abstract class WorkloadComponent<Spec, Outputs extends string> extends pulumi.ComponentResource {
  /** The names of all objects, by what they are to the workload: `deployment`, `weights`. */
  readonly names: Readonly<Record<string, pulumi.Output<string>>>;
  /** All objects, by what they are to the workload. */
  readonly objects: Readonly<Record<string, pulumi.CustomResource>>;
  /** What the construct tells of itself. */
  protected readonly told: Readonly<Record<Outputs, pulumi.Output<string>>>;
  /** What components that refer to this one make something of, with Outputs where it has text. */
  protected readonly referred: unknown;

  /** @throws pulumi.InputPropertiesError with all that is wrong with the arguments at once */
  constructor(
    logicalName: string,
    args: WorkloadArgs<Spec>,
    opts: pulumi.ComponentResourceOptions,
    { kind, make, waits = () => true }: Recipe<Spec, Outputs>,
  ) {
    super(`trunnion:index:${kind}`, logicalName, {}, opts);
    const { name = logicalName, namespace, spec } = args;
    const { children, outputs, referred, warnings } = woven<Spec>(
      `${kind} ${logicalName}`,
      { metadata: { name, namespace }, spec },
      ({ metadata, spec }) => {
        const { workload, outputs, referred = null } = make(new Chart(new App(), 'pulumi'), { ...metadata, spec });
        return { children: workload.render(), outputs, referred, warnings: workload.warnings };
      },
    );
    for (const warning of warnings) void pulumi.log.warn(warning, this);
    this.objects = this.#register(logicalName, children, opts, waits(spec));
    this.names = Object.fromEntries(children.map(({ id, manifest }) => [id, pulumi.output(manifest.metadata.name)]));
    this.told = mapValues(outputs, (value) => pulumi.output(value)) as Record<Outputs, pulumi.Output<string>>;
    this.referred = referred;
    this.registerOutputs({ ...this.told, names: this.names, objects: this.objects });
  }

  #register(
    logicalName: string,
    children: Woven['children'],
    { customTimeouts, dependsOn = [] }: pulumi.ComponentResourceOptions,
    waits: boolean,
  ): Readonly<Record<string, pulumi.CustomResource>> {
    const patience = customTimeouts ?? patienceFor(children.map(({ manifest }) => manifest));
    const objects = new Map<string, pulumi.CustomResource>();
    for (const { id, after, retain, manifest } of children) {
      const slow = waitsForPods(manifest);
      const own: pulumi.CustomResourceOptions = {
        parent: this,
        dependsOn: after.flatMap((other) => objects.get(other) ?? []),
        ...(slow && { customTimeouts: patience }),
        ...(retain && { retainOnDelete: true }),
      };
      const Resource = classOf(manifest);
      const written = slow && !waits ? withoutWaiting(manifest) : manifest;
      objects.set(id, new Resource(`${logicalName}-${id}`, written, pulumi.mergeOptions(own, { dependsOn })));
    }
    return Object.fromEntries(objects);
  }
}
