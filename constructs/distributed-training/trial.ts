import { labelsOf, NAMING_ANNOTATION } from '../parts/objects/index.ts';
import { GROUP, VERSION } from '../schema/kind.ts';
import type { Manifest } from '../workload.ts';
import { withoutEmpties } from './empties.ts';
import { trialNameOf } from './names.ts';
import type { Placed } from './manifests.ts';
import { fillerOf } from './placeholders.ts';
import { ASSIGNMENTS, KIND_LABEL, TRIAL } from './parts.ts';
import type { TrialState } from './state.ts';
import type { DistributedTrainingSpec } from './spec.ts';

/** A search as its spec has it. */
export type Tuning = NonNullable<DistributedTrainingSpec['tuning']>;

/** A trial of a search: a training of its own, which differs from others in the values of its parameters alone. */
export function trial(
  search: Placed & { readonly tuning: Tuning },
  { number, assignments, lifecycle }: TrialState,
): Manifest {
  const { name, namespace, naming } = search;
  return {
    apiVersion: `${GROUP}/${VERSION}`,
    kind: 'DistributedTraining',
    metadata: {
      name: trialNameOf(name, number),
      namespace,
      labels: labelsOf({ kind: KIND_LABEL, name, component: 'trial' }),
      annotations: {
        [TRIAL]: String(number),
        [ASSIGNMENTS]: JSON.stringify(assignments),
        ...(naming?.ofTrials !== undefined && { [NAMING_ANNOTATION]: naming.ofTrials }),
      },
    },
    spec: withoutEmpties({
      ...specOf(search, trialNameOf(name, number), assignments),
      suspend: lifecycle === 'stopped',
    }),
  };
}

function specOf(
  { spec, tuning }: Placed & { readonly tuning: Tuning },
  name: string,
  assignments: TrialState['assignments'],
): DistributedTrainingSpec {
  const { tuning: _, ttlSecondsAfterFinished: __, ...rest } = spec;
  const { target: ___, ...objective } = tuning.objective;
  const { command, args, checkpoint, hyperparameters } = spec;
  const filled = (words: readonly string[]) => words.map(fillerOf(assignments));
  return {
    ...rest,
    ...(command && { command: filled(command) }),
    ...(args && { args: filled(args) }),
    // A trial that found the checkpoints of another would continue from them.
    ...(checkpoint && { checkpoint: { ...checkpoint, uri: `${checkpoint.uri.replace(/\/$/, '')}/${name}` } }),
    hyperparameters: { ...hyperparameters, ...assignments },
    objective,
  };
}
