import * as pulumi from '@pulumi/pulumi';

/** What differs between stacks: see `Pulumi.dev.yaml` and `Pulumi.prod.yaml`. */
export interface Settings {
  readonly namespace: string;
  /** What the namespace may take at most. */
  readonly quota: { readonly gpus: number; readonly storage: string };
  readonly model: {
    readonly uri: string;
    /** Of its volume. */
    readonly size: string;
    /** Of each replica. */
    readonly gpus: number;
    /** Of each replica. */
    readonly memory: string;
    readonly replicas: number;
    /**
     * Where it is reached from outside of the cluster.
     *
     * @default - nowhere
     */
    readonly host?: string;
  };
  readonly agent: { readonly image: string; readonly replicas: number };
  readonly training: {
    readonly image: string;
    readonly workers: number;
    /**
     * Where it saves what it has learned.
     *
     * @default - nowhere: it starts from the beginning when it fails
     */
    readonly checkpoints?: string;
  };
  /**
   * With what gated models are fetched.
   *
   * @default - only public ones are
   */
  readonly huggingFaceToken: pulumi.Output<string> | undefined;
}

/**
 * The configuration of the stack.
 *
 * @throws where something that has no default is not set, with the command that sets it
 */
export function settings(): Settings {
  const config = new pulumi.Config();
  return {
    namespace: config.require('namespace'),
    quota: config.requireObject('quota'),
    model: config.requireObject('model'),
    agent: config.requireObject('agent'),
    training: config.requireObject('training'),
    huggingFaceToken: config.getSecret('huggingFaceToken'),
  };
}
