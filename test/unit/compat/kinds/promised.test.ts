import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../../../constructs/index.ts';
import { reconciled, filed, fromFile, rendered, stored } from './support.ts';

/** The children of a resource of a file, by kind and name, where `change` is merged into its spec. */
function childrenOf(file: string, id: string, change: object = {}): ReadonlyMap<string, Manifest> {
  const resource = fromFile(file, id);
  const changed = { ...resource, spec: { ...(resource.spec as object), ...change } };
  const all = rendered(stored(changed as unknown as Manifest), { related: filed(file) });
  return new Map(all.map(({ manifest }) => [`${manifest.kind}/${manifest.metadata.name}`, manifest]));
}

const podOf = (children: ReadonlyMap<string, Manifest>, id: string): Record<string, unknown> =>
  (children.get(id) as unknown as { readonly spec: { readonly template: { readonly spec: Record<string, unknown> } } })
    .spec.template.spec;

describe('an AIAgent', () => {
  const agent = (change?: object) => childrenOf('full/aiagent.yaml', 'AIAgent/support-agent', change);

  test('is scaled by its CPUs and by the depth of a queue', () => {
    const children = agent();
    expect(children.get('ScaledObject/support-agent')).toMatchObject({
      spec: {
        minReplicaCount: 2,
        maxReplicaCount: 15,
        triggers: [
          {
            type: 'redis',
            metadata: { address: 'redis.ai-agents.svc:6379', listName: 'tickets', listLength: '5' },
            authenticationRef: { name: 'support-agent' },
          },
          { type: 'cpu', metadata: { value: '70' } },
        ],
      },
    });
    expect(children.get('TriggerAuthentication/support-agent')).toMatchObject({
      spec: { secretTargetRef: [{ parameter: 'password', name: 'redis', key: 'password' }] },
    });
    expect(children.has('HorizontalPodAutoscaler/support-agent')).toBe(false);
  });

  test('is scaled by the queue alone where targets names nothing else', () => {
    const autoscaling = {
      enabled: true,
      minReplicas: 0,
      targets: { queueDepth: 5 },
      queue: { type: 'redis', address: 'redis.ai-agents.svc:6379', list: 'tickets' },
    };
    expect(agent({ autoscaling }).get('ScaledObject/support-agent')).toMatchObject({
      spec: { minReplicaCount: 0, maxReplicaCount: 10, triggers: [{ type: 'redis' }] },
    });
  });

  test('is scaled by its CPUs alone where no queue is named, by an autoscaler of Kubernetes itself', () => {
    const hpa = agent({ autoscaling: { enabled: true, targets: { cpuPercent: 50 } } });
    expect(hpa.get('HorizontalPodAutoscaler/support-agent')).toMatchObject({
      spec: { metrics: [{ resource: { name: 'cpu', target: { averageUtilization: 50 } } }] },
    });
  });

  test('has an Ingress to its Service', () => {
    expect(agent().get('Ingress/support-agent')).toMatchObject({
      spec: {
        ingressClassName: 'nginx',
        tls: [{ hosts: ['support.example.com'], secretName: 'support-tls' }],
        rules: [
          {
            host: 'support.example.com',
            http: { paths: [{ backend: { service: { name: 'support-agent-svc' } } }] },
          },
        ],
      },
    });
  });

  test('asks for the CPUs that its targets are in percent of', () => {
    expect(podOf(agent(), 'Deployment/support-agent')).toMatchObject({
      containers: [{ resources: { requests: { cpu: '500m', memory: '1Gi' } } }],
    });
    expect(podOf(agent({ resources: { memory: '1Gi' } }), 'Deployment/support-agent')).toMatchObject({
      containers: [{ resources: { requests: { cpu: '100m', memory: '1Gi' } } }],
    });
  });

  test('restarts no pod when it is to be scaled by a queue as well', () => {
    const spec = { autoscaling: { enabled: true, targets: { cpuPercent: 70 } } };
    expect(agent(spec).get('Deployment/support-agent')).toEqual(agent().get('Deployment/support-agent'));
  });
});

describe('an LLMDeployment', () => {
  const FILE = 'full/llm.yaml';
  const chat = (change?: object) => childrenOf(FILE, 'LLMDeployment/chat-large', change);

  test('has four GPUs of 80 GB a replica', () => {
    expect(podOf(chat(), 'Deployment/chat-large')).toMatchObject({
      nodeSelector: { 'nvidia.com/gpu.product': 'NVIDIA-A100-SXM4-80GB' },
      containers: [{ resources: { limits: { 'nvidia.com/gpu': '4', memory: '128Gi' } } }],
    });
  });

  test('gets its weights from a volume that they are fetched onto', () => {
    const claim = [...chat()].find(([id]) => id.startsWith('PersistentVolumeClaim/'))?.[1];
    expect(claim).toMatchObject({
      spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '60Gi' } } },
    });
    const pod = podOf(chat(), 'Deployment/chat-large');
    expect(pod).toMatchObject({
      containers: [
        {
          command: ['vllm', 'serve'],
          args: expect.arrayContaining(['--port=8080', '--tensor-parallel-size=4', '--max-model-len=32768']),
        },
      ],
      volumes: expect.arrayContaining([
        expect.objectContaining({ persistentVolumeClaim: { claimName: claim?.metadata.name } }),
      ]),
    });
  });

  test('gets its weights from a claim that is there, and fetches nothing', () => {
    const related = filed(FILE);
    const {
      storage: _,
      credentials: __,
      ...spec
    } = fromFile(FILE, 'LLMModel/gpt-large').spec as Record<string, unknown>;
    const model = { ...related['LLMModel/gpt-large']!, spec: { ...spec, modelSource: 'pvc://weights/gpt' } };
    const all = rendered(fromFile(FILE, 'LLMDeployment/chat-large'), { related: { 'LLMModel/gpt-large': model } });
    expect(all.map(({ manifest }) => manifest.kind)).not.toContain('PersistentVolumeClaim');
    expect(JSON.stringify(all)).toContain('"claimName":"weights"');
  });

  test('is scaled by the time to the first token, between bounds, and by nothing of its CPUs', () => {
    const scaler = chat().get('ScaledObject/chat-large');
    expect(scaler).toMatchObject({
      spec: { minReplicaCount: 2, maxReplicaCount: 6, triggers: [{ type: 'prometheus' }] },
    });
    expect(JSON.stringify(scaler)).toContain('vllm:time_to_first_token_seconds');
    expect(chat().get('Deployment/chat-large')?.['spec']).not.toHaveProperty('replicas');
  });

  test('has pods that are locked in, and a policy for what they may reach', () => {
    expect(podOf(chat(), 'Deployment/chat-large')).toMatchObject({
      securityContext: { runAsNonRoot: true },
      containers: [{ securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } }],
    });
    const policy = JSON.stringify(chat().get('NetworkPolicy/chat-large'));
    expect(policy).toContain('"cidr":"10.0.0.0/8"');
    expect(policy).not.toContain('0.0.0.0/0');
    expect(JSON.stringify(chat({ egress: [] }).get('NetworkPolicy/chat-large'))).not.toContain('cidr');
  });

  test('follows every field of its LLMModel, and continues with each of them when it is gone', () => {
    const related = filed(FILE);
    const deployment = fromFile(FILE, 'LLMDeployment/chat-large');
    const { status } = reconciled(deployment, { related });
    expect(status).toMatchObject({ model: { name: 'gpt-large', ...(related['LLMModel/gpt-large']?.spec as object) } });
    expect(rendered({ ...deployment, status })).toEqual(rendered(deployment, { related }));
  });

  test.each([
    [
      { modelName: 'plain', image: 'r/own:1' },
      'spec.autoscaling.targets.ttftMilliseconds: engine.type custom publishes no metric for it',
    ],
    [
      { modelSource: 's3://models/a', engine: { type: 'vllm', args: ['--port=1'] } },
      'spec.modelRef: LLMModel spec.engine.args: must have none of',
    ],
    [
      { image: 'r/vllm:1', engine: { type: 'vllm' } },
      'spec.modelRef: LLMModel spec.modelSource or spec.image: Required value',
    ],
    [
      { image: 'r/own:1', storage: { size: '1Gi' } },
      'spec.modelRef: LLMModel spec.storage: must be left out for pvc:// and oci://',
    ],
    [{ modelName: 'plain' }, 'spec.modelRef: LLMModel spec.image: is required where engine.type is custom'],
    [
      { modelSource: 's3://models/a', storage: { size: 'much' }, engine: { type: 'vllm' } },
      'spec.modelRef: LLMModel spec.storage.size: must be',
    ],
  ])('of an LLMModel with %j tells the problem by the field there', (spec, problem) => {
    const model = { ...fromFile(FILE, 'LLMModel/gpt-large'), spec };
    const attempt = () =>
      reconciled(fromFile(FILE, 'LLMDeployment/chat-large'), { related: { 'LLMModel/gpt-large': model } });
    expect(attempt).toThrow(problem);
  });
});

describe('an MLTrainingJob', () => {
  const job = (change?: object) => childrenOf('full/mltrainingjob.yaml', 'MLTrainingJob/elastic-training', change);

  test('continues with as many workers as there are places, between its bounds', () => {
    expect(job().get('Job/elastic-training-1')).toMatchObject({ spec: { parallelism: 4 } });
    expect(JSON.stringify(job().get('Job/elastic-training-1'))).toContain('{"name":"PET_NNODES","value":"2:8"}');
  });

  test('changes the number of its workers without a new attempt', () => {
    const annotations = (change?: object) => job(change).get('Job/elastic-training-1')?.metadata.annotations;
    expect(annotations({ replicas: 8 })).toEqual(annotations());
    expect(job({ replicas: 8 }).get('Job/elastic-training-1')).toMatchObject({ spec: { parallelism: 8 } });
    expect(job({ replicas: 8 }).has('Service/elastic-training-worker-6')).toBe(true);
  });

  test('asks for nodes of its pool, which an autoscaler of nodes adds for pods that are Pending', () => {
    const spec = podOf(job(), 'Job/elastic-training-1');
    expect(spec).toMatchObject({
      nodeSelector: { pool: 'training' },
      tolerations: expect.arrayContaining([{ key: 'pool', value: 'training', effect: 'NoSchedule' }]),
    });
    expect(JSON.stringify(spec['tolerations'])).toContain('karpenter.sh/capacity-type');
  });

  test('waits for its turn in a queue, which may bring its nodes first', () => {
    expect(job({ queue: 'training' }).get('Job/elastic-training-1')?.metadata.labels).toMatchObject({
      'kueue.x-k8s.io/queue-name': 'training',
    });
  });

  test('tells its place of checkpoints beside the variables of its user', () => {
    const env = [{ name: 'NCCL_DEBUG', value: 'INFO' }];
    const text = JSON.stringify(job({ env }).get('Job/elastic-training-1'));
    expect(text).toContain('"name":"NCCL_DEBUG"');
    expect(text).toContain('{"name":"CHECKPOINT_PATH","value":"s3://ml-checkpoints/elastic-training/"}');
  });

  test('whose variables were stored as something else before they were known says so', () => {
    expect(() => job({ env: { NCCL_DEBUG: 'INFO' } })).toThrow('spec.env in body must be of type array');
  });
});

describe('a ModelDeployment that is deprecated', () => {
  const FILE = 'full/modeldeployment.yaml';
  const ID = 'ModelDeployment/llama-3-8b';

  test('is out of service, says how it comes back, and keeps its resource', () => {
    const resource = fromFile(FILE, ID);
    const first = reconciled(resource).status;
    const { status } = reconciled({ ...resource, status: first });
    expect(status).toMatchObject({ phase: 'Pending', readyPods: 0 });
    expect(status).not.toHaveProperty('endpoint');
    expect(JSON.stringify(status)).toContain('It is out of service. Set deprecated to false to bring it back.');
    expect(JSON.stringify(status)).not.toContain('retired');
    const kinds = rendered({ ...resource, status }).map(({ manifest }) => manifest.kind);
    expect(kinds).not.toContain('Deployment');
    expect(kinds).not.toContain('Service');
    expect(kinds).toContain('PersistentVolumeClaim');
  });

  test('is as it was once it is not any more', () => {
    const back = childrenOf(FILE, ID, { deprecated: false });
    expect([...back]).toEqual([...childrenOf('modeldeployment.yaml', ID)]);
  });
});
