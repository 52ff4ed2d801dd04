import * as pulumi from '@pulumi/pulumi';
import * as k8s from '@pulumi/kubernetes';
import { GROUP, VERSION } from '../../constructs/schema/kind.ts';
import { settled, type Text } from './inputs.ts';

/** What the custom resource says of itself once it is what Pulumi waits for. */
export type Awaited = 'Accepted' | 'Ready' | 'Complete';

/** A custom resource of ours, for the operator to run. */
export interface ResourceArgs {
  readonly kind: string;
  readonly name: Text;
  readonly namespace: Text;
  readonly spec: unknown;
  /** The condition that Pulumi waits for, of the spec as it is then. */
  readonly awaits: Awaited;
}

/** What an operator that runs has decided about, in seconds; nothing is fetched or started for that. */
const ACCEPTANCE = '600s';

/** How long Pulumi waits for the resource: for its pods, or until the operator has seen it. */
export const patienceWithOperator = (awaits: Awaited, forPods: pulumi.CustomTimeouts): pulumi.CustomTimeouts =>
  awaits === 'Accepted' ? { ...forPods, create: ACCEPTANCE, update: ACCEPTANCE } : forPods;

/** The resource, and nothing else: the operator makes the objects. */
export class OperatedResource extends k8s.apiextensions.CustomResource {
  /** What the operator reports; unknown until Pulumi has made the resource. */
  declare readonly status: pulumi.Output<Readonly<Record<string, unknown>> | undefined>;

  constructor(
    logicalName: string,
    { kind, name, namespace, spec, awaits }: ResourceArgs,
    opts: pulumi.CustomResourceOptions,
  ) {
    const annotations = {
      'pulumi.com/waitFor': `condition=${awaits}`,
      // In the foreground the pods would go before the resource, whose end lets requests in flight end first.
      'pulumi.com/deletionPropagationPolicy': 'background',
    };
    const metadata = { name: settled(name), namespace: settled(namespace), annotations };
    const args = { apiVersion: `${GROUP}/${VERSION}`, kind, metadata, spec: settled(spec) };
    // The SDK hands out only what it finds among the arguments.
    super(logicalName, { ...args, status: undefined } as k8s.apiextensions.CustomResourceArgs, opts);
  }

  /** A text of the status, or another as long as the operator has not told it. */
  tells(field: string, otherwise: pulumi.Input<string>): pulumi.Output<string> {
    return pulumi.all([this.status, otherwise]).apply(([status, known]) => {
      const told = status?.[field];
      return typeof told === 'string' ? told : known;
    });
  }
}
