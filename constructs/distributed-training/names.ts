import type { Naming } from '../parts/objects/index.ts';
import { rolesOf } from './roles.ts';
import type { RoleName } from './roles.ts';
import type { DistributedTrainingSpec } from './spec.ts';

/** The name of a trial. */
export const trialNameOf = (name: string, number: number): string => `${name}-${number}`;

/** A training with its attempt. */
export interface Named {
  readonly name: string;
  readonly spec: DistributedTrainingSpec;
  readonly attempt: number;
  readonly naming?: Naming | undefined;
}

/** The Job of a role: NAME-ATTEMPT where there is one role, else NAME-ROLE-ATTEMPT. */
export const jobNameOf = ({ name, spec, attempt }: Named, role: RoleName): string =>
  rolesOf(spec).all.length === 1 ? `${name}-${attempt}` : `${name}-${role}-${attempt}`;

/**
 * The PodDisruptionBudget of an attempt. Not NAME-ATTEMPT: a ModelServing beside it, which has a budget of its own name,
 * may be llama-3.
 */
export const budgetNameOf = ({ name, attempt }: Pick<Named, 'name' | 'attempt'>): string =>
  `${name}-attempt-${attempt}`;

/** The host of a pod: Kubernetes names it by Job and index, and the headless Service is its domain. */
export const hostOf = (training: Named, role: RoleName, index: number): string =>
  `${jobNameOf(training, role)}-${index}.${training.name}`;

/** Whether ranks have the names and roles that users of an earlier operator know; only where all ranks are alike. */
export const hasAliases = ({ naming, spec }: Pick<Named, 'naming' | 'spec'>): boolean =>
  naming?.masterAndWorkers === true && rolesOf(spec).all.length === 1;

/** The name of a rank as those users know it: its host. */
export const aliasOf = (name: string, rank: number): string =>
  rank === 0 ? `${name}-master` : `${name}-worker-${rank - 1}`;

/** The role of a rank as those users know it. */
export const roleAliasOf = (rank: number): string => (rank === 0 ? 'master' : 'worker');

/** The host that the others look for. */
export const masterOf = (training: Named): string =>
  hasAliases(training) ? aliasOf(training.name, 0) : hostOf(training, rolesOf(training.spec).master, 0);

/** The ConfigMap with MPI's host files. */
export const hostFilesName = (name: string): string => `${name}-hosts`;

/** The Secret with MPI's keys: the user's, or the one that the operator makes. */
export const sshSecretName = ({ name, spec }: Pick<Named, 'name' | 'spec'>): string =>
  spec.mpi?.sshSecretName ?? `${name}-ssh`;
