import type * as pulumi from '@pulumi/pulumi';
import * as constructs from '../../constructs/index.ts';
import { rolesOf } from '../../constructs/distributed-training/roles.ts';
import { WorkloadComponent, type WorkloadArgs, type WorkloadOptions } from './component.ts';

/** What a DistributedTraining is made from. */
export interface DistributedTrainingArgs extends WorkloadArgs<constructs.DistributedTrainingSpecInput> {
  /**
   * Whether `pulumi up` ends only once the training has, and fails where that does. Then the next `up` runs again a
   * training that has not completed: one that failed, and also one that still runs because an earlier `up` did not wait
   * for it, or was cancelled.
   *
   * @default false
   */
  readonly awaitEnd?: boolean;
}

/** Trains on many pods: an Indexed Job a role, a name for each rank, and all that ranks need to find each other. */
export class DistributedTraining extends WorkloadComponent<constructs.DistributedTrainingSpecInput, 'master'> {
  /** The host of the first rank, or of the role that stands apart: `MASTER_ADDR`. */
  readonly master: pulumi.Output<string>;

  /** @throws pulumi.InputPropertiesError with all that is wrong with the arguments at once */
  constructor(name: string, args: DistributedTrainingArgs, opts: WorkloadOptions = {}) {
    super(name, args, opts, {
      kind: 'DistributedTraining',
      // One that is suspended does not end.
      awaits: ({ suspend }) => (args.awaitEnd === true && suspend !== true ? 'Complete' : 'Accepted'),
      // What decides the roles is plain.
      leading: (spec) => rolesOf(spec as constructs.DistributedTrainingSpec).leading,
      make: (scope, props) => {
        const workload = new constructs.DistributedTraining(scope, 'workload', props);
        return { workload, outputs: { master: workload.master } };
      },
    });
    this.master = this.reported.master;
  }
}
