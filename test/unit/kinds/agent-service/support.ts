import type { AgentServiceSpec } from '../../../../constructs/agent-service/spec.ts';
import type { AgentServiceStatus } from '../../../../constructs/agent-service/status.ts';
import type { ModelServingSpec } from '../../../../constructs/model-serving/spec.ts';
import type { ModelServingStatus } from '../../../../constructs/model-serving/status.ts';
import type { Answer } from '../../../../operator/engine/api/queries.ts';
import type { Failure } from '../../../../operator/engine/api/kind.ts';
import type { Resource } from '../../../../operator/engine/api/resource.ts';
import type { ObservedChild, ObservedPod } from '../../../../operator/engine/api/observed.ts';
import { agentService } from '../../../../operator/kinds/agent-service/index.ts';
import type { AgentServiceResource } from '../../../../operator/kinds/agent-service/index.ts';
import { container, RUNNING } from '../model-serving/support.ts';
import { decided } from '../../../support/decided.ts';

/** When tests begin: 2026-01-01T00:00:00Z. */
export const START = Date.parse('2026-01-01T00:00:00Z');
const MINUTE = 60_000;

/** As little as an agent needs, with defaults. */
export const minimal: AgentServiceSpec = {
  image: 'support-agent:2.0.0',
  model: 'gpt-4o',
  resources: {},
  replicas: 2,
  drain: { timeoutSeconds: 600 },
  security: { level: 'restricted' },
};

const { model: _model, ...modelless } = minimal;
const { replicas: _replicas, ...unscaled } = minimal;

/** One whose model a ModelServing serves. */
export const referring: AgentServiceSpec = { ...modelless, modelRef: { name: 'llama' } };

/** One that CPU scales. */
export const byCpu: AgentServiceSpec = {
  ...unscaled,
  resources: { cpu: 1 },
  autoscaling: { minReplicas: 1, maxReplicas: 4, targets: { cpuPercent: 70 } },
};

/** One that a queue scales, with its password in a Secret. */
export const byQueue: AgentServiceSpec = {
  ...unscaled,
  autoscaling: {
    minReplicas: 0,
    maxReplicas: 4,
    targets: { queueDepth: 5 },
    queue: {
      type: 'redis',
      address: 'redis:6379',
      list: 'tasks',
      credentials: { secretName: 'redis', key: 'password' },
    },
  },
};

export const resourceOf = (
  spec: AgentServiceSpec,
  { status, generation = 1 }: { status?: AgentServiceStatus; generation?: number } = {},
): AgentServiceResource => ({
  apiVersion: 'trunnion.dev/v1alpha1',
  kind: 'AgentService',
  metadata: {
    name: 'agent',
    namespace: 'agents',
    uid: 'uid-of-agent',
    resourceVersion: '1',
    generation,
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec,
  ...(status && { status }),
});

export interface Observed {
  readonly resource: AgentServiceResource;
  readonly children?: readonly ObservedChild[];
  readonly pods?: readonly ObservedPod[];
  readonly related?: Readonly<Record<string, Resource>>;
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly problems?: readonly Failure[];
}

/** Reconciles what was observed, at a time. */
export const decide = (
  { children = [], pods = [], related = {}, answers = {}, problems = [], resource }: Observed,
  now = START,
) => decided(agentService, { resource, children, pods, related, answers, failures: problems }, now);

/** What a condition says, as one text: `False ModelNotFound`. */
export const conditionOf = (status: AgentServiceStatus, type: string): string | undefined => {
  const condition = status.conditions?.find((each) => each.type === type);
  return condition && `${condition.status} ${condition.reason}`;
};

/** The sentence of a condition. */
export const messageOf = (status: AgentServiceStatus, type: string): string =>
  status.conditions?.find((each) => each.type === type)?.message ?? '';

export const child = (kind: string, slice: ObservedChild['slice'] = {}): ObservedChild => ({
  apiVersion: 'v1',
  kind,
  namespace: 'agents',
  name: 'agent',
  uid: `uid-of-${kind}`,
  resourceVersion: '1',
  ownerUid: 'uid-of-agent',
  createdAt: START - MINUTE,
  deleting: false,
  digest: 'digest',
  owns: [],
  ready: true,
  slice,
});

interface Counts {
  readonly desired?: number;
  readonly replicas?: number;
  readonly updated?: number;
  readonly ready?: number;
  readonly conditions?: readonly Readonly<Record<string, string>>[];
}

export function deployment(counts: Counts = {}): ObservedChild {
  const { desired = 2, replicas = desired, updated = replicas, ready = updated, conditions = [] } = counts;
  const status = {
    observedGeneration: 1,
    replicas,
    updatedReplicas: updated,
    readyReplicas: ready,
    availableReplicas: ready,
    conditions,
  };
  return child('Deployment', { generation: 1, spec: { replicas: desired }, status });
}

/** A child with conditions: `{Ready: 'True'}`. */
export const reporting = (kind: string, conditions: Readonly<Record<string, string>>): ObservedChild =>
  child(kind, {
    status: {
      conditions: Object.entries(conditions).map(([type, status]) => ({
        type,
        status,
        reason: `${type}Reason`,
        message: `words about ${type}.`,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
    },
  });

/** All that a running agent has. */
export const running = (counts: Counts = {}): readonly ObservedChild[] => [
  deployment(counts),
  child('Service'),
  child('NetworkPolicy'),
];

/** The status with which an agent of this spec runs well. */
export const runningStatus = (spec: AgentServiceSpec, more: Partial<Observed> = {}): AgentServiceStatus =>
  decide({ resource: resourceOf(spec), children: running(), ...more }).status;

export const pod = (name: string, over: Partial<ObservedPod> = {}): ObservedPod => ({
  namespace: 'agents',
  name,
  uid: `uid-of-${name}`,
  labels: { 'pod-template-hash': 'a' },
  annotations: {},
  createdAt: START - MINUTE,
  deleting: false,
  phase: 'Running',
  conditions: [],
  containers: [container('agent', { ready: true, started: true, ...RUNNING })],
  ...over,
});

const servingSpec: ModelServingSpec = {
  model: { uri: 'pvc://models', name: 'meta/llama' },
  engine: { type: 'vllm' },
  resources: { gpu: 1, gpuResource: 'nvidia.com/gpu' },
  drain: { timeoutSeconds: 120 },
  retired: false,
  security: { level: 'restricted' },
};

/** The ModelServing `llama`, which answers unless its status is given. */
export function serving(
  spec: Partial<ModelServingSpec> = {},
  status: ModelServingStatus = {
    phase: 'Running',
    conditions: [
      {
        type: 'Available',
        status: 'True',
        reason: 'Available',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ],
  },
): Readonly<Record<string, Resource>> {
  const metadata = {
    name: 'llama',
    namespace: 'agents',
    uid: 'uid-of-llama',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  const kind = 'ModelServing';
  return {
    'ModelServing/llama': {
      apiVersion: 'trunnion.dev/v1alpha1',
      kind,
      metadata,
      spec: { ...servingSpec, ...spec },
      status: { ...status },
    },
  };
}

/** What a spec whose model answers `llama` leads to. */
export const servedSpec = (spec: Partial<ModelServingSpec>): ModelServingSpec => ({ ...servingSpec, ...spec });
