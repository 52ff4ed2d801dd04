import { distributedTraining } from '../../../../constructs/distributed-training/kind.ts';
import type {
  DistributedTrainingSpecInput,
  DistributedTrainingStatus,
} from '../../../../constructs/distributed-training/spec.ts';
import { literal } from '../../../../constructs/parts/literal.ts';
import { distributedTraining as kind } from '../../distributed-training/index.ts';
import { BASELINE, OPEN_EGRESS } from '../serving.ts';
import type { Translation } from '../translation.ts';
import { mlTrainingJob } from './schema.ts';
import type { MLTrainingJobSpec } from './schema.ts';
import { tuningOf } from './tuning.ts';
import { wordsOf } from './words.ts';

/** Where the pods of an MLTrainingJob find its checkpoints, whatever kind of place that is. */
const CHECKPOINT_VARIABLE = 'CHECKPOINT_PATH';

/** An MLTrainingJob is a DistributedTraining of equal pods, of which the first is the master, whatever its framework. */
export const translation: Translation<MLTrainingJobSpec, DistributedTrainingStatus> = {
  theirs: mlTrainingJob,
  ours: distributedTraining,
  kind: { ...kind, powers: [...(kind.powers ?? []), 'mark-pods'] },
  naming: 'MLTrainingJob',
  equalOf: ({ spec }) => ({ spec: specOf(spec) }),
  origins: {
    'spec.checkpoint.uri': 'spec.checkpointPath',
    'spec.env': 'spec.checkpointPath',
    'spec.tuning': 'spec.autoTuning',
  },
  wordsOf,
};

/** What a user wrote of a search may be anything: our own rules say what is wrong with it. */
type Equal = Partial<Omit<DistributedTrainingSpecInput, 'tuning'>> & { readonly tuning?: object };

function specOf(spec: MLTrainingJobSpec): Equal {
  const { framework, image, replicas, resources, hyperparameters, checkpointPath, autoTuning } = spec;
  return {
    ...(framework && { framework }),
    ...(framework === 'tensorflow' && { tensorflow: { chief: false } }),
    ...(framework === 'mxnet' && { mxnet: { servers: 0 } }),
    ...(image !== undefined && { image }),
    replicas,
    // WORLD_SIZE was the number of pods.
    procsPerNode: 1,
    ...(resources && { resources }),
    ...(hyperparameters && { hyperparameters }),
    ...(checkpointPath !== undefined && checkpointsAt(checkpointPath, hyperparameters)),
    ...(autoTuning?.enabled === true && { tuning: tuningOf(autoTuning) }),
    ...BASELINE,
    ...OPEN_EGRESS,
  };
}

/** A place that ours knows is also told to ranks as ours tells it; any other is only told by its name. */
function checkpointsAt(path: string, hyperparameters: MLTrainingJobSpec['hyperparameters'] = {}) {
  const isTold = CHECKPOINT_VARIABLE in hyperparameters;
  return {
    ...(/^(s3|gs|pvc):\/\//.test(path) && { checkpoint: { uri: path } }),
    ...(!isTold && { env: [{ name: CHECKPOINT_VARIABLE, value: literal(path) }] }),
  };
}
