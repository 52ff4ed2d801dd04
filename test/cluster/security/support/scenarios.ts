import { App, Chart } from 'cdk8s';
import { expect } from 'vitest';
import {
  AgentService,
  type AgentServiceSpecInput,
  DistributedTraining,
  type Manifest,
  ModelServing,
  type ModelServingSpecInput,
} from '../../../../constructs/index.ts';
import { agentService } from '../../../../operator/kinds/agent-service/index.ts';
import type { KubeClient } from '../../../../operator/kube/client/client.ts';
import { TYPES } from '../../../../operator/kube/client/resource-types.ts';
import { apiVersionOf, type ResourceType } from '../../../../operator/kube/client/types.ts';
import { eventually } from '../../support/eventually.ts';
import { searchSpec } from '../../support/search.ts';
import { modelServingType, ServingUnderTest, servingSpec } from '../../support/serving.ts';
import { distributedTrainingType, simulated, TrainingUnderTest, trainingSpec } from '../../support/training.ts';
import { occupy } from './occupy.ts';

/** Where a life takes place. */
interface World {
  readonly admin: KubeClient;
  readonly namespace: string;
  /** Waits until the operator has used a right: `apps/deployments get`. */
  readonly use: (resource: { poke(): Promise<void> }, right: string) => Promise<void>;
}

/** A life of each kind that takes every right that the kind needs. */
export const SCENARIOS: Readonly<Record<string, (world: World) => Promise<void>>> = {
  ModelServing: serve,
  AgentService: act,
  DistributedTraining: train,
};

const chart = (): Chart => new Chart(new App(), 'rights');

const poking = ({ admin, namespace }: World, type: ResourceType, name: string) => ({
  poke: async (): Promise<void> => {
    const annotations = { 'example.com/poke': String(Date.now()) };
    await admin.patch(type, { namespace, name }, { metadata: { annotations } });
  },
});

async function secret({ admin, namespace }: World, name: string): Promise<void> {
  const metadata = { name, namespace };
  await admin.create(TYPES.secret, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { key: 'a' } });
}

async function serve(world: World): Promise<void> {
  const { admin, namespace } = world;
  const serving = new ServingUnderTest(admin, namespace);
  const use = (right: string): Promise<void> => world.use(poking(world, modelServingType, serving.name), right);
  const manifestsOf = (spec: ModelServingSpecInput): readonly Manifest[] =>
    new ModelServing(chart(), 'serving', { name: serving.name, namespace, spec })
      .render()
      .map(({ manifest }) => manifest);
  const { replicas: _, ...unscaled } = servingSpec;
  const first = {
    ...unscaled,
    model: { ...servingSpec.model, credentials: { secretName: 'reader' } },
    autoscaling: { minReplicas: 1, maxReplicas: 3, targets: { cpuPercent: 70 } },
    expose: { ingress: { host: 'llama.example.com' } },
  };
  await secret(world, 'reader');

  // Where every name is taken, it looks at each object, and who has it.
  const taken = await occupy(admin, manifestsOf(first));
  await serving.apply(first);
  await use('/serviceaccounts get');
  await use('autoscaling/horizontalpodautoscalers get');
  await taken.free(({ kind }) => kind !== 'Job' && kind !== 'Deployment');
  await use('batch/jobs get');
  await taken.free(({ kind }) => kind === 'Job');
  await use('apps/deployments get');
  await taken.free(() => true);
  await serving.reaches('Running', 90_000);

  // Another autoscaler and another way in.
  const prometheus = { serverAddress: 'http://prometheus.monitoring.svc:9090' };
  const second = {
    ...first,
    autoscaling: { minReplicas: 1, maxReplicas: 3, targets: { queueDepth: 4 }, prometheus },
    expose: { gateway: { name: 'public', hostname: 'llama.example.com' } },
  };
  const isOther = ({ kind }: Manifest): boolean => kind === 'ScaledObject' || kind === 'HTTPRoute';
  const others = await occupy(admin, manifestsOf(second).filter(isOther));
  await serving.apply(second);
  await use('keda.sh/scaledobjects get');
  await use('gateway.networking.k8s.io/httproutes get');
  await others.free(() => true);
  await use('keda.sh/scaledobjects create');
  await use('gateway.networking.k8s.io/httproutes create');

  // Nothing that is fetched, scaled or reached from outside, and then nothing that serves.
  await admin.create(TYPES.persistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'shared', namespace },
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
  });
  const { storage: __, ...bare } = { ...servingSpec, model: { uri: 'pvc://shared/llama' } };
  await serving.apply(bare);
  await serving.reaches('Running', 90_000);
  await eventually(async () => expect((await admin.list(TYPES.job, { namespace })).items).toEqual([]));
  // Replicas of several pods, and back: here nothing makes their pods, so that those of one pod stay.
  const grouped = { ...bare, nodes: 2 };
  const sets = await occupy(
    admin,
    manifestsOf(grouped).filter(({ kind }) => kind === 'LeaderWorkerSet'),
  );
  await serving.apply(grouped);
  await use('leaderworkerset.x-k8s.io/leaderworkersets get');
  await sets.free(() => true);
  await use('leaderworkerset.x-k8s.io/leaderworkersets create');
  await serving.apply(bare);
  await use('leaderworkerset.x-k8s.io/leaderworkersets delete');
  await serving.reaches('Running', 90_000);
  await serving.apply({ ...bare, retired: true });
  await serving.reaches('Retired', 90_000);
  await serving.apply(bare);
  await serving.reaches('Running', 90_000);
  await serving.delete();
  await eventually(async () => expect(await admin.find(modelServingType, serving)).toBeUndefined(), {
    timeout: 60_000,
  });
}

/** Only what a ModelServing does not take. */
async function act(world: World): Promise<void> {
  const { admin, namespace } = world;
  const metadata = { name: 'agent', namespace };
  const bare: AgentServiceSpecInput = { image: 'agent:1', model: 'gpt-4o' };
  const queued: AgentServiceSpecInput = {
    ...bare,
    autoscaling: {
      maxReplicas: 3,
      targets: { queueDepth: 5 },
      queue: {
        type: 'redis',
        address: 'redis.agents.svc:6379',
        list: 'tasks',
        credentials: { secretName: 'redis', key: 'key' },
      },
    },
  };
  const apply = async (spec: AgentServiceSpecInput): Promise<void> => {
    const body = { apiVersion: 'trunnion.dev/v1alpha1', kind: 'AgentService', metadata, spec };
    await admin.apply(agentService.type, body, { fieldManager: 'kubectl', force: true });
  };
  const use = (right: string): Promise<void> => world.use(poking(world, agentService.type, metadata.name), right);
  await secret(world, 'redis');
  const children = new AgentService(chart(), 'agent', { ...metadata, spec: queued }).render();
  const authentication = children
    .map(({ manifest }) => manifest)
    .filter(({ kind }) => kind === 'TriggerAuthentication');
  const taken = await occupy(admin, authentication);
  await apply(queued);
  await use('keda.sh/triggerauthentications get');
  await taken.free(() => true);
  await use('keda.sh/triggerauthentications create');
  await apply(bare);
  await use('keda.sh/triggerauthentications delete');

  // Hosts by name, where another policy has the name at first.
  const reaching: AgentServiceSpecInput = { ...bare, egress: [{ hosts: ['api.openai.com'], ports: [443] }] };
  const hosts = new AgentService(chart(), 'agent', { ...metadata, spec: reaching }).render();
  const policy = hosts.map(({ manifest }) => manifest).filter(({ kind }) => kind === 'CiliumNetworkPolicy');
  const other = await occupy(admin, policy);
  await apply(reaching);
  await use('cilium.io/ciliumnetworkpolicies get');
  await other.free(() => true);
  await use('cilium.io/ciliumnetworkpolicies create');
  await apply(bare);
  await use('cilium.io/ciliumnetworkpolicies delete');
  await admin.delete(agentService.type, metadata);
}

/** Only what the others do not take: trials, a PodGroup, a key, pods that nobody else deletes, and an end of its own. */
async function train(world: World): Promise<void> {
  await search(world);
  const { admin, namespace } = world;
  const training = new TrainingUnderTest(admin, namespace);
  const use = (right: string): Promise<void> => world.use(poking(world, distributedTrainingType, training.name), right);
  const gang = { ...trainingSpec, gang: { scheduler: 'volcano' } } as const;
  const children = new DistributedTraining(chart(), 'training', {
    name: training.name,
    namespace,
    spec: gang,
  }).render();
  const groups = children.map(({ manifest }) => manifest).filter(({ kind }) => kind === 'PodGroup');
  const taken = await occupy(admin, groups);
  await training.apply(gang);
  await use('scheduling.volcano.sh/podgroups get');
  await taken.free(() => true);
  await use('scheduling.volcano.sh/podgroups create');
  await training.apply(trainingSpec);
  await use('scheduling.volcano.sh/podgroups delete');

  const { status } = await training.reaches('Running');
  const job = { namespace, name: `${training.name}-${status?.attempt}` };
  await admin.delete(TYPES.job, job, { propagationPolicy: 'Orphan' });
  await eventually(async () => expect((await training.get()).status?.attempts?.at(-1)?.reason).toBe('JobDeleted'));
  await training.reaches('Running', 90_000);

  await training.apply({ ...trainingSpec, priorityClassName: 'nope' });
  await use('/events list');

  const brief = { metadata: { annotations: simulated({ 'delay-seconds': '1' }) } };
  await training.apply({ ...trainingSpec, framework: 'mpi', podTemplate: brief, ttlSecondsAfterFinished: 1 });
  await eventually(async () => expect(await admin.find(distributedTrainingType, training)).toBeUndefined(), {
    timeout: 60_000,
  });
}

/** A search, whose children are trainings. */
async function search(world: World): Promise<void> {
  const { admin, namespace } = world;
  const searching = new TrainingUnderTest(admin, namespace, 'search');
  const use = (right: string): Promise<void> =>
    world.use(poking(world, distributedTrainingType, searching.name), right);
  const { tuning: _, ...spec } = searchSpec;
  const apiVersion = apiVersionOf(distributedTrainingType);
  const { kind } = distributedTrainingType;
  const metadata = { name: `${searching.name}-1`, namespace };
  const taken = await occupy(admin, [{ apiVersion, kind, metadata, spec: { ...spec, suspend: true } }]);
  await searching.apply(searchSpec);
  await use('trunnion.dev/distributedtrainings get');
  await taken.free(() => true);
  await use('trunnion.dev/distributedtrainings create');
  await searching.delete();
}
