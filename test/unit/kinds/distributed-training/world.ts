import { jobNameOf } from '../../../../constructs/distributed-training/names.ts';
import type { RoleName } from '../../../../constructs/distributed-training/roles.ts';
import type { DistributedTrainingSpec } from '../../../../constructs/distributed-training/spec.ts';
import type { DistributedTrainingStatus } from '../../../../constructs/distributed-training/status.ts';
import type { Answer } from '../../../../operator/engine/api/queries.ts';
import type { ObservedChild, ObservedPod } from '../../../../operator/engine/api/observed.ts';
import { distributedTraining } from '../../../../operator/kinds/distributed-training/index.ts';
import type { DistributedTrainingState } from '../../../../operator/kinds/distributed-training/index.ts';
import { SECOND, START, decide, disrupted, ended, job, pod, resourceOf } from './support.ts';
import type { Decided } from '../../../support/decided.ts';

/** How far the operator comes in a pass before it is killed. */
export type Stage = 'nothing' | 'status' | 'removals' | 'all';

/** A cluster with one training, whose controllers and nodes do what they are told. */
export class World {
  now = START;
  spec: DistributedTrainingSpec;
  status: DistributedTrainingStatus | undefined;
  expired = false;
  generation = 1;
  readonly jobs = new Map<string, ObservedChild>();
  readonly pods = new Map<string, ObservedPod>();
  #made = 0;

  constructor(spec: DistributedTrainingSpec) {
    this.spec = spec;
  }

  decide(): Decided<DistributedTrainingState, DistributedTrainingStatus> {
    const resource = resourceOf(this.spec, {
      generation: this.generation,
      ...(this.status && { status: this.status }),
    });
    const observed = { resource, children: [...this.jobs.values()], pods: [...this.pods.values()] };
    const answers = decide(observed, this.now).queries.flatMap((query) =>
      query.type === 'object' ? [[query.id, this.#find(query.name)] as const] : [],
    );
    return decide({ ...observed, answers: Object.fromEntries(answers) }, this.now);
  }

  /** A pass of the operator, as the engine makes it, that ends early where the operator is killed. */
  operate(until: Stage = 'all'): void {
    const result = this.decide();
    if (until === 'nothing' || this.expired) return;
    const desired = distributedTraining.render(resourceOf(this.spec), result.state);
    const wanted = new Map(desired.map((child) => [child.manifest.metadata.name, child]));
    const leaving = [...this.jobs.values()].filter(({ name }) => !wanted.has(name));
    if (result.statusFirst === true || leaving.length > 0) this.status = result.status;
    if (until === 'status') return;
    if (result.expire === true) {
      this.expired = true;
      return;
    }
    for (const { name, force } of result.removePods ?? []) this.#remove(name, force === true);
    for (const { name } of leaving) this.jobs.delete(name);
    if (until === 'removals') return;
    const { attempt = 1 } = result.state;
    for (const [name, { id, manifest }] of wanted) {
      if (manifest.kind !== 'Job') continue;
      const { suspend = false } = manifest['spec'] as { readonly suspend?: boolean };
      const live = this.jobs.get(name);
      const made = live ?? {
        ...job(this.spec, attempt, id as RoleName),
        uid: `job-${this.#made++}`,
        createdAt: this.now,
      };
      const owns = suspend ? ['spec.suspend'] : [];
      this.jobs.set(name, { ...made, owns, slice: { ...made.slice, spec: { suspend } } });
    }
    this.status = this.decide().status;
  }

  /** All controllers and nodes do their work. */
  settle(): void {
    this.collect();
    this.stop();
    this.control();
    this.start();
  }

  /** The garbage collector deletes the pods of Jobs that are gone. */
  collect(): void {
    const owners = new Set([...this.jobs.values()].map(({ uid }) => uid));
    for (const { name, labels, deleting } of this.pods.values()) {
      if (!deleting && !owners.has(labels['batch.kubernetes.io/controller-uid'] ?? '')) this.#remove(name, false);
    }
  }

  /** Nodes stop pods that are to go; those that are lost don't. */
  stop(): void {
    for (const { name, deleting, annotations } of this.pods.values()) {
      if (deleting && annotations['lost'] === undefined) this.pods.delete(name);
    }
  }

  /** The Job controller makes pods, and stops those of suspended Jobs. */
  control(): void {
    for (const each of this.jobs.values()) this.#control(each);
  }

  /** Nodes start pods. */
  start(): void {
    for (const { name, phase } of this.pods.values()) if (phase === 'Pending') this.#set(name, { phase: 'Running' });
  }

  /** Something happens to one of the pods that run. */
  befall(index: number, what: 'fail' | 'preempt' | 'lose' | 'delete' | 'succeed'): void {
    const running = [...this.pods.values()].filter(({ phase, deleting }) => phase === 'Running' && !deleting);
    const chosen = running[index % Math.max(1, running.length)];
    if (!chosen) return;
    const goneBy = this.now + 30 * SECOND;
    const change = {
      fail: ended(1, { finishedAt: new Date(this.now).toISOString() }),
      succeed: ended(0),
      delete: { deleting: true, goneBy },
      preempt: { ...disrupted('PreemptionByScheduler'), goneBy },
      lose: { ...disrupted('DeletionByTaintManager'), goneBy, annotations: { lost: '' } },
    }[what];
    this.#set(chosen.name, change);
  }

  /** The attempts of which there are pods that may run. */
  get attemptsAlive(): readonly string[] {
    const alive = [...this.pods.values()].filter(({ phase }) => phase === 'Pending' || phase === 'Running');
    return [...new Set(alive.map(({ labels }) => labels['trunnion.dev/attempt'] ?? ''))];
  }

  #find(name: string): Answer {
    const found = this.jobs.get(name);
    return { at: this.now, type: 'object', ...(found && { uid: found.uid }) };
  }

  #control(owner: ObservedChild): void {
    const { suspend } = owner.slice['spec'] as { readonly suspend: boolean };
    const mine = [...this.pods.values()].filter(
      ({ labels }) => labels['batch.kubernetes.io/controller-uid'] === owner.uid,
    );
    if (suspend) {
      for (const { name, phase } of mine) if (phase === 'Pending' || phase === 'Running') this.#remove(name, false);
      return;
    }
    const isDone = mine.filter(({ phase }) => phase === 'Succeeded').length >= this.spec.replicas;
    if (isDone) this.jobs.set(owner.name, { ...owner, ready: true, slice: { ...owner.slice, status: COMPLETE } });
    for (let rank = 0; rank < this.spec.replicas; rank++) {
      const exists = mine.some(({ labels }) => labels['batch.kubernetes.io/job-completion-index'] === String(rank));
      if (exists) continue;
      const name = `${owner.name}-${rank}-${this.#made++}`;
      this.pods.set(name, { ...pod(owner, rank), name, uid: name, phase: 'Pending', createdAt: this.now });
    }
  }

  #remove(name: string, force: boolean): void {
    if (force) this.pods.delete(name);
    else this.#set(name, { deleting: true, goneBy: this.now + 30 * SECOND });
  }

  #set(name: string, change: Partial<ObservedPod>): void {
    const live = this.pods.get(name);
    if (live) this.pods.set(name, { ...live, ...change });
  }
}

const COMPLETE = { conditions: [{ type: 'Complete', status: 'True' }] };

/** The name of the Job of an attempt. */
export const jobOf = (spec: DistributedTrainingSpec, attempt: number): string =>
  jobNameOf({ name: 'resnet', spec, attempt }, 'worker');
