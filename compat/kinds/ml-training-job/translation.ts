import { distributedTraining } from '../../../constructs/distributed-training/kind.ts';
import type { DistributedTrainingSpecInput } from '../../../constructs/distributed-training/spec.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import { literal } from '../../../constructs/parts/values/index.ts';
import { isObject } from '../../../constructs/schema/json.ts';
import type { Json } from '../../../constructs/schema/json.ts';
import { distributedTraining as kind } from '../../../operator/kinds/distributed-training/index.ts';
import { SAME_POD_FIELDS, sameFields } from '../same-fields.ts';
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
  kind: { ...kind, permissions: [...(kind.permissions ?? []), 'mark-pods'] },
  naming: 'MLTrainingJob',
  equivalentOf: ({ spec }) => ({ spec: specOf(spec) }),
  origins: {
    'spec.checkpoint.uri': 'spec.checkpointPath',
    'spec.tuning': 'spec.autoTuning',
  },
  wordsOf,
};

/** What a user wrote of a search may be anything: our own rules say what is wrong with it. */
type Equivalent = Partial<Omit<DistributedTrainingSpecInput, 'tuning'>> & { readonly tuning?: object };

function specOf(spec: MLTrainingJobSpec): Equivalent {
  const { framework, image, replicas, resources, hyperparameters, autoTuning } = spec;
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
    ...(autoTuning?.enabled === true && { tuning: tuningOf(autoTuning) }),
    ...BASELINE,
    ...OPEN_EGRESS,
    ...sameFields(spec, ['elastic', 'queue', 'gang', 'spot', ...SAME_POD_FIELDS]),
    ...checkpointsOf(spec),
  };
}

/** A place that ours knows is also told to ranks as ours tells it; any other is only told by its name. */
function checkpointsOf({ checkpointPath: path, hyperparameters = {}, env = [] }: MLTrainingJobSpec) {
  // What was stored before the field was known may be anything: our own rules say what is wrong with it.
  if (path === undefined || !Array.isArray(env)) return {};
  const variables: readonly Json[] = env;
  const isNamed = (each: Json) => isObject(each) && each['name'] === CHECKPOINT_VARIABLE;
  const isReported = CHECKPOINT_VARIABLE in hyperparameters || variables.some(isNamed);
  return {
    ...(/^(s3|gs|pvc):\/\//.test(path) && { checkpoint: { uri: path } }),
    // Behind what its user wrote, so that a problem of the third variable is told of the third.
    ...(!isReported && { env: [...env, { name: CHECKPOINT_VARIABLE, value: literal(path) }] }),
  };
}
