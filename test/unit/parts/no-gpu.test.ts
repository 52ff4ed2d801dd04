import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { AgentService, DistributedTraining, ModelServing } from '../../../constructs/index.ts';
import type { RenderedChild } from '../../../constructs/index.ts';
import type { Container, PodTemplate } from '../../../constructs/parts/objects/kube.ts';

// What `void` means is said in nvidia-container-toolkit, internal/config/image/devices.go, NewVisibleDevices: it stands above
// `none` and `all`, and has no devices, so that the runtime changes nothing.
const NONE = { name: 'NVIDIA_VISIBLE_DEVICES', value: 'void' };

const serving = {
  model: { uri: 'hf://acme/tiny' },
  storage: { size: '1Gi', accessMode: 'ReadWriteMany' as const },
  engine: { type: 'vllm' as const },
  resources: { gpu: 0 },
};
const training = {
  framework: 'mpi' as const,
  image: 'train:1',
  replicas: 2,
  command: ['mpirun', 'train'],
  mpi: { sshSecretName: 'keys' },
};
const side = { spec: { containers: [{ name: 'side', image: 'side:1' }] } };

/** Every container of every pod that a construct makes, and how it sees GPUs. */
function containersOf(children: readonly RenderedChild[]): Readonly<Record<string, unknown>> {
  const templates = children.flatMap(({ id, manifest }) => {
    const { template } = (manifest['spec'] ?? {}) as { readonly template?: PodTemplate };
    return template?.spec?.containers ? [{ id, template }] : [];
  });
  const seen = ({ env = [] }: Container) => env.filter(({ name }) => name === NONE.name);
  return Object.fromEntries(
    templates.flatMap(({ id, template: { spec } }) =>
      [...(spec.initContainers ?? []), ...spec.containers].map((each) => [`${id}/${each.name}`, seen(each)]),
    ),
  );
}

const props = <S>(spec: S) => ({ name: 'a', namespace: 'default', spec });
const chart = () => new Chart(new App(), 'chart');
const ofServing = (spec: object) =>
  containersOf(new ModelServing(chart(), 'a', props({ ...serving, ...spec })).render());
const ofTraining = (spec: object) =>
  containersOf(new DistributedTraining(chart(), 'a', props({ ...training, ...spec })).render());

describe('a container that asks for no GPU sees none, whatever its image says:', () => {
  test('a server on CPUs, what fetches, what waits, and what the user adds', () => {
    expect(ofServing({ podTemplate: side })).toEqual({
      'fetch/fetch': [NONE],
      'deployment/wait': [NONE],
      'deployment/server': [NONE],
      'deployment/side': [NONE],
    });
  });

  test('beside a server on GPUs, the server alone sees them', () => {
    expect(ofServing({ resources: { gpu: 1 }, podTemplate: side })).toEqual({
      'fetch/fetch': [NONE],
      'deployment/wait': [NONE],
      'deployment/server': [],
      'deployment/side': [NONE],
    });
  });

  test.each(['amd.com/gpu', 'nvidia.com/mig-1g.10gb', 'example.com/vgpu'])('%s are GPUs', (gpuResource) => {
    expect(ofServing({ resources: { gpu: 1, gpuResource } })).toMatchObject({ 'deployment/server': [] });
  });

  test('an agent', () => {
    const agent = new AgentService(chart(), 'a', props({ image: 'agent:1', model: 'small' }));
    expect(containersOf(agent.render())).toEqual({ 'deployment/agent': [NONE] });
  });

  test('ranks on CPUs, and the launcher of ranks on GPUs with what waits in it', () => {
    expect(Object.values(ofTraining({ resources: { gpu: 0 } }))).toEqual([[NONE], [NONE], [NONE]]);
    const seen = ofTraining({ resources: { gpu: 8 } });
    const [worker, ...launcher] = Object.entries(seen).toSorted(
      ([a], [b]) => Number(b.includes('worker')) - Number(a.includes('worker')),
    );
    expect(worker?.[1]).toEqual([]);
    expect(launcher.map(([, env]) => env)).toEqual([[NONE], [NONE]]);
  });

  test('unless the user says which', () => {
    const env = [{ name: 'NVIDIA_VISIBLE_DEVICES', value: 'all' }];
    expect(ofServing({ env })).toMatchObject({ 'deployment/server': env, 'fetch/fetch': env });
    const patch = { spec: { containers: [{ name: 'server', env }] } };
    expect(ofServing({ podTemplate: patch })).toMatchObject({ 'deployment/server': env, 'fetch/fetch': [NONE] });
  });

  test('also beside envFrom, whose keys nobody knows, unless env says which', () => {
    const envFrom = [{ secretRef: { name: 'tokens' } }];
    const patch = (fields: object) => ({ spec: { containers: [{ name: 'server', envFrom, ...fields }] } });
    expect(ofServing({ podTemplate: patch({}) })).toMatchObject({ 'deployment/server': [NONE] });
    const env = [{ name: 'NVIDIA_VISIBLE_DEVICES', value: '0' }];
    expect(ofServing({ podTemplate: patch({ env }) })).toMatchObject({ 'deployment/server': env });
  });
});
