import { expect, test } from 'vitest';
import { convert } from '../../../../compat/convert/convert.ts';
import { resource } from '../../../support/shapes/source.ts';

const SERVICE = 'serving.kserve.io/v1beta1 InferenceService';
const AGENT = 'kagent.dev/v1alpha2 Agent';
const PYTORCH = 'kubeflow.org/v1 PyTorchJob';
const MPI = 'kubeflow.org/v2beta1 MPIJob';

const serverWith = (port: unknown) => ({
  predictor: { containers: [{ name: 'kserve-container', image: 'serve:1', ports: [{ containerPort: port }] }] },
});
const PORT = 'spec.predictor.containers[0].ports[0].containerPort';
const trainer = { template: { spec: { containers: [{ name: 'pytorch', image: 'train:1' }] } } };
const workersOf = (replicas: unknown) => ({
  pytorchReplicaSpecs: { Master: trainer, Worker: { ...trainer, replicas } },
});
const WORKERS = 'spec.pytorchReplicaSpecs.Worker.replicas';

test.each<[kind: string, spec: object, path: string, value: unknown]>([
  [SERVICE, serverWith({}), PORT, {}],
  [SERVICE, serverWith(['two\nlines']), PORT, ['two\nlines']],
  [SERVICE, serverWith('8080'), PORT, '8080'],
  [SERVICE, { predictor: { containers: { name: 'a', image: 'serve:1' } } }, 'spec.predictor.containers.name', 'a'],
  [SERVICE, { predictor: { sklearn: [{ name: 'a' }] } }, 'spec.predictor.sklearn[0].name', 'a'],
  [PYTORCH, workersOf(-1), WORKERS, -1],
  [PYTORCH, workersOf(1.5), WORKERS, 1.5],
  [PYTORCH, workersOf(1e21), WORKERS, 1e21],
  [MPI, { mpiImplementation: 'Unheard' }, 'spec.mpiImplementation', 'Unheard'],
  [AGENT, { type: 'BYO', byo: { deployment: { image: 'a:1', name: 'a' } } }, 'spec.byo.deployment.name', 'a'],
  [AGENT, { type: 'Declarative', declarative: { deployment: { name: 'a' } } }, 'spec.declarative.deployment.name', 'a'],
])('of a %s with %j it is told that %s is %j', (kind, spec, path, value) => {
  const [apiVersion, name] = kind.split(' ') as [string, string];
  const source = resource(apiVersion, name, spec);
  expect(convert(source, [source])?.notes).toContainEqual(expect.objectContaining({ path, value }));
});
