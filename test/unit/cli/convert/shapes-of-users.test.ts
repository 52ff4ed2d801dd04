import { expect, test } from 'vitest';
import { convert } from '../../../../cli/convert/convert.ts';
import { resource } from '../../../support/shapes/source.ts';

const pod = (name: string) => ({ template: { spec: { containers: [{ name, image: 'train:1', command: ['run'] }] } } });
const model = { modelFormat: { name: 'huggingface' }, storageUri: 'hf://owner/model' };
const AZURE = 'https://account.blob.core.windows.net/container/model';

test.each<[what: string, apiVersion: string, kind: string, spec: object, path: string, words: string]>([
  [
    'a service with fewer replicas at most than at least',
    'serving.kserve.io/v1beta1',
    'InferenceService',
    { predictor: { minReplicas: 5, maxReplicas: 2, model } },
    'spec.predictor.maxReplicas',
    'is less than the least, 5, which replicas is here',
  ],
  [
    'a service of a runtime of the user',
    'serving.kserve.io/v1beta1',
    'InferenceService',
    { predictor: { model: { ...model, runtime: 'mine' } } },
    'spec.predictor.model.runtime',
    'carry over what its image, args, env and resources say',
  ],
  [
    'a service of a folder of Azure',
    'serving.kserve.io/v1beta1',
    'InferenceService',
    { predictor: { model: { ...model, storageUri: AZURE } } },
    'spec.predictor.model.storageUri',
    'names a folder of Azure, and https is one file here',
  ],
  [
    'a service of a folder of Azure, by KServe’s other kind',
    'serving.kserve.io/v1alpha1',
    'LLMInferenceService',
    { model: { uri: AZURE } },
    'spec.model.uri',
    'names a folder of Azure, and https is one file here',
  ],
  [
    'an MPI job of no workers',
    'kubeflow.org/v2beta1',
    'MPIJob',
    { mpiReplicaSpecs: { Launcher: pod('l'), Worker: { ...pod('w'), replicas: 0 } } },
    'spec.mpiReplicaSpecs.Worker.replicas',
    'a training has one rank at least',
  ],
  [
    'a JAX job of no workers',
    'kubeflow.org/v1',
    'JAXJob',
    { jaxReplicaSpecs: { Worker: { ...pod('jax'), replicas: 0 } } },
    'spec.jaxReplicaSpecs.Worker.replicas',
    'a training has one rank at least',
  ],
  [
    'a TensorFlow job of no workers',
    'kubeflow.org/v1',
    'TFJob',
    { tfReplicaSpecs: { Worker: { ...pod('tensorflow'), replicas: 0 } } },
    'spec.tfReplicaSpecs.Worker.replicas',
    'a training has one rank at least',
  ],
])('of %s it is told what is otherwise', (_, apiVersion, kind, spec, path, words) => {
  const source = resource(apiVersion, kind, spec);
  expect(convert(source, [source])?.notes).toContainEqual(
    expect.objectContaining({ path, message: expect.stringContaining(words) as string }),
  );
});
