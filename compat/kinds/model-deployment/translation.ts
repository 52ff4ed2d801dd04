import { modelServing } from '../../../constructs/model-serving/kind.ts';
import type { ModelServingSpecInput } from '../../../constructs/model-serving/spec.ts';
import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import { modelServing as kind } from '../../../operator/kinds/model-serving/index.ts';
import { servingPhase } from '../phases.ts';
import { BASELINE, CPU_PERCENT, MODEL_ORIGINS, modelOf, MOST_REPLICAS, storageOf } from '../serving.ts';
import type { Translation } from '../translation.ts';
import { modelDeployment } from './schema.ts';
import type { ModelDeploymentSpec, ModelDeploymentStatus } from './schema.ts';

/** Enough for the weights of a model of 40 billion parameters, at two bytes each. */
const STORAGE_SIZE = '100Gi';

/** A ModelDeployment is a ModelServing by vLLM. */
export const translation: Translation<ModelDeploymentSpec, ModelServingStatus> = {
  theirs: modelDeployment,
  ours: modelServing,
  kind,
  naming: 'ModelDeployment',
  equivalentOf: ({ spec }) => ({ spec: specOf(spec) }),
  origins: {
    ...MODEL_ORIGINS,
    'spec.resources.gpu': 'spec.gpus',
    'spec.autoscaling': 'spec.autoScaling',
    'spec.retired': 'spec.deprecated',
  },
  phrases: { 'Set retired to false': 'Set deprecated to false' },
  wordsOf: (ours): ModelDeploymentStatus => ({
    phase: servingPhase(ours),
    ...(ours.status.endpoint !== undefined && { endpoint: ours.status.endpoint }),
    readyPods: ours.status.readyReplicas ?? 0,
  }),
};

function specOf(spec: ModelDeploymentSpec): Partial<ModelServingSpecInput> {
  const { modelSource, gpus, replicas, autoScaling, storage, deprecated } = spec;
  return {
    model: modelOf(spec),
    ...storageOf(modelSource, STORAGE_SIZE, storage),
    engine: { type: 'vllm' },
    // An autoscaler reckons in percent of the CPUs that are requested.
    resources: { gpu: gpus, ...(autoScaling && { cpu: '1' }) },
    ...(autoScaling ? { autoscaling: scalingFrom(replicas) } : { replicas }),
    ...(deprecated === true && { retired: true }),
    ...BASELINE,
  };
}

const scalingFrom = (replicas: number): NonNullable<ModelServingSpecInput['autoscaling']> => ({
  minReplicas: Math.max(1, replicas),
  maxReplicas: Math.max(MOST_REPLICAS, replicas),
  targets: { cpuPercent: CPU_PERCENT },
});
