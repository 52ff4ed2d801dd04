import type * as pulumi from '@pulumi/pulumi';
import * as constructs from '../../constructs/index.ts';
import { WorkloadComponent, type WorkloadArgs, type WorkloadOptions } from './component.ts';
import type { Inputs } from './inputs.ts';

/** What a ModelServing is made from. */
export type ModelServingArgs = WorkloadArgs<constructs.ModelServingSpecInput>;

/** Serves one model: fetches its weights, runs an engine on them, scales it and exposes it. */
export class ModelServing extends WorkloadComponent<constructs.ModelServingSpecInput, 'endpoint' | 'servedName'> {
  /** The base URL that clients inside the cluster use: `http://llama.models.svc:8000/v1`. */
  readonly endpoint: pulumi.Output<string>;
  /** The name that clients ask for: `model` of an OpenAI request. */
  readonly servedName: pulumi.Output<string>;
  /** What an AgentService that has it as its `model` makes something of. */
  readonly source: Inputs<constructs.ModelSource>;

  /** @throws pulumi.InputPropertiesError with all that is wrong with the arguments at once */
  constructor(name: string, args: ModelServingArgs, opts: WorkloadOptions = {}) {
    super(name, args, opts, {
      kind: 'ModelServing',
      // What has no pod, or may have none, is never ready; nor has its Service an endpoint.
      awaits: ({ autoscaling, replicas, retired }) =>
        retired === true || replicas === 0 || autoscaling?.minReplicas === 0 ? 'Accepted' : 'Ready',
      statusFields: { endpoint: 'endpoint' },
      make: (scope, props) => {
        const workload = new constructs.ModelServing(scope, 'workload', props);
        const { name, namespace, endpoint, servedName, selector, port } = workload;
        const referred = { name, namespace, endpoint, servedName, selector: { ...selector }, port };
        return { workload, outputs: { endpoint, servedName }, referred };
      },
    });
    this.endpoint = this.reported.endpoint;
    this.servedName = this.reported.servedName;
    this.source = this.referred as Inputs<constructs.ModelSource>;
  }
}
