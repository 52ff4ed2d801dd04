import { parse } from 'yaml';
import { convert } from '../../compat/convert/convert.ts';
import type { Equivalent } from '../../compat/convert/convert.ts';
import type { Manifest } from '../../constructs/index.ts';

/** The equal of a resource that is written as YAML. */
export function equivalentOf(text: string): Equivalent {
  const source = parse(text) as Manifest;
  const equal = convert(source, [source]);
  if (equal === undefined) throw new Error(`${source.kind} is not known`);
  return equal;
}

/** The equal of an InferenceService with this predictor. */
export const inferenceService = (predictor: string, metadata = 'name: sample'): Equivalent =>
  equivalentOf(
    `{apiVersion: serving.kserve.io/v1beta1, kind: InferenceService, metadata: {${metadata}}, spec: {predictor: {${predictor}}}}`,
  );

/** The same of one that serves a model by the Hugging Face runtime. */
export const huggingFace = (model: string, metadata?: string): Equivalent =>
  inferenceService(`model: {modelFormat: {name: huggingface}, storageUri: hf://owner/model, ${model}}`, metadata);

/** The equal of a Model of KubeAI. */
export const kubeaiModel = (spec: string, name = 'sample'): Equivalent =>
  equivalentOf(
    `{apiVersion: kubeai.org/v1, kind: Model, metadata: {name: ${name}}, spec: {url: hf://owner/model, engine: VLLM, ${spec}}}`,
  );

/** The equal of a PyTorchJob of three workers, whose container has these fields. */
export const pytorchJob = (container: string, { spec = '', replica = '', metadata = '' } = {}): Equivalent =>
  equivalentOf(
    `{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: sample, ${metadata}}, spec: {${spec} pytorchReplicaSpecs: {Worker: {replicas: 3, ${replica} template: {spec: {containers: [{name: pytorch, image: train:1, ${container}}]}}}}}}`,
  );

/** The equal of a TrainJob. */
export const trainJob = (spec: string, metadata = ''): Equivalent =>
  equivalentOf(
    `{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: sample, ${metadata}}, spec: {trainer: {image: train:1}, ${spec}}}`,
  );

/** What was carried over. */
export const specOf = ({ manifest }: Equivalent): unknown => manifest['spec'];
/** What is told of a path. */
export const noteOn = ({ notes }: Equivalent, path: string): string =>
  notes
    .filter((note) => note.path === path)
    .map(({ message }) => message)
    .join('; ');
