import type {
  DistributedTrainingSpec,
  DistributedTrainingSpecInput,
} from '../../../../constructs/distributed-training/spec.ts';
import type { DistributedTrainingStatus } from '../../../../constructs/distributed-training/status.ts';
import type { Manifest } from '../../../../constructs/workload.ts';
import type { Query, Answer } from '../../../../operator/engine/api/queries.ts';
import type { Failure } from '../../../../operator/engine/api/kind.ts';
import type { ObservedChild } from '../../../../operator/engine/api/observed.ts';
import { distributedTraining } from '../../../../operator/kinds/distributed-training/index.ts';
import type { DistributedTrainingState } from '../../../../operator/kinds/distributed-training/index.ts';
import {
  suggestTrials,
  type SuggestionInput,
} from '../../../../operator/kinds/distributed-training/tuning/suggestions.ts';
import { childOf, decide, resourceOf, SECOND, specOf, START } from './support.ts';
import type { Decided } from '../../../support/decided.ts';

type TrialStatus = Readonly<Record<string, unknown>>;

export const searchSpec = (
  tuning: Partial<NonNullable<DistributedTrainingSpecInput['tuning']>> = {},
  over: Partial<DistributedTrainingSpecInput> = {},
): DistributedTrainingSpec =>
  specOf({
    replicas: 1,
    command: ['python', 'train.py', '--rate=${rate}', '${HOME}'],
    tuning: {
      maxTrials: 8,
      objective: { metric: 'accuracy', goal: 'maximize' },
      parameters: {
        rate: { type: 'float', min: 0.001, max: 1, scale: 'log' },
        optimizer: { type: 'categorical', values: ['adam', 'sgd'] },
      },
      ...tuning,
    },
    ...over,
  });

/** A cluster with one search, whose trials do what they are told. */
export class SearchWorld {
  now = START;
  #spec: DistributedTrainingSpec;
  /** As the API server counts changes of the spec. */
  #generation = 1;
  status: DistributedTrainingStatus | undefined;
  problems: readonly Failure[] = [];
  /** What is known by now. */
  answers: Readonly<Record<string, Answer>> = {};
  /** What comes of a computation; undefined as long as it is under way. */
  compute: (input: SuggestionInput) => Answer | undefined = (input) => ({
    at: this.now,
    type: 'computed',
    value: suggestTrials(input),
  });
  readonly trials = new Map<string, { readonly manifest: Manifest; status: TrialStatus }>();

  constructor(spec: DistributedTrainingSpec) {
    this.#spec = spec;
  }

  get spec(): DistributedTrainingSpec {
    return this.#spec;
  }

  set spec(spec: DistributedTrainingSpec) {
    this.#spec = spec;
    this.#generation += 1;
  }

  /** Decides, and again when what was asked is known; what is not asked any more is forgotten, as the engine does. */
  decide(): Decided<DistributedTrainingState, DistributedTrainingStatus> {
    this.answers = Object.fromEntries(
      this.#observe().queries.flatMap((query) => {
        const answer = this.answers[query.id] ?? this.#answer(query);
        return answer ? [[query.id, answer]] : [];
      }),
    );
    return this.#observe();
  }

  #observe(): Decided<DistributedTrainingState, DistributedTrainingStatus> {
    const { status } = this;
    const resource = resourceOf(this.spec, { ...(status && { status }), generation: this.#generation });
    return decide({ resource, children: this.children, problems: this.problems, answers: this.answers }, this.now);
  }

  #answer(query: Query): Answer | undefined {
    return query.type === 'computation' ? this.compute(query.input as SuggestionInput) : undefined;
  }

  /** A pass of the operator; it may be killed before it has written its status. */
  operate({ killed = false } = {}): this {
    const { state, waitForAnswers } = this.decide();
    if (waitForAnswers === true) return this;
    for (const { manifest, createOnly } of distributedTraining.render(resourceOf(this.spec), state)) {
      const live = this.trials.get(manifest.metadata.name);
      if (live && createOnly === true) continue;
      this.trials.set(manifest.metadata.name, { manifest, status: live?.status ?? {} });
    }
    if (!killed) this.status = this.decide().status;
    this.now += SECOND;
    return this;
  }

  /** The result of a trial's status. */
  set(number: number, status: TrialStatus): this {
    const trial = this.trials.get(`resnet-${number}`);
    if (!trial) throw new Error(`there is no trial ${number}`);
    trial.status = { ...trial.status, ...status };
    return this;
  }

  complete(number: number, value?: number): this {
    const objective = value === undefined ? {} : { objective: { metric: 'accuracy', value } };
    return this.set(number, { phase: 'Completed', completionTime: '2026-01-01T00:10:00Z', ...objective });
  }

  fail(number: number): this {
    const condition = { type: 'Failed', status: 'True', reason: 'RetryLimitExceeded', message: 'Out of memory.' };
    return this.set(number, { phase: 'Failed', conditions: [condition] });
  }

  /** Trials that were made and have not ended. */
  get running(): readonly number[] {
    const going = [...this.trials].filter(
      ([, { status }]) => !['Completed', 'Failed'].includes(String(status['phase'])),
    );
    return going.map(([, { manifest }]) => Number(manifest.metadata.annotations?.['trunnion.dev/trial']));
  }

  specOf(number: number): DistributedTrainingSpec {
    return this.trials.get(`resnet-${number}`)?.manifest['spec'] as DistributedTrainingSpec;
  }

  get children(): readonly ObservedChild[] {
    return [...this.trials].map(([name, { manifest, status }]) =>
      childOf(
        { ...manifest, name },
        { ready: true, slice: { annotations: manifest.metadata.annotations ?? {}, status } },
      ),
    );
  }
}
