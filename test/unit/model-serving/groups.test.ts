import { describe, expect, it, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { MAX_GROUPED_NAME_LENGTH } from '../../../constructs/model-serving/group.rules.ts';
import type { PodTemplate } from '../../../constructs/parts/objects/kube.ts';
import { childOf, construct, idsOf, parsed, render, specOf } from './support/render.ts';
import { scaled, shared } from './support/specs.ts';

/** One replica on two nodes with four GPUs each. */
const grouped: ModelServingSpecInput = { ...shared, resources: { gpu: 4, cpu: '8', memory: '64Gi' }, nodes: 2 };

interface GroupSpec {
  readonly replicas?: number;
  readonly rolloutStrategy: object;
  readonly leaderWorkerTemplate: {
    readonly size: number;
    readonly restartPolicy: string;
    readonly leaderTemplate: PodTemplate;
    readonly workerTemplate: PodTemplate;
  };
}

const groupOf = (spec: ModelServingSpecInput) => specOf('groups', spec) as unknown as GroupSpec;
const templatesOf = (spec: ModelServingSpecInput) => groupOf(spec).leaderWorkerTemplate;

describe('replicas of several pods', () => {
  it('are made by a LeaderWorkerSet and no Deployment is', () => {
    const ids = idsOf(grouped);
    expect(ids).toContain('groups');
    expect(ids).not.toContain('deployment');
    expect(childOf('groups', grouped).manifest).toMatchObject({
      apiVersion: 'leaderworkerset.x-k8s.io/v1',
      kind: 'LeaderWorkerSet',
      // Its controller makes a Service of the same name; clients ask that of the resource's own.
      metadata: { name: 'llama-server', namespace: 'models' },
      spec: {
        replicas: 2,
        startupPolicy: 'LeaderCreated',
        rolloutStrategy: { rollingUpdateConfiguration: { maxSurge: 1, maxUnavailable: 0 } },
        leaderWorkerTemplate: { size: 2, restartPolicy: 'RecreateGroupOnPodRestart' },
      },
    });
    expect(childOf('service', grouped).manifest.metadata.name).toBe('llama');
  });

  it.each([1, undefined])('are not those of nodes %s', (nodes) => {
    const { nodes: _, ...rest } = grouped;
    expect(idsOf(nodes === undefined ? rest : { ...rest, nodes })).toContain('deployment');
  });

  it('start when the weights are there, as those of one pod do', () => {
    expect(childOf('groups', grouped).after).toEqual([
      'service-account',
      'network-policy',
      'worker-network-policy',
      'fetcher-network-policy',
      'fetch',
    ]);
  });

  it('take requests by their leaders alone', () => {
    const { leaderTemplate, workerTemplate } = templatesOf(grouped);
    const { selector } = specOf('service', grouped) as { selector: Readonly<Record<string, string>> };
    expect(leaderTemplate.metadata.labels).toMatchObject(selector);
    expect(workerTemplate.metadata.labels).toMatchObject({
      ...selector,
      'app.kubernetes.io/component': 'worker',
    });
    const [leader, worker] = [leaderTemplate, workerTemplate].map(({ spec }) => spec.containers[0]);
    expect(leader).toHaveProperty('lifecycle.preStop');
    expect(worker).not.toHaveProperty('lifecycle');
    expect(worker?.ports ?? []).toEqual([]);
    expect(workerTemplate.metadata.annotations).not.toHaveProperty('prometheus.io/scrape');
  });

  it('are asked by the probes of the leader where their engine answers on workers, too', () => {
    const [worker] = templatesOf({ ...grouped, engine: { type: 'sglang' } }).workerTemplate.spec.containers;
    expect(worker).toMatchObject({
      ports: [{ name: 'http', containerPort: 30_000 }],
      startupProbe: { httpGet: { path: '/health', port: 'http' } },
      readinessProbe: { httpGet: { path: '/health', port: 'http' } },
    });
    expect(templatesOf(grouped).workerTemplate.spec.containers[0]).not.toHaveProperty('readinessProbe');
  });

  it('wait for as long as a drain may take where the leader counts the requests of its own copies alone', () => {
    const copies = { ...grouped, parallelism: { tensor: 4, data: 2 } };
    const hookOf = (type: 'vllm' | 'sglang') =>
      templatesOf({ ...copies, engine: { type } }).leaderTemplate.spec.containers[0]?.lifecycle?.preStop;
    expect(hookOf('sglang')).toEqual({ sleep: { seconds: 120 } });
    expect(hookOf('vllm')).toHaveProperty('exec');
  });

  it('have the same GPUs, memory, weights and shared memory in each pod', () => {
    const { leaderTemplate, workerTemplate } = templatesOf(grouped);
    const [leader, worker] = [leaderTemplate, workerTemplate].map(({ spec }) => spec);
    expect(worker?.volumes).toEqual(leader?.volumes);
    expect(worker?.initContainers).toEqual(leader?.initContainers);
    for (const field of ['resources', 'volumeMounts', 'image', 'securityContext'] as const) {
      expect(worker?.containers[0]?.[field]).toEqual(leader?.containers[0]?.[field]);
    }
  });

  it('split the model over the GPUs of a pod, and then over the pods, where the spec says nothing', () => {
    const args = templatesOf(grouped).leaderTemplate.spec.containers[0]?.args ?? [];
    expect(args).toEqual(expect.arrayContaining(['--tensor-parallel-size=4', '--pipeline-parallel-size=2']));
  });

  it('talk with each other, and with nobody else', () => {
    const peers = { podSelector: { matchLabels: { 'app.kubernetes.io/instance': 'llama' } } };
    expect(specOf('network-policy', grouped)).toMatchObject({
      podSelector: { matchLabels: { 'app.kubernetes.io/component': 'server' } },
      ingress: [{ ports: [{ port: 'http' }] }, { from: [peers] }],
    });
    const worker = specOf('worker-network-policy', grouped);
    expect(worker).toMatchObject({
      podSelector: { matchLabels: { 'app.kubernetes.io/component': 'worker' } },
      ingress: [{ from: [peers] }],
    });
    expect(worker['ingress']).toHaveLength(1);
    expect(idsOf(shared)).not.toContain('worker-network-policy');
  });

  it('lose one pod at a time to the drain of a node, whichever of them it is', () => {
    expect(specOf('disruption-budget', grouped)).toMatchObject({
      maxUnavailable: 1,
      selector: {
        matchLabels: { 'app.kubernetes.io/instance': 'llama' },
        matchExpressions: [{ key: 'app.kubernetes.io/component', operator: 'In', values: ['server', 'worker'] }],
      },
    });
  });

  it.each([
    ['ScaledObject', scaled.autoscaling],
    ['HorizontalPodAutoscaler', { maxReplicas: 3, targets: { cpuPercent: 80 } }],
  ])('are scaled as groups, by a %s', (kind, autoscaling) => {
    const { replicas: _, ...spec } = grouped;
    const { manifest, unmanagedFields } = childOf('autoscaler', { ...spec, ...(autoscaling && { autoscaling }) });
    expect(manifest).toMatchObject({
      kind,
      spec: { scaleTargetRef: { kind: 'LeaderWorkerSet', name: 'llama-server' } },
    });
    expect(unmanagedFields ?? []).toEqual([]);
    const groups = childOf('groups', { ...spec, ...(autoscaling && { autoscaling }) });
    expect(groups.unmanagedFields).toEqual(['spec.replicas']);
    expect(groups.manifest).not.toHaveProperty('spec.replicas');
  });

  it.each([
    ['required', 'requiredDuringSchedulingIgnoredDuringExecution'],
    ['preferred', 'preferredDuringSchedulingIgnoredDuringExecution'],
  ])('run near to each other where topology.%s asks for it', (how, affinity) => {
    const { leaderTemplate, workerTemplate } = templatesOf({ ...grouped, topology: { [how]: 'example.com/rack' } });
    for (const { spec } of [leaderTemplate, workerTemplate]) {
      const terms = JSON.stringify(spec.affinity?.podAffinity?.[affinity as never]);
      expect(terms).toContain('"topologyKey":"example.com/rack"');
      expect(terms).toContain('"matchLabelKeys":["leaderworkerset.sigs.k8s.io/group-key"]');
    }
  });
});

describe('while replicas of one pod are followed by those of several', () => {
  const before = parsed({ ...grouped, nodes: 1 });

  it('both are there', () => {
    const children = render(grouped, { standing: before });
    const kinds = children.map(({ manifest: { kind, metadata } }) => `${kind} ${metadata.name}`);
    expect(kinds).toEqual(expect.arrayContaining(['LeaderWorkerSet llama-server', 'Deployment llama']));
  });

  it('the earlier ones are as they were', () => {
    const { nodes: _, ...single } = grouped;
    expect(specOf('deployment', grouped, { standing: before })).toEqual(specOf('deployment', single));
  });

  it('the policy of workers stays as long as there are some', () => {
    const { nodes: _, ...single } = grouped;
    expect(idsOf(single, { standing: parsed(grouped) })).toContain('worker-network-policy');
    expect(specOf('network-policy', single, { standing: parsed(grouped) })).toHaveProperty('ingress.1.from');
  });
});

describe('a spec is refused', () => {
  test.each<[string, object, RegExp]>([
    [
      'of an engine that runs on one node alone',
      { engine: { type: 'tgi' }, security: { level: 'baseline' } },
      /nodes: must be 1 or left out with tgi, triton, tensorflow-serving, custom: vllm and sglang run one model over several nodes/,
    ],
    [
      'whose volume one node alone may mount',
      { storage: { size: '40Gi' }, replicas: 1 },
      /storage.accessMode: must be ReadWriteMany where nodes is above 1/,
    ],
    [
      'that splits the model over another number of GPUs',
      { parallelism: { tensor: 4 } },
      /parallelism: tensor times pipeline times data must be the number of GPUs of one replica, nodes times resources.gpu/,
    ],
    [
      'that is scaled by what its leader counts of a part of its requests',
      {
        engine: { type: 'sglang' },
        parallelism: { tensor: 4, data: 2 },
        replicas: undefined,
        autoscaling: {
          maxReplicas: 2,
          targets: { queueDepth: 4 },
          prometheus: { serverAddress: 'http://prometheus:9090' },
        },
      },
      /autoscaling.prometheus: must be left out with sglang where nodes and parallelism.data are above 1/,
    ],
    ['with a topology of one pod', { nodes: 1, topology: { required: 'a/b' } }, /topology: must be left out/],
    [
      'with two topologies',
      { topology: { required: 'a/b', preferred: 'a/b' } },
      /topology: must have required or pref/,
    ],
    ['with no topology in topology', { topology: {} }, /topology: must have required or preferred/],
    ['with a label that is none', { topology: { required: 'a b' } }, /topology.required: must be the name of a label/],
    [
      'with a pod affinity beside its topology',
      { topology: { required: 'a/b' }, podTemplate: { spec: { affinity: { podAffinity: {} } } } },
      /podTemplate.spec.affinity.podAffinity: must be left out where topology is given/,
    ],
  ])('%s', (_, change, words) => {
    expect(() => construct({ ...grouped, ...change })).toThrow(words);
  });

  test('whose name leaves no room for those of its pods', () => {
    expect(() => render(grouped, undefined, 'a'.repeat(MAX_GROUPED_NAME_LENGTH))).not.toThrow();
    expect(() => render(grouped, undefined, 'a'.repeat(MAX_GROUPED_NAME_LENGTH + 1))).toThrow(
      `metadata.name: must have at most ${MAX_GROUPED_NAME_LENGTH} characters where spec.nodes is above 1`,
    );
    expect(() => render(shared, undefined, 'a'.repeat(MAX_GROUPED_NAME_LENGTH + 1))).not.toThrow();
  });
});
