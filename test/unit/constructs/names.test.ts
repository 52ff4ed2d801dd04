import { App, Chart, Testing } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { AgentService, DistributedTraining, ModelServing } from '../../../constructs/index.ts';
import type { Manifest, Workload } from '../../../constructs/index.ts';
import { NAMINGS } from '../../../constructs/parts/objects/naming.ts';
import { labelsOfPods, podTemplateOf } from '../security/support/pods.ts';

const namespace = 'models';
const serving = (accessMode: 'ReadWriteMany' | 'ReadWriteOnce') => (name: string, chart: Chart, id: string) =>
  new ModelServing(chart, id, {
    name,
    namespace,
    spec: {
      model: { uri: 's3://models/llama/' },
      storage: { size: '40Gi', accessMode },
      engine: { type: 'vllm' },
      resources: { gpu: 1, cpu: '1' },
      ...(accessMode === 'ReadWriteMany' && {
        autoscaling: { minReplicas: 1, maxReplicas: 4, targets: { cpuPercent: 80 } },
        expose: { ingress: { host: 'llama.example.com' } },
      }),
    },
  });

/** One of each shape that the objects of a workload may have, so that every name that derives from another is there. */
const KINDS: Readonly<Record<string, (name: string, chart: Chart, id: string) => Workload>> = {
  'ModelServing, a Job fetches': serving('ReadWriteMany'),
  'ModelServing, the server fetches': serving('ReadWriteOnce'),
  AgentService: (name, chart, id) =>
    new AgentService(chart, id, {
      name,
      namespace,
      spec: { image: 'agent:1', model: 'gpt-4o', expose: { ingress: { host: 'agent.example.com' } } },
    }),
  'AgentService of an AIAgent': (name, chart, id) =>
    new AgentService(chart, id, {
      name,
      namespace,
      naming: NAMINGS.AIAgent(name),
      spec: { image: 'agent:1', model: 'gpt-4o' },
    }),
  DistributedTraining: (name, chart, id) =>
    new DistributedTraining(chart, id, { name, namespace, spec: { framework: 'pytorch', image: 'train:1' } }),
  'DistributedTraining of several roles': (name, chart, id) =>
    new DistributedTraining(chart, id, {
      name,
      namespace,
      spec: {
        framework: 'mpi',
        image: 'train:1',
        command: ['mpirun', 'train'],
        replicas: 2,
        mpi: { sshSecretName: 'keys' },
      },
    }),
  'DistributedTraining of an MLTrainingJob': (name, chart, id) =>
    new DistributedTraining(chart, id, {
      name,
      namespace,
      naming: NAMINGS.MLTrainingJob(name),
      // Only the operator tells ranks their roles.
      state: {},
      spec: { framework: 'pytorch', image: 'train:1', replicas: 3 },
    }),
};

const rendered = new Map<string, readonly Manifest[]>();

function made(kind: string, name: string): readonly Manifest[] {
  const key = `${kind} ${name}`;
  const known = rendered.get(key);
  if (known) return known;
  const workload = KINDS[kind]?.(name, new Chart(new App(), 'chart'), 'workload');
  const manifests = (workload?.render() ?? []).map(({ manifest }) => manifest);
  rendered.set(key, manifests);
  return manifests;
}

const titleOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;

/** Beginnings of what is put behind a name: `-worker` and `-worker-1` of `-worker-1`. */
const beginningsOf = (suffix: string): readonly string[] => {
  const words = suffix.split('-');
  return words.slice(1).map((_, index) => words.slice(0, index + 2).join('-'));
};

/** All that is put behind a name, by which a resource may be called that has nothing to do with it. */
const SUFFIXES = [
  ...new Set(
    Object.keys(KINDS).flatMap((kind) =>
      made(kind, 'x').flatMap(({ metadata }) => beginningsOf(metadata.name.replace(/^x/, ''))),
    ),
  ),
];

/** Of two resources, one of which is called what a child of the other is called, the objects that both would make. */
const clashes = (): readonly string[] =>
  Object.keys(KINDS).flatMap((kind) => {
    const own = new Set(made(kind, 'x').map(titleOf));
    return SUFFIXES.flatMap((suffix) =>
      Object.keys(KINDS).flatMap((other) =>
        made(other, `x${suffix}`)
          .map(titleOf)
          .filter((title) => own.has(title))
          .map((title) => `${kind} x, ${other.split(',')[0]?.split(' ')[0]} x${suffix}: ${title}`),
      ),
    );
  });

describe('two resources of different names', () => {
  test('meet in these objects alone, none of which is a Deployment or a volume', () => {
    const found = [...new Set(clashes())].sort();
    expect(found.filter((clash) => / (Deployment|StatefulSet|PersistentVolumeClaim) /.test(clash))).toEqual([]);
    expect(found).toMatchInlineSnapshot(`
      [
        "AgentService of an AIAgent x, AgentService x-svc: Service x-svc",
        "AgentService of an AIAgent x, DistributedTraining x-svc: Service x-svc",
        "AgentService of an AIAgent x, ModelServing x-svc: Service x-svc",
        "DistributedTraining of an MLTrainingJob x, AgentService x-attempt-1: PodDisruptionBudget x-attempt-1",
        "DistributedTraining of an MLTrainingJob x, AgentService x-master: Service x-master",
        "DistributedTraining of an MLTrainingJob x, AgentService x-worker-0: Service x-worker-0",
        "DistributedTraining of an MLTrainingJob x, AgentService x-worker-1: Service x-worker-1",
        "DistributedTraining of an MLTrainingJob x, DistributedTraining x-master: Service x-master",
        "DistributedTraining of an MLTrainingJob x, DistributedTraining x-worker-0: Service x-worker-0",
        "DistributedTraining of an MLTrainingJob x, DistributedTraining x-worker-1: Service x-worker-1",
        "DistributedTraining of an MLTrainingJob x, ModelServing x-attempt-1: PodDisruptionBudget x-attempt-1",
        "DistributedTraining of an MLTrainingJob x, ModelServing x-master: Service x-master",
        "DistributedTraining of an MLTrainingJob x, ModelServing x-worker-0: Service x-worker-0",
        "DistributedTraining of an MLTrainingJob x, ModelServing x-worker-1: Service x-worker-1",
        "DistributedTraining of several roles x, AgentService x-attempt-1: PodDisruptionBudget x-attempt-1",
        "DistributedTraining of several roles x, DistributedTraining x-launcher: Job x-launcher-1",
        "DistributedTraining of several roles x, DistributedTraining x-worker: Job x-worker-1",
        "DistributedTraining of several roles x, ModelServing x-attempt-1: PodDisruptionBudget x-attempt-1",
        "DistributedTraining x, AgentService x-attempt-1: PodDisruptionBudget x-attempt-1",
        "DistributedTraining x, ModelServing x-attempt-1: PodDisruptionBudget x-attempt-1",
        "ModelServing, a Job fetches x, AgentService x-fetcher: NetworkPolicy x-fetcher",
        "ModelServing, a Job fetches x, DistributedTraining x-fetcher: NetworkPolicy x-fetcher",
        "ModelServing, a Job fetches x, ModelServing x-fetcher: NetworkPolicy x-fetcher",
        "ModelServing, the server fetches x, AgentService x-fetch: NetworkPolicy x-fetch",
        "ModelServing, the server fetches x, DistributedTraining x-fetch: NetworkPolicy x-fetch",
        "ModelServing, the server fetches x, ModelServing x-fetch: NetworkPolicy x-fetch",
      ]
    `);
  });

  test('never select the pods of each other, by whatever selector', () => {
    for (const [kind, other, suffix] of Object.keys(KINDS).flatMap((kind) =>
      Object.keys(KINDS).flatMap((other) => SUFFIXES.map((suffix) => [kind, other, suffix] as const)),
    )) {
      const pods = made(other, `x${suffix}`)
        .filter((manifest) => podTemplateOf(manifest) !== undefined)
        .map(labelsOfPods);
      for (const manifest of made(kind, 'x')) {
        for (const selector of selectorsOf(manifest)) {
          const reached = pods.filter((labels) =>
            Object.entries(selector).every(([key, value]) => labels[key] === value),
          );
          expect([kind, titleOf(manifest), reached]).toEqual([kind, titleOf(manifest), []]);
        }
      }
    }
  });

  test('of one app, which would make the same object, are refused at synth, with what to change', () => {
    const app = new App({ outdir: '/nowhere' });
    const chart = new Chart(app, 'models');
    serving('ReadWriteMany')('llama', chart, 'llama');
    serving('ReadWriteMany')('llama-fetcher', chart, 'other');
    expect(() => app.synth()).toThrow(
      /NetworkPolicy models\/llama-fetcher is made by models\/llama as well as by models\/other,.* another name/,
    );
  });

  test('of one app that meet in nothing are no matter', () => {
    const app = Testing.app();
    const chart = new Chart(app, 'models');
    serving('ReadWriteMany')('llama', chart, 'llama');
    serving('ReadWriteMany')('llama-2', chart, 'other');
    expect(() => app.synth()).not.toThrow();
  });
});

/** What a manifest selects pods by. */
function* selectorsOf(value: unknown): Generator<Readonly<Record<string, string>>> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'matchLabels') yield inner;
    else if (key === 'selector' && !('matchLabels' in inner)) yield inner;
    else if (key !== 'template') yield* selectorsOf(inner);
  }
}
