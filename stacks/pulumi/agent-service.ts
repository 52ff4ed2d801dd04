import type * as pulumi from '@pulumi/pulumi';
import * as constructs from '../../constructs/index.ts';
import { WorkloadComponent, type WorkloadArgs } from './component.ts';

/** What an AgentService is made from. */
export type AgentServiceArgs = WorkloadArgs<constructs.AgentServiceSpecInput>;

/**
 * Runs an agent: any image that listens on port 8000. It is told its model, tools and MCP servers, may reach these and
 * what is declared, is scaled by its load and exposed.
 */
export class AgentService extends WorkloadComponent<constructs.AgentServiceSpecInput, 'endpoint'> {
  /** Where clients inside the cluster ask: `http://support-agent.agents.svc`. */
  readonly endpoint: pulumi.Output<string>;

  /** @throws pulumi.InputPropertiesError with all that is wrong with the arguments at once */
  constructor(name: string, args: AgentServiceArgs, opts: pulumi.ComponentResourceOptions = {}) {
    super(name, args, opts, {
      kind: 'AgentService',
      // Where all replicas may be stopped, a Service without endpoints is no fault.
      waits: ({ autoscaling }) => autoscaling?.minReplicas !== 0,
      make: (scope, props) => {
        const workload = new constructs.AgentService(scope, 'workload', props);
        return { workload, outputs: { endpoint: workload.url } };
      },
    });
    this.endpoint = this.told.endpoint;
  }
}
