import { expect, test } from 'vitest';
import { convert } from '../../../../compat/convert/convert.ts';
import { azureUri } from '../../../../compat/convert/uri.ts';
import { resource } from '../../../support/shapes/source.ts';

const pod = (name: string) => ({ template: { spec: { containers: [{ name, image: 'train:1', command: ['run'] }] } } });
const model = { modelFormat: { name: 'huggingface' }, storageUri: 'hf://owner/model' };
const SHARE = 'https://account.file.core.windows.net/share/model';

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
    'a service of a file share of Azure',
    'serving.kserve.io/v1beta1',
    'InferenceService',
    { predictor: { model: { ...model, storageUri: SHARE } } },
    'spec.predictor.model.storageUri',
    'names files of Azure that https does not list',
  ],
  [
    'a service of a file share of Azure, by KServe’s other kind',
    'serving.kserve.io/v1alpha1',
    'LLMInferenceService',
    { model: { uri: SHARE } },
    'spec.model.uri',
    'names files of Azure that https does not list',
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

test.each([
  ['https://acme.blob.core.windows.net/models/llama', 'az://acme.blob.core.windows.net/models/llama'],
  ['https://acme.z12.blob.storage.azure.net/models/a/m.gguf', 'az://acme.z12.blob.storage.azure.net/models/a/m.gguf'],
  // An archive is unpacked from https, and a signature is of the URL as it is.
  ['https://acme.blob.core.windows.net/models/m.tar.gz', 'https://acme.blob.core.windows.net/models/m.tar.gz'],
  ['https://acme.blob.core.windows.net/models/m.gguf?sig=a', 'https://acme.blob.core.windows.net/models/m.gguf?sig=a'],
  ['https://example.com/acme.blob.core.windows.net/m.gguf', 'https://example.com/acme.blob.core.windows.net/m.gguf'],
])('KServe fetches %s, and a ModelServing %s', (uri, taken) => {
  expect(azureUri(uri)).toBe(taken);
});

test.each([
  [
    'InferenceService',
    'serving.kserve.io/v1beta1',
    (uri: string) => ({ predictor: { model: { ...model, storageUri: uri } } }),
  ],
  ['LLMInferenceService', 'serving.kserve.io/v1alpha1', (uri: string) => ({ model: { uri } })],
] as const)('a container of Azure is that of the %s', (kind, apiVersion, specOf) => {
  const uri = 'https://acme.blob.core.windows.net/models/llama';
  const source = resource(apiVersion, kind, specOf(uri));
  expect(JSON.stringify(convert(source, [source]))).toContain('"uri":"az://acme.blob.core.windows.net/models/llama"');
});
