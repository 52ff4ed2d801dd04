import { disruptionBudget } from '../parts/scaling/index.ts';
import { identityEgress, labelsOf, workloadSelector, namedLabels } from '../parts/objects/index.ts';
import type { Labels } from '../parts/objects/index.ts';
import { declaredEgress, distinctRules, networkPolicy } from '../parts/network/index.ts';
import type { Manifest } from '../workload.ts';
import { checkpointEgress } from './checkpoint.ts';
import { MASTER_PORT } from './frameworks.ts';
import { hostFiles } from './mpi.ts';
import { aliasOf, budgetNameOf, hostFilesName } from './names.ts';
import type { Named } from './names.ts';
import { ATTEMPT, INDEX_LABEL, KIND_LABEL } from './parts.ts';
import { leastPods, rolesOf } from './roles.ts';

/** A training in its namespace. */
export type Placed = Named & { readonly namespace: string };

/** What selects all pods of a training. */
export const podSelector = (name: string): Labels => workloadSelector({ kind: KIND_LABEL, name });

/** Of an object that bears the training's own name. */
export const ownMetadata = ({ name, namespace, spec, naming }: Placed): Manifest['metadata'] => ({
  name,
  namespace,
  labels: namedLabels(labelsOf({ kind: KIND_LABEL, name, component: rolesOf(spec).leading }), naming),
});

/** Gives each rank a name. Ranks look for each other before they are ready, or none would ever be. */
export const service = (training: Placed): Manifest =>
  headlessService(ownMetadata(training), podSelector(training.name));

/** The host of one rank, as users of an earlier operator know it. */
export const aliasService = (training: Placed, rank: number): Manifest =>
  headlessService(
    { ...ownMetadata(training), name: aliasOf(training.name, rank) },
    { ...podSelector(training.name), [INDEX_LABEL]: String(rank) },
  );

const headlessService = (metadata: Manifest['metadata'], selector: Labels): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: {
    clusterIP: 'None',
    publishNotReadyAddresses: true,
    selector,
    ports: [{ name: 'rendezvous', port: MASTER_PORT, targetPort: MASTER_PORT, protocol: 'TCP' }],
  },
});

/**
 * Keeps the ranks of an attempt from being evicted. Each attempt has its own, by name and selector: what is left of the one
 * before, seen late or not at all, is neither taken for it nor changed into it.
 */
export const attemptBudget = (training: Placed): Manifest =>
  disruptionBudget(
    { ...ownMetadata(training), name: budgetNameOf(training) },
    { matchLabels: { ...podSelector(training.name), [ATTEMPT]: String(training.attempt) } },
    leastPods(training.spec),
  );

/** Ranks talk with each other on whatever ports they choose, and with nobody else but what is declared. */
export const ranksNetworkPolicy = (training: Placed): Manifest =>
  networkPolicy(ownMetadata(training), podSelector(training.name), {
    ingressPorts: [],
    peers: podSelector(training.name),
    egress: distinctRules([
      ...declaredEgress(training.spec.egress ?? []),
      ...checkpointEgress(training.spec),
      ...identityEgress(training.spec.serviceAccount?.identity),
    ]),
  });

/** The lists of MPI's workers. */
export const hostFilesConfigMap = (training: Placed): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...ownMetadata(training), name: hostFilesName(training.name) },
  data: hostFiles(training),
});
