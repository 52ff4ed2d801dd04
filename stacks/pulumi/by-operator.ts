import * as pulumi from '@pulumi/pulumi';
import * as k8s from '@pulumi/kubernetes';
import { GROUP, VERSION } from '../../constructs/schema/kind.ts';
import { settled, type Text } from './inputs.ts';
import { resourceFailure, waitingFor, type Awaited } from './waiting.ts';

/** A custom resource of ours, for the operator to run. */
export interface ResourceArgs {
  readonly kind: string;
  readonly name: Text;
  readonly namespace: Text;
  readonly spec: unknown;
  /** The condition that Pulumi waits for, of the spec as it is then. */
  readonly awaits: Awaited;
}

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
      ...waitingFor(awaits),
      // In the foreground the pods would go before the resource, whose end lets requests in flight end first.
      'pulumi.com/deletionPropagationPolicy': 'background',
    };
    const metadata = { name: settled(name), namespace: settled(namespace), annotations };
    const args = { apiVersion: `${GROUP}/${VERSION}`, kind, metadata, spec: settled(spec) };
    super(
      logicalName,
      // The SDK hands out only what it finds among the arguments.
      { ...args, status: undefined } as k8s.apiextensions.CustomResourceArgs,
      // The operator keeps in it what it serves: the spec, and so every secret that is in there.
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ['status'] }),
    );
    pulumi.all([settled(name), settled(namespace), this.#seen]).apply(([named, place, status]) => {
      const failure = resourceFailure({ kind, name: String(named), namespace: String(place), awaited: awaits }, status);
      if (failure !== undefined) throw new pulumi.ResourceError(failure, this, true);
    });
  }

  /** The status, of which only what is no secret may be handed on. */
  get #seen(): typeof this.status {
    return pulumi.unsecret(this.status);
  }

  /** A text of the status, or another as long as the operator has not told it. Secret is it where the other one is. */
  tells(field: string, otherwise: pulumi.Input<string>): pulumi.Output<string> {
    return pulumi.all([this.#seen, otherwise]).apply(([status, known]) => {
      const told = status?.[field];
      return typeof told === 'string' ? told : known;
    });
  }
}
