import { modelServing } from '../../../../constructs/model-serving/kind.ts';
import type { ModelServingSpecInput, ModelServingStatus } from '../../../../constructs/model-serving/spec.ts';
import type { Resource } from '../../../engine/kind.ts';
import { modelServing as kind } from '../../model-serving/index.ts';
import type { Finding } from '../../shared/finding.ts';
import { optionalType } from '../kind.ts';
import { BASELINE, OPEN_EGRESS } from '../serving.ts';
import type { Equal, Related, Translation } from '../translation.ts';
import { llmDeployment, llmModel } from './schema.ts';
import type { LLMDeploymentSpec, LLMDeploymentStatus, LLMModelSpec } from './schema.ts';

/** Nobody can tell how busy an unknown server is: it gets as long to stop as Kubernetes gives any. */
const DRAIN_SECONDS = 30;

/** An LLMDeployment is a ModelServing of an image that has its model in it: that of the LLMModel. */
export const translation: Translation<LLMDeploymentSpec, ModelServingStatus> = {
  theirs: llmDeployment,
  ours: modelServing,
  kind,
  refersTo: [optionalType(llmModel)],
  references: ({ spec }) => (spec.modelRef === undefined ? [] : [idOf(spec.modelRef)]),
  equalOf,
  origins: {
    'spec.model.uri': 'spec.modelRef (spec.image of the LLMModel)',
    'spec.model.name': 'spec.modelRef (spec.modelName of the LLMModel)',
    'spec.engine.image': 'spec.modelRef (spec.image of the LLMModel)',
    'spec.resources': 'spec.modelRef (spec.resources of the LLMModel)',
    'spec.engine.port': 'spec.port',
  },
  wordsOf: ({ phase, endpoint, readyReplicas }): LLMDeploymentStatus => ({
    ...(phase !== undefined && { phase: phase === 'Downloading' || phase === 'Retired' ? 'Deploying' : phase }),
    ...(endpoint !== undefined && { endpoint }),
    readyReplicas: readyReplicas ?? 0,
  }),
};

const idOf = (name: string): string => `${llmModel.kind}/${name}`;

/** By its LLMModel, or as that last was, where it is gone: what runs is not stopped for it. */
function equalOf({ spec, status }: Resource<LLMDeploymentSpec>, related: Related): Equal {
  const name = spec.modelRef ?? '';
  const found = related[idOf(name)] as Resource<LLMModelSpec> | undefined;
  const last = (status as LLMDeploymentStatus | undefined)?.model;
  const remembered = last?.name === name ? last : undefined;
  const model = found ? { name, ...known(found.spec) } : remembered;
  const missing = found ? undefined : notFound(name, remembered !== undefined);
  if (!model) return { ...(missing && { missing }) };
  return { spec: specOf(spec, model), ...(missing && { missing }), remembered: { model } };
}

/** What counts of an LLMModel. */
const known = ({ modelName, image, resources }: LLMModelSpec): LLMModelSpec => ({
  ...(modelName !== undefined && { modelName }),
  ...(image !== undefined && { image }),
  ...(resources && { resources }),
});

function specOf(
  { replicas, port }: LLMDeploymentSpec,
  { modelName, image, resources = {} }: LLMModelSpec,
): Partial<ModelServingSpecInput> {
  const { cpu, memory, gpu = 0 } = resources;
  return {
    model: {
      ...(image !== undefined && { uri: `oci://${image}` }),
      ...(modelName !== undefined && { name: modelName }),
    } as ModelServingSpecInput['model'],
    engine: { type: 'custom', ...(image !== undefined && { image }), port },
    resources: { gpu, ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) },
    replicas,
    drain: { timeoutSeconds: DRAIN_SECONDS },
    ...BASELINE,
    ...OPEN_EGRESS,
  };
}

function notFound(name: string, goesOn: boolean): Finding {
  const meanwhile = goesOn ? 'The pods go on with it as it was.' : 'Until then no pod is started.';
  return {
    reason: 'ModelNotFound',
    message: `There is no LLMModel ${name} in this namespace. Create it, or correct modelRef. ${meanwhile}`,
    stuck: false,
  };
}
