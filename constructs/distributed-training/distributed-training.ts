import type { Construct } from 'constructs';
import { hostEgress } from '../parts/network/index.ts';
import type { Labels, Naming } from '../parts/objects/index.ts';
import { serviceAccount } from '../parts/pod/index.ts';
import { SpecError } from '../schema/error.ts';
import { claimName } from '../makers.ts';
import { parseSpec } from '../schema/parse.ts';
import { Workload } from '../workload.ts';
import type { WorkloadProps } from '../workload.ts';
import { isQueued, podGroup } from './gang.ts';
import { job } from './jobs.ts';
import { distributedTraining } from './kind.ts';
import {
  aliasService,
  attemptBudget,
  hostFilesConfigMap,
  ownMetadata,
  podSelector,
  ranksNetworkPolicy,
  service,
} from './manifests.ts';
import type { Placed } from './manifests.ts';
import { hasAliases, masterOf } from './names.ts';
import { worldSizeOf } from './processes.ts';
import { rolesOf } from './roles.ts';
import type { Role } from './roles.ts';
import type { DistributedTrainingState, TrialState } from './state.ts';
import type { DistributedTrainingSpec, DistributedTrainingSpecInput } from './spec.ts';
import { trial } from './trial.ts';
import type { Tuning } from './trial.ts';
import { warningsOf } from './warnings.ts';

/** What a DistributedTraining is made from. */
export type DistributedTrainingProps = WorkloadProps<DistributedTrainingSpecInput, DistributedTrainingState>;

/**
 * Trains on many pods: an Indexed Job a role, a name for each rank, and all that ranks need to find each other.
 *
 * @throws SpecError with all that is wrong with the spec at once
 */
export class DistributedTraining extends Workload {
  /** The name of the resource. */
  readonly name: string;
  /** The namespace of all children. */
  readonly namespace: string;
  /** The spec with its defaults. */
  readonly spec: DistributedTrainingSpec;
  /** What its user should know before it runs; cdk8s finds them as metadata of the type `warning` on the node. */
  readonly warnings: readonly string[];
  readonly #training: Placed;

  constructor(scope: Construct, id: string, props: DistributedTrainingProps) {
    super(scope, id);
    const { name, namespace, state, naming } = props;
    const host = state === undefined ? 'static' : 'operator';
    this.name = name;
    this.namespace = namespace;
    this.spec = parseSpec(distributedTraining, { name, namespace, spec: props.spec, host });
    claimName(this, distributedTraining.kind, { name, namespace });
    if (host === 'static') refuseRoles(naming, { name, namespace });
    this.warnings = warningsOf(this.spec, host);
    for (const warning of this.warnings) this.node.addMetadata('warning', warning);
    this.#training = { name, namespace, spec: this.spec, attempt: state?.attempt ?? 1, naming };
    const { tuning } = this.spec;
    if (tuning) this.#addTrials(tuning, state?.trials ?? []);
    else this.#addChildren(state ?? {});
  }

  /** The host of the first rank, or of the role that stands apart: `MASTER_ADDR`. */
  get master(): string {
    return masterOf(this.#training);
  }

  /** How many processes there are in all: `WORLD_SIZE`. */
  get worldSize(): number {
    return worldSizeOf(this.spec);
  }

  /** The labels that select all pods. */
  get selector(): Labels {
    return podSelector(this.name);
  }

  #addChildren({ lifecycle = 'running', endedRoles = [] }: DistributedTrainingState): void {
    const { spec } = this;
    const metadata = ownMetadata(this.#training);
    this.add('service-account', serviceAccount(metadata, spec.serviceAccount?.annotations));
    this.add('service', service(this.#training));
    this.#addAliases();
    this.add('network-policy', ranksNetworkPolicy(this.#training));
    const hosts = hostEgress(metadata, this.selector, spec.egress);
    if (hosts) this.add('host-egress', hosts);
    if (spec.framework === 'mpi') this.add('hosts', hostFilesConfigMap(this.#training));
    if (lifecycle === 'stopped') return;
    const runs = lifecycle === 'running' && !spec.suspend;
    const group = runs ? podGroup(metadata, spec) : undefined;
    if (group) this.add('pod-group', group);
    const { all, leading } = rolesOf(spec);
    const isOver = lifecycle === 'completed' || lifecycle === 'failed';
    for (const role of all) {
      const hasEnded = endedRoles.includes(role.name) || (lifecycle === 'completed' && role.name === leading);
      if (isOver && isQueued(spec) && !hasEnded) continue;
      this.#addJob(role, !runs && !(isOver && hasEnded));
    }
    if (runs && !spec.spot) this.add('disruption-budget', attemptBudget(this.#training));
  }

  #addTrials(tuning: Tuning, trials: readonly TrialState[]): void {
    for (const each of trials) {
      this.add(`trial-${each.number}`, trial({ ...this.#training, tuning }, each), {
        createOnly: each.lifecycle === 'over',
      });
    }
  }

  #addAliases(): void {
    if (!hasAliases(this.#training)) return;
    for (let rank = 0; rank < this.spec.replicas; rank += 1) {
      this.add(`alias-${rank}`, aliasService(this.#training, rank));
    }
  }

  #addJob(role: Role, suspended: boolean): void {
    this.add(role.name, job(this.#training, role, suspended), {
      // Kueue suspends a Job when it is made, and resumes it when its turn comes.
      unmanagedFields: isQueued(this.spec) && !suspended ? ['spec.suspend'] : [],
      // A new attempt has Jobs of new names. What Kueue puts into a template must not cost a running one.
      noReplace: true,
    });
  }
}

/** Pods of one template are told apart by somebody who looks at them, and there is nobody. */
function refuseRoles(
  naming: Naming | undefined,
  { name, namespace }: Pick<DistributedTrainingProps, 'name' | 'namespace'>,
) {
  if (naming?.masterAndWorkers !== true) return;
  throw new SpecError(`${distributedTraining.kind} ${namespace}/${name}`, [
    {
      path: 'naming.masterAndWorkers',
      message: 'is for the operator only, which tells each rank its role: leave it out, or run it as a custom resource',
    },
  ]);
}
