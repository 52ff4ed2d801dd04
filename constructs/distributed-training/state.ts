import type { RoleName } from './roles.ts';

/** What only time can tell: set by the operator, empty in static hosts. */
export interface DistributedTrainingState {
  /**
   * The number of the attempt. It is in the names of Jobs and hosts, in `TRUNNION_ATTEMPT` and in the folder that
   * checkpoints are written to, so that nothing of an earlier attempt is mistaken for this one's.
   *
   * @default 1
   */
  readonly attempt?: number;
  /**
   * `stopped`: no pod may run, since those of the attempt before are still going, or a pause is kept; there are no
   * Jobs. `completed`: it has succeeded; what its leading role does not need any more is stopped. `failed`: all of it
   * is stopped, after a failure, or since its Jobs would not end by themselves. In both the Jobs stay, so that logs can be read.
   *
   * @default 'running'
   */
  readonly lifecycle?: 'running' | 'stopped' | 'completed' | 'failed';
  /**
   * In a queue of Kueue, the roles whose Jobs end, or have ended, by themselves. Once the training is over, these stay as
   * they are, and there are no others: Kueue resumes a suspended Job as long as its Workload is admitted, and only with
   * the Job does the Workload go, and give back its quota.
   *
   * @default - none
   */
  readonly endedRoles?: readonly RoleName[];
  /**
   * The trials of a search.
   *
   * @default - none
   */
  readonly trials?: readonly TrialState[];
}

/** A trial of a search. */
export interface TrialState {
  /** From 1 on. */
  readonly number: number;
  /** The value of each parameter, as its program gets it. */
  readonly assignments: Readonly<Record<string, string>>;
  /** `over`: it stays as it is. `stopped`: none of its pods may run. */
  readonly lifecycle: 'running' | 'stopped' | 'over';
}
