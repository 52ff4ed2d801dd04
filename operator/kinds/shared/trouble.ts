import type { EgressRule } from '../../../constructs/parts/network/index.ts';
import type { Query, Failure, ResourceType, Snapshot } from '../../engine/api/index.ts';
import { TYPES } from '../../kube/index.ts';
import { adviceOn } from './advice.ts';
import { because } from './diagnosis-text.ts';
import type { Diagnosis } from './diagnosis-text.ts';

/** What a cluster may not have, and a spec needs. */
export interface Extension {
  /** Ids of the children that it serves. */
  readonly children: readonly string[];
  readonly type: ResourceType;
  /**
   * The same in a version that later releases serve instead; either will do.
   *
   * @default - there is none
   */
  readonly later?: ResourceType;
  /** What to say where it is missing. */
  readonly diagnosis: Diagnosis;
}

/** What exposes a workload by a Gateway. */
export const GATEWAY_API: Extension = {
  children: ['route'],
  type: TYPES.httpRoute,
  diagnosis: {
    reason: 'GatewayApiNotInstalled',
    message:
      'The Gateway API is not installed, so there is no route; the service answers inside the cluster. Install its CRDs, or use expose.ingress.',
    stuck: true,
  },
};

/** What scales a workload by more than CPU. */
export const KEDA: Extension = {
  children: ['autoscaler', 'trigger-authentication'],
  type: TYPES.scaledObject,
  diagnosis: {
    reason: 'KedaNotInstalled',
    message:
      'KEDA is not installed, so nothing scales; the service runs with the replicas that it has. Install KEDA, or use the target cpuPercent alone.',
    stuck: true,
  },
};

/** What keeps the pods of a replica together. */
export const LEADER_WORKER_SET: Extension = {
  children: ['groups'],
  type: TYPES.leaderWorkerSet,
  diagnosis: {
    reason: 'LeaderWorkerSetNotInstalled',
    message:
      'LeaderWorkerSet is not installed, so nothing makes replicas of several pods (spec.nodes). Install it: https://lws.sigs.k8s.io/docs/installation/.',
    stuck: true,
  },
};

/** What lets pods reach hosts by name. */
const CILIUM: Extension = {
  children: ['host-egress'],
  type: TYPES.ciliumNetworkPolicy,
  diagnosis: {
    reason: 'CiliumNotInstalled',
    message:
      'Cilium is not installed, so nothing opens the hosts of spec.egress; all else is as the spec asks. Declare addresses by cidr instead, or run a cluster whose network plugin is Cilium.',
    stuck: false,
  },
};

/** What `egress` takes more than Kubernetes. */
export const neededByEgress = ({ egress = [] }: { readonly egress?: readonly EgressRule[] }): readonly Extension[] =>
  egress.some(({ hosts }) => hosts !== undefined) ? [CILIUM] : [];

/** Asks whether the cluster has what the spec needs. */
export const extensionQueries = (needed: readonly Extension[]): readonly Query[] =>
  needed.flatMap((extension) =>
    versionsOf(extension).map((type) => ({ id: queryId(type), type: 'served', resource: type, everySeconds: 60 })),
  );

/** What the workload runs without, though it was asked for. */
export const missingExtensions = (
  { answers, failures }: Snapshot,
  needed: readonly Extension[],
): readonly Diagnosis[] =>
  needed
    .filter((extension) => {
      const versions = versionsOf(extension);
      const known = versions.map((type) => answers[queryId(type)]).filter((answer) => answer?.type === 'served');
      if (known.some(({ served }) => served)) return false;
      return known.length === versions.length || failures.some((each) => isOf(each, extension));
    })
    .map(({ diagnosis }) => diagnosis);

/**
 * What keeps a child from being made that the workload needs.
 *
 * @param needed - what the cluster may not have, and is told by itself
 */
export const essentialFailures = (
  { failures }: Snapshot,
  essential: ReadonlySet<string>,
  needed: readonly Extension[] = [],
): readonly Diagnosis[] =>
  failures
    .filter(({ child }) => child === undefined || essential.has(child))
    .filter((failure) => !needed.some((extension) => isOf(failure, extension)))
    .map(diagnosisOf);

/** What keeps another child from being made, but for what the cluster does not have. */
export const otherFailures = (
  { failures }: Snapshot,
  essential: ReadonlySet<string>,
  needed: readonly Extension[],
): readonly Diagnosis[] =>
  failures
    .filter(({ child }) => child !== undefined && !essential.has(child))
    .filter((failure) => !needed.some((extension) => isOf(failure, extension)))
    .map(diagnosisOf);

const isOf = ({ child, reason }: Failure, { children }: Extension): boolean =>
  reason === 'NotServed' && child !== undefined && children.includes(child);

/** An error of the API server passes by itself, and is tried again. */
const diagnosisOf = ({ child, reason, message }: Failure): Diagnosis => ({
  reason,
  message: `${child === undefined ? 'The children' : `The ${child}`} could not be updated${because(message)}. ${adviceOn({ reason, message })}`,
  stuck: reason !== 'ApiError',
});

const versionsOf = ({ type, later }: Extension): readonly ResourceType[] => (later ? [type, later] : [type]);

const queryId = ({ kind, version }: ResourceType): string => `served/${kind}.${version}`;
