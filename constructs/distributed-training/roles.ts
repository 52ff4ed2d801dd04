import type { DistributedTrainingSpec } from './spec.ts';

/** What a pod does in its training; its label `app.kubernetes.io/component`, and the value of `ROLE`. */
export type RoleName = 'worker' | 'launcher' | 'chief' | 'ps' | 'scheduler' | 'server';

/** The pods of one role: those of one Indexed Job. */
export interface Role {
  readonly name: RoleName;
  /** How many pods; at least 1. */
  readonly count: number;
  /** Whether its pods compute, and so get GPUs. */
  readonly computes: boolean;
}

/** The roles of a training. */
export interface Roles {
  /** All of them, each with at least one pod. */
  readonly all: readonly Role[];
  /** The role whose end is the end of the training. */
  readonly leading: RoleName;
  /** The role whose first pod the others look for. */
  readonly master: RoleName;
}

/**
 * The roles of a spec. `replicas` counts the workers; a chief, a launcher, a scheduler and servers are apart. PyTorch
 * and JAX have workers alone, of which the first is the master.
 */
export function rolesOf({ framework, replicas, tensorflow, mxnet }: DistributedTrainingSpec): Roles {
  const workers: Role = { name: 'worker', count: replicas, computes: true };
  switch (framework) {
    case 'mpi':
      return { all: [workers, helper('launcher', 1)], leading: 'launcher', master: 'launcher' };
    case 'tensorflow':
      if (tensorflow?.chief === false) {
        return {
          all: [workers, ...some('ps', tensorflow.parameterServers)],
          leading: 'worker',
          master: 'worker',
        };
      }
      return {
        all: [{ ...workers, name: 'chief', count: 1 }, workers, ...some('ps', tensorflow?.parameterServers ?? 0)],
        leading: 'chief',
        master: 'chief',
      };
    case 'mxnet':
      if (mxnet?.servers === 0) return { all: [workers], leading: 'worker', master: 'worker' };
      return {
        all: [helper('scheduler', 1), helper('server', mxnet?.servers ?? 1), workers],
        leading: 'worker',
        master: 'scheduler',
      };
    case 'pytorch':
    case 'jax':
    default:
      return { all: [workers], leading: 'worker', master: 'worker' };
  }
}

/** How many pods a training has in all. */
export const podCount = (spec: DistributedTrainingSpec): number =>
  rolesOf(spec).all.reduce((sum, { count }) => sum + count, 0);

/** How many pods must be there for it to run. */
export const leastPods = (spec: DistributedTrainingSpec): number => spec.elastic?.minReplicas ?? podCount(spec);

const helper = (name: RoleName, count: number): Role => ({ name, count, computes: false });

const some = (name: RoleName, count: number): readonly Role[] => (count > 0 ? [helper(name, count)] : []);
