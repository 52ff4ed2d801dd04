import { modelServing } from '../../../../constructs/model-serving/kind.ts';
import type { ModelServingSpecInput, ModelServingStatus } from '../../../../constructs/model-serving/spec.ts';
import { conditionOf } from '../../../engine/conditions.ts';
import { modelServing as kind } from '../../model-serving/index.ts';
import { servingPhase } from '../phases.ts';
import { BASELINE, storageOf } from '../serving.ts';
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
  equalOf: ({ spec }) => ({ spec: specOf(spec) }),
  origins: {
    'spec.model.uri': 'spec.modelSource',
    'spec.model.name': 'spec.modelName',
    'spec.model.credentials': 'spec.credentials',
  },
  wordsOf: (status): MLModelStatus => ({
    phase: servingPhase(status),
    message: messageOf(status),
    ...(status.endpoint !== undefined && { endpoint: status.endpoint }),
  }),
};

function specOf({ modelName, modelSource, credentials, replicas, storage }: MLModelSpec) {
  return {
    model: {
      ...(modelSource !== undefined && { uri: modelSource }),
      ...(modelName !== undefined && { name: modelName }),
      ...(credentials && { credentials }),
    } as ModelServingSpecInput['model'],
    ...storageOf(modelSource, STORAGE_SIZE, storage),
    engine: { type: 'tensorflow-serving' },
    resources: { gpu: 0 },
    replicas,
    ...BASELINE,
  };
}

/** What goes on, or what keeps it from going on. */
function messageOf({ conditions }: ModelServingStatus): string {
  const ready = conditionOf(conditions, 'Ready');
  const progressing = conditionOf(conditions, 'Progressing');
  return (ready?.status === 'True' ? ready : (progressing ?? ready))?.message ?? '';
}
