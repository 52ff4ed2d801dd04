import { sshSecretName } from '../../../constructs/distributed-training/names.ts';
import { conditionOf } from '../../engine/api/index.ts';
import type { Query, ObservedPod } from '../../engine/api/index.ts';
import { TYPES } from '../../kube/index.ts';
import { diagnosePod } from '../shared/diagnosis.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import { nodeQueries, outlookOf } from '../shared/nodes.ts';
import { REFUSAL_MS, refusalQuery, refusalOf } from '../shared/refused-pods.ts';
import { jobState } from '../shared/slices.ts';
import {
  essentialFailures,
  extensionQueries,
  missingExtensions,
  neededByEgress,
  otherFailures,
} from '../shared/trouble.ts';
import type { Extension } from '../shared/trouble.ts';
import { largest } from '../../../constructs/parts/values/index.ts';
import { currentRanks, isUp } from './observed.ts';
import type { Observed } from './observed.ts';

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

/** How long a Job may lack pods before it is told: its controller makes a thousand within a minute. */
const PODS_MS = 60_000;

/** How often a Secret is looked for. */
const LOOK_SECONDS = 60;

/** What its scheduling takes. */
const schedulersOf = ({ spec }: Observed): readonly Extension[] => {
  if (spec.gang?.scheduler === 'volcano') return [VOLCANO];
  return spec.queue === undefined ? [] : [KUEUE];
};

const extensionsOf = (observed: Observed): readonly Extension[] => [
  ...schedulersOf(observed),
  ...neededByEgress(observed.spec),
];

/** Asks for what the training needs from elsewhere. */
export const queriesOf = (observed: Observed, now: number): readonly Query[] => [
  ...extensionQueries(extensionsOf(observed)),
  ...(now >= (lackingSince(observed) ?? Infinity) + REFUSAL_MS ? [...observed.jobs.values()].map(refusalQuery) : []),
  ...secretsOf(observed).map(({ name }): Query => ({
    id: queryId(name),
    type: 'secret',
    name,
    keys: [],
    everySeconds: LOOK_SECONDS,
  })),
  ...nodeQueries(podsDown(observed)),
];

/** The children that could not be made as the spec asks, those first without which ranks don't run. */
export function problemsOf(observed: Observed): readonly Diagnosis[] {
  const { snapshot, roles } = observed;
  const essential = new Set([
    ...roles.all.map(({ name }) => name),
    'service-account',
    'network-policy',
    'service',
    'hosts',
  ]);
  return [...essentialFailures(snapshot, essential), ...otherFailures(snapshot, essential, extensionsOf(observed))];
}

/** What keeps ranks from running, the gravest first. */
export function findingsOf(observed: Observed, now: number): readonly Diagnosis[] {
  const { spec, snapshot } = observed;
  const down = podsDown(observed);
  const outlook = outlookOf(snapshot, down);
  const diagnoses = [
    ...problemsOf(observed),
    ...missingExtensions(snapshot, schedulersOf(observed)),
    ...missingSecrets(observed),
    ...down.flatMap((pod) => diagnosePod(pod, spec.resources, { outlook }) ?? []),
    ...shortageOf(observed, now),
    ...closedHosts(observed),
  ];
  return [...diagnoses.filter(({ stuck }) => stuck), ...diagnoses.filter(({ stuck }) => !stuck)];
}

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

/** Why ranks may not run while nothing is the matter with them. */
const PASSING: ReadonlySet<string> = new Set(['Starting', 'Queued', 'BackingOff', 'Stopping', 'Suspended']);

/**
 * What keeps ranks from running, in sentences, or did when they were last seen: a Job whose time is over stops its pods
 * before anybody may have looked at them.
 */
export function obstacleOf(observed: Observed, now: number): string | undefined {
  const [diagnosis] = findingsOf(observed, now);
  if (diagnosis) return diagnosis.message;
  const running = conditionOf(observed.status.conditions, 'Running');
  return running?.status === 'False' && !PASSING.has(running.reason) ? running.message : undefined;
}

const podsDown = (observed: Observed): readonly ObservedPod[] =>
  currentRanks(observed)
    .filter((rank) => !isUp(rank))
    .map(({ pod }) => pod);

/** When to ask why pods are missing, or to tell that they are, in milliseconds since the epoch. */
export function shortageAt(observed: Observed, now: number): number | undefined {
  const since = lackingSince(observed);
  if (since === undefined) return undefined;
  return since + (now < since + REFUSAL_MS ? REFUSAL_MS : PODS_MS);
}

/** Since when pods are missing, if they are; a Job that is suspended, or about to end, needs none. */
function lackingSince({ jobs, ranks, roles }: Observed): number | undefined {
  const wanted = roles.all.reduce((sum, { count }) => sum + count, 0);
  const all = [...jobs.values()];
  const isIdle = all.map(jobState).some(({ suspended, ending }) => suspended || ending);
  if (all.length === 0 || ranks.length >= wanted || isIdle) return undefined;
  return largest(all.map(({ createdAt }) => createdAt));
}

/** That pods are missing: at once where the API server has refused them, else once there was time to make them. */
function shortageOf(observed: Observed, now: number): readonly Diagnosis[] {
  const since = lackingSince(observed);
  if (since === undefined) return [];
  const refused = [...observed.jobs.values()].flatMap((job) => refusalOf(observed.snapshot, job) ?? []);
  if (refused.length > 0) return refused.slice(0, 1);
  return now >= since + PODS_MS ? [shortage(observed)] : [];
}

const shortage = ({ jobs }: Observed): Diagnosis => ({
  reason: 'PodsNotCreated',
  message: `Not all pods are there. A quota or an admission policy of the namespace may refuse them: kubectl describe job ${[...jobs.values()].map(({ name }) => name).join(' ')}.`,
  stuck: true,
});

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
