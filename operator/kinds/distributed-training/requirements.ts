import { sshSecretName } from '../../../constructs/distributed-training/names.ts';
import { conditionOf } from '../../engine/api/index.ts';
import type { Query } from '../../engine/api/index.ts';
import { TYPES } from '../../kube/index.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import { extensionQueries, missingExtensions, neededByEgress } from '../shared/trouble.ts';
import type { Extension } from '../shared/trouble.ts';
import type { Observed } from './observed.ts';

/** What a training needs that others bring: extensions of the cluster, and Secrets. */

const VOLCANO: Extension = {
  children: ['pod-group'],
  type: TYPES.podGroup,
  diagnosis: {
    reason: 'VolcanoNotInstalled',
    message: 'Volcano is not installed, so no pod is scheduled. Install it, or leave out gang.',
    stuck: true,
  },
};

const KUEUE: Extension = {
  children: [],
  type: TYPES.localQueue,
  later: { ...TYPES.localQueue, version: 'v1beta2' },
  diagnosis: {
    reason: 'KueueNotInstalled',
    message: 'Kueue is not installed, so it does not wait for its turn. Install it, or leave out queue.',
    stuck: false,
  },
};

/** How often a Secret is looked for. */
const RECHECK_SECONDS = 60;

/** What its scheduling takes. */
const schedulersOf = ({ spec }: Observed): readonly Extension[] => {
  if (spec.gang?.scheduler === 'volcano') return [VOLCANO];
  return spec.queue === undefined ? [] : [KUEUE];
};

/** The extensions of the cluster that it needs. */
export const extensionsOf = (observed: Observed): readonly Extension[] => [
  ...schedulersOf(observed),
  ...neededByEgress(observed.spec),
];

/** Asks whether its extensions are installed. */
export const installedQueries = (observed: Observed): readonly Query[] => extensionQueries(extensionsOf(observed));

/** Asks whether its Secrets exist. */
export const secretQueries = (observed: Observed): readonly Query[] =>
  secretsOf(observed).map(({ name }) => ({
    id: queryId(name),
    type: 'secret',
    name,
    keys: [],
    everySeconds: RECHECK_SECONDS,
  }));

/** The schedulers and Secrets that are missing. */
export const missingRequirements = (observed: Observed): readonly Diagnosis[] => [
  ...missingExtensions(observed.snapshot, schedulersOf(observed)),
  ...missingSecrets(observed),
];

/**
 * That nothing opens the hosts of `egress`, which keeps no rank from its start. An operator that starts again has not looked
 * yet, and must not take back what was found out before.
 */
export function closedHosts({ snapshot, spec, status }: Observed): readonly Diagnosis[] {
  const needed = neededByEgress(spec);
  const found = missingExtensions(snapshot, needed);
  const isOpen = extensionQueries(needed).some(({ id }) => snapshot.answers[id] === undefined);
  const before = isOpen ? conditionOf(status.conditions, 'Running')?.reason : undefined;
  return found.length > 0 ? found : needed.map(({ diagnosis }) => diagnosis).filter(({ reason }) => reason === before);
}

/** The Secrets without which ranks don't start, and the fields that name them. */
function secretsOf({ name, spec }: Observed): readonly { readonly name: string; readonly field: string }[] {
  const { checkpoint, mpi } = spec;
  return [
    ...(checkpoint?.credentials
      ? [{ name: checkpoint.credentials.secretName, field: 'checkpoint.credentials.secretName' }]
      : []),
    ...(mpi?.sshSecretName === undefined ? [] : [{ name: sshSecretName({ name, spec }), field: 'mpi.sshSecretName' }]),
  ];
}

const missingSecrets = (observed: Observed): readonly Diagnosis[] =>
  secretsOf(observed).flatMap(({ name, field }) => {
    const answer = observed.snapshot.answers[queryId(name)];
    if (answer?.type !== 'secret' || answer.exists) return [];
    const message = `There is no Secret ${name}, which ${field} refers to. Create it; ranks then start by themselves, or with the next attempt.`;
    return [{ reason: 'ReferenceMissing', message, stuck: true }];
  });

const queryId = (name: string): string => `secret/${name}`;
