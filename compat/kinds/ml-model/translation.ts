import { modelServing } from '../../../constructs/model-serving/kind.ts';
import type { ModelServingSpecInput } from '../../../constructs/model-serving/spec.ts';
import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import { conditionOf } from '../../../operator/engine/api/index.ts';
import type { BareStatus } from '../../../operator/engine/api/index.ts';
import { modelServing as kind } from '../../../operator/kinds/model-serving/index.ts';
import { servingPhase } from '../phases.ts';
import { BASELINE, MODEL_ORIGINS, modelOf, storageOf } from '../serving.ts';
import type { Translation } from '../translation.ts';
import { mlModel } from './schema.ts';
import type { MLModelSpec, MLModelStatus } from './schema.ts';

/** Models of TensorFlow Serving are small. */
const STORAGE_SIZE = '10Gi';

/** An MLModel is a ModelServing by TensorFlow Serving. */
export const translation: Translation<MLModelSpec, ModelServingStatus> = {
  theirs: mlModel,
  ours: modelServing,
  kind,
  equivalentOf: ({ spec }) => ({ spec: specOf(spec) }),
  origins: MODEL_ORIGINS,
  wordsOf: (ours): MLModelStatus => ({
    phase: servingPhase(ours),
    message: messageOf(ours),
    ...(ours.status.endpoint !== undefined && { endpoint: ours.status.endpoint }),
  }),
};

function specOf(spec: MLModelSpec): Partial<ModelServingSpecInput> {
  const { modelSource, replicas, storage } = spec;
  return {
    model: modelOf(spec),
    ...storageOf(modelSource, STORAGE_SIZE, storage),
    engine: { type: 'tensorflow-serving' },
    resources: { gpu: 0 },
    replicas,
    ...BASELINE,
  };
}

/** The present step, or what blocks it. */
function messageOf({ conditions }: BareStatus<ModelServingStatus>): string {
  const ready = conditionOf(conditions, 'Ready');
  const progressing = conditionOf(conditions, 'Progressing');
  return (ready?.status === 'True' ? ready : (progressing ?? ready))?.message ?? '';
}
