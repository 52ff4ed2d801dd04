import { shortHash } from '../../../../constructs/parts/weights/key.ts';
import type { ModelServingSpec } from '../../../../constructs/model-serving/spec.ts';
import type { ModelServingStatus } from '../../../../constructs/model-serving/status.ts';
import type { Answer } from '../../../../operator/engine/api/queries.ts';
import type { Failure, Snapshot } from '../../../../operator/engine/api/kind.ts';
import type { ObservedChild, ObservedContainer, ObservedPod } from '../../../../operator/engine/api/observed.ts';
import { modelServingWith } from '../../../../operator/kinds/model-serving/index.ts';
import type { ModelServingSettings } from '../../../../operator/kinds/model-serving/reconcile.ts';
import type { ModelServingResource } from '../../../../operator/kinds/model-serving/index.ts';
import { decided } from '../../../support/decided.ts';

/** When tests begin: 2026-01-01T00:00:00Z. */
export const START = Date.parse('2026-01-01T00:00:00Z');

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

export const URI = 's3://models/first/';
export const OTHER_URI = 's3://models/second/';

/** A spec whose weights a Job fetches. */
export const shared: ModelServingSpec = {
  model: { uri: URI },
  storage: { size: '10Gi', accessMode: 'ReadWriteMany', retain: false },
  engine: { type: 'vllm' },
  resources: { gpu: 1, gpuResource: 'nvidia.com/gpu' },
  replicas: 1,
  drain: { timeoutSeconds: 120 },
  retired: false,
  security: { level: 'restricted' },
};

/** A spec whose server fetches its weights by itself. */
export const single: ModelServingSpec = {
  ...shared,
  storage: { size: '10Gi', accessMode: 'ReadWriteOnce', retain: false },
};

export const withUri = (spec: ModelServingSpec, uri: string): ModelServingSpec => ({
  ...spec,
  model: { ...spec.model, uri },
});

export function resourceOf(
  spec: ModelServingSpec,
  {
    status,
    generation = 1,
    deleting = false,
  }: { status?: ModelServingStatus; generation?: number; deleting?: boolean } = {},
): ModelServingResource {
  return {
    apiVersion: 'trunnion.dev/v1alpha1',
    kind: 'ModelServing',
    metadata: {
      name: 'llama',
      namespace: 'models',
      uid: 'uid-of-llama',
      resourceVersion: '1',
      generation,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(deleting && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec,
    ...(status && { status }),
  };
}

interface Observed {
  readonly resource: ModelServingResource;
  readonly children?: readonly ObservedChild[];
  readonly pods?: readonly ObservedPod[];
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly problems?: readonly Failure[];
}

export const snapshotOf = ({
  resource,
  children = [],
  pods = [],
  answers = {},
  problems = [],
}: Observed): Snapshot<ModelServingResource> => ({
  resource,
  children,
  pods,
  related: {},
  answers,
  failures: problems,
});

/** Reconciles what was observed, at a time. */
export const decide = (observed: Observed, now = START, settings: ModelServingSettings = {}) =>
  decided(modelServingWith(settings), snapshotOf(observed), now);

/** The status with which a resource of this spec runs well. */
export function runningStatus(spec: ModelServingSpec): ModelServingStatus {
  const observed = { resource: resourceOf(spec), children: runningChildren(spec), pods: [server(spec)] };
  return decide(observed).status;
}

/** All that a running resource has. */
export const runningChildren = (spec: ModelServingSpec): readonly ObservedChild[] => [
  claim(spec.model.uri),
  ...(spec.storage?.accessMode === 'ReadWriteOnce' ? [] : [job(spec.model.uri, 'Complete')]),
  deployment(),
  service(),
];

/** What a condition says, as one text: `False DownloadFailed`. */
export const conditionOf = (status: ModelServingStatus, type: string): string | undefined => {
  const condition = status.conditions?.find((each) => each.type === type);
  return condition && `${condition.status} ${condition.reason}`;
};

/** The sentence of a condition. */
export const messageOf = (status: ModelServingStatus, type: string): string =>
  status.conditions?.find((each) => each.type === type)?.message ?? '';

function child(
  kind: string,
  name: string,
  slice: ObservedChild['slice'],
  over: Partial<ObservedChild> = {},
): ObservedChild {
  return {
    apiVersion: 'v1',
    kind,
    namespace: 'models',
    name,
    uid: `uid-of-${kind}-${name}`,
    resourceVersion: '1',
    ownerUid: 'uid-of-llama',
    createdAt: START - MINUTE,
    deleting: false,
    digest: 'digest',
    owns: [],
    ready: true,
    slice,
    ...over,
  };
}

export const claim = (uri: string, phase = 'Bound', over: Partial<ObservedChild> = {}): ObservedChild =>
  child(
    'PersistentVolumeClaim',
    `llama-weights-${shortHash(uri)}`,
    { spec: { storageClassName: 'fast' }, status: { phase } },
    over,
  );

/** A Job: running, or with a condition. */
export const job = (
  uri: string,
  state: 'running' | 'Complete' | 'Failed' = 'running',
  over: Partial<ObservedChild> = {},
): ObservedChild =>
  child(
    'Job',
    `llama-fetch-${shortHash(`job ${uri}`)}`,
    {
      annotations: { 'trunnion.dev/weights': shortHash(uri) },
      status:
        state === 'running'
          ? { active: 1 }
          : {
              conditions: [
                {
                  type: state,
                  status: 'True',
                  reason: state === 'Failed' ? 'PodFailurePolicy' : 'CompletionsReached',
                  message: 'words of the Job',
                  lastTransitionTime: '2026-01-01T00:00:00Z',
                },
              ],
            },
    },
    { ready: state === 'Complete', ...over },
  );

interface Counts {
  readonly desired?: number;
  readonly replicas?: number;
  readonly updated?: number;
  readonly ready?: number;
  readonly conditions?: readonly Readonly<Record<string, string>>[];
  readonly generation?: number;
  readonly observedGeneration?: number;
}

export function deployment(counts: Counts = {}, over: Partial<ObservedChild> = {}): ObservedChild {
  const { desired = 1, replicas = desired, updated = replicas, ready = updated, conditions = [] } = counts;
  const { generation = 1, observedGeneration = generation } = counts;
  const status = {
    observedGeneration,
    replicas,
    updatedReplicas: updated,
    readyReplicas: ready,
    availableReplicas: ready,
    conditions,
  };
  const isReady = updated >= desired && replicas <= updated && ready >= updated;
  return child('Deployment', 'llama', { generation, spec: { replicas: desired }, status }, { ready: isReady, ...over });
}

export const service = (over: Partial<ObservedChild> = {}): ObservedChild => child('Service', 'llama', {}, over);

export const container = (name: string, over: Partial<ObservedContainer> = {}): ObservedContainer => ({
  name,
  init: false,
  ready: false,
  started: false,
  restarts: 0,
  ...over,
});

export const RUNNING = { running: { startedAt: '2026-01-01T00:00:00Z' } };

export const ends = (exitCode: number, message = '', reason = exitCode === 0 ? 'Completed' : 'Error') => ({
  exitCode,
  reason,
  message,
  finishedAt: '2026-01-01T00:00:00Z',
});

function pod(
  name: string,
  component: string,
  over: Partial<ObservedPod>,
  labels: Readonly<Record<string, string>>,
): ObservedPod {
  return {
    namespace: 'models',
    name,
    uid: `uid-of-${name}`,
    labels: { 'app.kubernetes.io/component': component, ...labels },
    annotations: {},
    createdAt: START - MINUTE,
    deleting: false,
    phase: 'Running',
    node: 'node-1',
    ip: '10.0.0.1',
    conditions: [],
    containers: [],
    ...over,
  };
}

const KEEPS_RUNNING = container('server', { ready: true, started: true, ...RUNNING });

/** A pod that serves the model of a spec; ready unless its containers are given. */
export const server = (spec: ModelServingSpec, over: Partial<ObservedPod> = {}): ObservedPod =>
  pod(
    'llama-server-1',
    'server',
    {
      annotations: { 'trunnion.dev/weights': shortHash(spec.model.uri) },
      containers: [KEEPS_RUNNING],
      ...over,
    },
    { 'pod-template-hash': shortHash(spec.model.uri) },
  );

/** A pod of the fetch Job; it runs unless its container is given. */
export const fetcher = (
  uri: string,
  over: Partial<ObservedContainer> = RUNNING,
  podOver: Partial<ObservedPod> = {},
): ObservedPod =>
  pod(
    'llama-fetch-1',
    'fetcher',
    { containers: [container('fetch', over)], ...podOver },
    { 'batch.kubernetes.io/job-name': job(uri).name },
  );

export const unschedulable = (message: string) => ({
  phase: 'Pending',
  conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
});

export const log = (...lines: readonly object[]): Answer => ({
  at: START,
  type: 'podLog',
  text: lines.map((line) => JSON.stringify(line)).join('\n'),
});

export const secret = (hash: string, missingKeys: readonly string[] = []): Answer => ({
  at: START,
  type: 'secret',
  exists: true,
  hash,
  missingKeys,
});

export const NO_SECRET: Answer = { at: START, type: 'secret', exists: false, hash: '', missingKeys: [] };

export const requests = (count: number, at: number): Answer => ({
  at,
  type: 'podMetrics',
  values: { 'vllm:num_requests_running': count, 'vllm:num_requests_waiting': 0 },
  closed: false,
});
