import * as pulumi from '@pulumi/pulumi';
import * as k8s from '@pulumi/kubernetes';
import { GROUP, VERSION } from '../../constructs/schema/kind.ts';
import { concealed } from './errors.ts';
import { eventualTextsOf, marked, resolved, type Text } from './inputs.ts';
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
  /** All secrets of the spec, for what the operator says to be searched for them. */
  readonly #secrets: pulumi.Output<readonly string[]>;

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
    const metadata = { name: resolved(name), namespace: resolved(namespace), annotations };
    const args = { apiVersion: `${GROUP}/${VERSION}`, kind, metadata, spec: resolved(spec) };
    super(
      logicalName,
      // The SDK hands out only what it finds among the arguments.
      { ...args, status: undefined } as k8s.apiextensions.CustomResourceArgs,
      // The operator keeps in it what it serves: the spec, and so every secret that is in there.
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ['status'] }),
    );
    this.#secrets = secretsIn(spec);
    // A preview hands out the status of the spec before, whose failure the change may be there to fix.
    if (pulumi.runtime.isDryRun()) return;
    const generation = pulumi.unsecret(this.metadata).apply(generationOf);
    pulumi
      .all([resolved(name), resolved(namespace), this.#seen, this.#secrets, generation])
      .apply(([named, place, status, secrets, current]) => {
        const resource = {
          kind,
          name: String(named),
          namespace: String(place),
          awaited: awaits,
          generation: current,
        };
        const failure = resourceFailure(resource, status);
        if (failure !== undefined) throw new pulumi.ResourceError(concealed(failure, secrets), this, true);
      });
  }

  /** The status, of which only what is not secret may be handed on. */
  get #seen(): typeof this.status {
    return pulumi.unsecret(this.status);
  }

  /**
   * A text of the status, or another as long as the operator has not value it. Secret is it where the other one is, or
   * where it has a secret of the spec in it.
   */
  reported(field: string, otherwise: pulumi.Input<string>): pulumi.Output<string> {
    return pulumi.all([this.#seen, otherwise, this.#secrets]).apply(([status, known, secrets]) => {
      const value: unknown = status?.[field];
      if (typeof value !== 'string') return pulumi.output(known);
      return secrets.some((secret) => value.includes(secret)) ? pulumi.secret(value) : pulumi.output(value);
    });
  }
}

/** The generation of a resource; undefined where the API server has not value it. */
const generationOf = (metadata: { readonly generation?: number } | undefined): number | undefined =>
  metadata?.generation;

/** The texts of a spec that are secret, and not empty. */
function secretsIn(spec: unknown): pulumi.Output<readonly string[]> {
  const texts = eventualTextsOf(marked(spec, 'spec')).map(async ({ output }) => ({
    output,
    isSecret: await pulumi.isSecret(output),
  }));
  return pulumi
    .unsecret(pulumi.output(texts))
    .apply((found) => found.flatMap(({ output, isSecret }) => (isSecret && output !== '' ? [String(output)] : [])));
}
