import { groupKind, timestamp } from '../../../operator/engine/api/index.ts';
import type { KubeObject, OwnerReference } from '../../../operator/kube/index.ts';
import type { Body } from '../server/index.ts';
import { podSourceOf, type PodSource } from './workloads.ts';

/** The label that tells of which template a pod of a Deployment is. */
const TEMPLATE_LABEL = 'pod-template-hash';
const INDEX = 'batch.kubernetes.io/job-completion-index';

/** The pods that a workload makes by its present template: it owns them itself, with no ReplicaSet between. */
export function podsFor(object: KubeObject): readonly Body[] {
  const source = podSourceOf(object);
  if (source === undefined) return [];
  return Array.from({ length: source.replicas }, (_, index) => podOf(source, index));
}

function podOf({ object, template, revision }: PodSource, index: number): Body {
  const { name, namespace = '' } = object.metadata;
  const isIndexed = groupKind(object) === 'batch/Job' && isIndexedJob(object);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: nameOf(object, revision, index),
      namespace,
      labels: {
        ...template.metadata?.labels,
        ...labelsBy(object, revision),
        ...(isIndexed && { [INDEX]: `${index}` }),
      },
      annotations: { ...template.metadata?.annotations, ...(isIndexed && { [INDEX]: `${index}` }) },
      ownerReferences: [ownerOf(object, name)],
    } as Body['metadata'],
    spec: { ...template.spec },
  };
}

const isIndexedJob = ({ spec }: KubeObject): boolean =>
  (spec as { readonly completionMode?: string } | undefined)?.completionMode === 'Indexed';

const nameOf = (object: KubeObject, revision: string, index: number): string =>
  groupKind(object) === 'apps/Deployment'
    ? `${object.metadata.name}-${revision}-${index}`
    : `${object.metadata.name}-${index}`;

function labelsBy(object: KubeObject, revision: string): Readonly<Record<string, string>> {
  const { name, uid } = object.metadata;
  if (groupKind(object) !== 'batch/Job') return { [TEMPLATE_LABEL]: revision };
  return { 'batch.kubernetes.io/job-name': name, 'job-name': name, 'batch.kubernetes.io/controller-uid': uid };
}

const ownerOf = ({ apiVersion, kind, metadata: { uid } }: KubeObject, name: string): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** How the containers of a pod are. */
export type PodFate =
  /** They run, and are not ready. */
  | { readonly type: 'starting' }
  | { readonly type: 'running' }
  | { readonly type: 'succeeded' }
  /** They end, and are started again, without success; or they are not started again. */
  | {
      readonly type: 'crashing' | 'failed';
      readonly reason: string;
      readonly message: string;
      readonly exitCode: number;
    };

const PHASES: Readonly<Record<PodFate['type'], string>> = {
  starting: 'Running',
  running: 'Running',
  crashing: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
};

interface Container {
  readonly name: string;
  readonly image?: string;
  readonly restartPolicy?: string;
}

/** The status of a pod, as its node reports it. */
export function podStatus({ spec }: KubeObject, fate: PodFate, now: number): object {
  const { containers = [], initContainers = [] } = (spec ?? {}) as {
    readonly containers?: readonly Container[];
    readonly initContainers?: readonly Container[];
  };
  const at = timestamp(now);
  const isReady = fate.type === 'running';
  const reason = fate.type === 'succeeded' ? 'PodCompleted' : 'ContainersNotReady';
  const condition = (type: string, holds: boolean) => ({
    type,
    status: holds ? 'True' : 'False',
    ...(!holds && { reason }),
    lastTransitionTime: at,
  });
  const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';
  return {
    phase: PHASES[fate.type],
    podIP: '192.0.2.10',
    startTime: at,
    conditions: [
      condition('PodScheduled', true),
      condition('Initialized', true),
      condition('ContainersReady', isReady),
      condition('Ready', isReady),
    ],
    ...(initContainers.length > 0 && {
      initContainerStatuses: initContainers.map((container) =>
        containerStatus(container, isSidecar(container) ? fate : { type: 'succeeded' }, at),
      ),
    }),
    containerStatuses: containers.map((container) => containerStatus(container, fate, at)),
  };
}

function containerStatus({ name, image = '' }: Container, fate: PodFate, at: string): object {
  const common = { name, image, imageID: '', restartCount: 0, ready: false, started: false };
  switch (fate.type) {
    case 'starting':
      return { ...common, started: true, state: { running: { startedAt: at } } };
    case 'running':
      return { ...common, ready: true, started: true, state: { running: { startedAt: at } } };
    case 'succeeded':
      return { ...common, ready: true, state: { terminated: endOf(0, 'Completed', '', at) } };
    case 'failed':
      return { ...common, state: { terminated: endOf(fate.exitCode, fate.reason, fate.message, at) } };
    case 'crashing': {
      const terminated = endOf(fate.exitCode, fate.reason, fate.message, at);
      const waiting = { reason: 'CrashLoopBackOff', message: `back-off restarting failed container ${name}` };
      return { ...common, restartCount: 3, state: { waiting }, lastState: { terminated } };
    }
  }
}

const endOf = (exitCode: number, reason: string, message: string, at: string) => ({
  exitCode,
  reason,
  message,
  startedAt: at,
  finishedAt: at,
});
