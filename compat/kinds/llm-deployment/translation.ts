import { modelServing } from '../../../constructs/model-serving/kind.ts';
import type { ModelServingSpecInput } from '../../../constructs/model-serving/spec.ts';
import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import type { Resource } from '../../../operator/engine/api/index.ts';
import { modelServing as kind } from '../../../operator/kinds/model-serving/index.ts';
import type { Diagnosis } from '../../../operator/kinds/shared/diagnosis-text.ts';
import { optionalType } from '../kind.ts';
import { SAME_POD_FIELDS, sameFields } from '../same-fields.ts';
import { BASELINE, modelOf, OPEN_EGRESS, storageOf } from '../serving.ts';
import type { Equivalent, Related, Translation } from '../translation.ts';
import { llmDeployment, llmModel } from './schema.ts';
import type { LLMDeploymentSpec, LLMDeploymentStatus, LLMModelSpec } from './schema.ts';

/** Nobody can tell how busy an unknown server is: it gets as long to stop as Kubernetes gives any. */
const DRAIN_SECONDS = 30;

/** How a field of the LLMModel is told, of which a problem of an LLMDeployment may be. */
const OF_MODEL = 'spec.modelRef: LLMModel';

/** Enough for the weights of a model of 40 billion parameters, at two bytes each. */
const STORAGE_SIZE = '100Gi';

/** What counts of an LLMModel. */
const KNOWN = [
  'modelName',
  'image',
  'resources',
  'modelSource',
  'credentials',
  'storage',
  'engine',
] as const satisfies readonly (keyof LLMModelSpec)[];

/** An LLMDeployment is a ModelServing of its LLMModel: of an image that has the model in it, or of weights and an engine. */
export const translation: Translation<LLMDeploymentSpec, ModelServingStatus> = {
  theirs: llmDeployment,
  ours: modelServing,
  kind,
  refersTo: [optionalType(llmModel)],
  references: ({ spec }) => (spec.modelRef === undefined ? [] : [idOf(spec.modelRef)]),
  equivalentOf,
  origins: {
    'spec.model.uri': `${OF_MODEL} spec.modelSource or spec.image`,
    'spec.model.name': `${OF_MODEL} spec.modelName`,
    'spec.model.credentials': `${OF_MODEL} spec.credentials`,
    'spec.engine': `${OF_MODEL} spec.engine`,
    'spec.engine.image': `${OF_MODEL} spec.image`,
    'spec.resources': `${OF_MODEL} spec.resources`,
    'spec.storage': `${OF_MODEL} spec.storage`,
    'spec.engine.port': 'spec.port',
  },
  wordsOf: ({ status: { phase, endpoint, readyReplicas } }): LLMDeploymentStatus => ({
    ...(phase !== undefined && { phase: phase === 'Retired' ? 'Deploying' : phase }),
    ...(endpoint !== undefined && { endpoint }),
    readyReplicas: readyReplicas ?? 0,
  }),
};

const idOf = (name: string): string => `${llmModel.kind}/${name}`;

/** By its LLMModel, or as that last was, where it is gone: what runs is not stopped for it. */
function equivalentOf({ spec, status }: Resource<LLMDeploymentSpec>, related: Related): Equivalent {
  const name = spec.modelRef ?? '';
  const found = related[idOf(name)] as Resource<LLMModelSpec> | undefined;
  const last = (status as LLMDeploymentStatus | undefined)?.model;
  const remembered = last?.name === name ? last : undefined;
  const model = found ? { name, ...sameFields(found.spec, KNOWN) } : remembered;
  const missing = found ? undefined : notFound(name, remembered !== undefined);
  if (!model) return { ...(missing && { missing }) };
  return { spec: specOf(spec, model), ...(missing && { missing }), remembered: { model } };
}

function specOf(deployment: LLMDeploymentSpec, model: LLMModelSpec): Partial<ModelServingSpecInput> {
  const { replicas, port } = deployment;
  const { image, engine = { type: 'custom' }, modelSource, storage } = model;
  // Without a source it is in the image, if nobody has to be told where it lies in there.
  const uri = modelSource ?? (engine.type === 'custom' && image !== undefined ? `oci://${image}` : undefined);
  const { cpu, memory, gpu = 0, gpuResource, gpuProduct } = model.resources ?? {};
  return {
    model: modelOf({ ...model, ...(uri !== undefined && { modelSource: uri }) }),
    // A volume for what is in the image is refused by our own rules, which say what to do.
    ...((modelSource ?? storage) !== undefined && storageOf(modelSource, STORAGE_SIZE, storage)),
    engine: { ...engine, ...(image !== undefined && { image }), port },
    resources: {
      gpu,
      ...(cpu !== undefined && { cpu }),
      ...(memory !== undefined && { memory }),
      ...(gpuResource !== undefined && { gpuResource }),
      ...(gpuProduct !== undefined && { gpuProduct }),
    },
    ...(deployment.autoscaling ? { autoscaling: deployment.autoscaling } : { replicas }),
    drain: { timeoutSeconds: DRAIN_SECONDS },
    ...BASELINE,
    ...OPEN_EGRESS,
    ...sameFields(deployment, ['expose', ...SAME_POD_FIELDS]),
  };
}

function notFound(name: string, goesOn: boolean): Diagnosis {
  const meanwhile = goesOn ? 'The pods continue with it as it was.' : 'Until then no pod is started.';
  return {
    reason: 'ModelNotFound',
    message: `There is no LLMModel ${name} in this namespace. Create it, or correct modelRef. ${meanwhile}`,
    stuck: false,
  };
}
