import { sshSecretName } from '../../../constructs/distributed-training/names.ts';
import type { Ask } from '../../engine/asks.ts';
import { conditionOf } from '../../engine/conditions.ts';
import type { ResourceType } from '../../engine/kind.ts';
import type { ObservedPod } from '../../engine/observed.ts';
import { diagnosePod } from '../shared/diagnosis.ts';
import type { Finding } from '../shared/finding.ts';
import { nodeAsks, outlookOf } from '../shared/nodes.ts';
import { REFUSAL_MS, refusalAsk, refusalOf } from '../shared/refused-pods.ts';
import { jobState } from '../shared/slices.ts';
import {
  essentialProblems,
  extensionAsks,
  missingExtensions,
  neededByEgress,
  otherProblems,
} from '../shared/trouble.ts';
import type { Extension } from '../shared/trouble.ts';
import { largest } from '../../../constructs/parts/extremes.ts';
import { currentRanks, isUp } from './view.ts';
import type { View } from './view.ts';

export const POD_GROUP: ResourceType = {
  group: 'scheduling.volcano.sh',
  version: 'v1beta1',
  kind: 'PodGroup',
  plural: 'podgroups',
};

const LOCAL_QUEUE: ResourceType = {
  group: 'kueue.x-k8s.io',
  version: 'v1beta1',
  kind: 'LocalQueue',
  plural: 'localqueues',
};

const VOLCANO: Extension = {
  children: ['pod-group'],
  type: POD_GROUP,
  finding: {
    reason: 'VolcanoNotInstalled',
    message: 'Volcano is not installed, so no pod is scheduled. Install it, or leave out gang.',
    stuck: true,
  },
};

const KUEUE: Extension = {
  children: [],
  type: LOCAL_QUEUE,
  later: { ...LOCAL_QUEUE, version: 'v1beta2' },
  finding: {
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
const schedulersOf = ({ spec }: View): readonly Extension[] => {
  if (spec.gang?.scheduler === 'volcano') return [VOLCANO];
  return spec.queue === undefined ? [] : [KUEUE];
};

const extensionsOf = (view: View): readonly Extension[] => [...schedulersOf(view), ...neededByEgress(view.spec)];

/** Asks for what the training needs from elsewhere. */
export const asksOf = (view: View, now: number): readonly Ask[] => [
  ...extensionAsks(extensionsOf(view)),
  ...(now >= (lackingSince(view) ?? Infinity) + REFUSAL_MS ? [...view.jobs.values()].map(refusalAsk) : []),
  ...secretsOf(view).map(({ name }): Ask => ({
    id: askId(name),
    type: 'secret',
    name,
    keys: [],
    everySeconds: LOOK_SECONDS,
  })),
  ...nodeAsks(podsDown(view)),
];

/** The children that could not be made as the spec asks, those first without which ranks don't run. */
export function problemsOf(view: View): readonly Finding[] {
  const { snapshot, roles } = view;
  const essential = new Set([
    ...roles.all.map(({ name }) => name),
    'service-account',
    'network-policy',
    'service',
    'hosts',
  ]);
  return [...essentialProblems(snapshot, essential), ...otherProblems(snapshot, essential, extensionsOf(view))];
}

/** What keeps ranks from running, the gravest first. */
export function findingsOf(view: View, now: number): readonly Finding[] {
  const { spec, snapshot } = view;
  const down = podsDown(view);
  const outlook = outlookOf(snapshot, down);
  const findings = [
    ...problemsOf(view),
    ...missingExtensions(snapshot, schedulersOf(view)),
    ...missingSecrets(view),
    ...down.flatMap((pod) => diagnosePod(pod, spec.resources, { outlook }) ?? []),
    ...shortageOf(view, now),
    ...closedHosts(view),
  ];
  return [...findings.filter(({ stuck }) => stuck), ...findings.filter(({ stuck }) => !stuck)];
}

/**
 * That nothing opens the hosts of `egress`, which keeps no rank from its start. An operator that starts anew has not looked
 * yet, and must not take back what was found out before.
 */
export function closedHosts({ snapshot, spec, status }: View): readonly Finding[] {
  const needed = neededByEgress(spec);
  const found = missingExtensions(snapshot, needed);
  const isOpen = extensionAsks(needed).some(({ id }) => snapshot.facts[id] === undefined);
  const before = isOpen ? conditionOf(status.conditions, 'Running')?.reason : undefined;
  return found.length > 0 ? found : needed.map(({ finding }) => finding).filter(({ reason }) => reason === before);
}

/** Why ranks may not run while nothing is the matter with them. */
const PASSING: ReadonlySet<string> = new Set(['Starting', 'Queued', 'BackingOff', 'Stopping', 'Suspended']);

/**
 * What keeps ranks from running, in sentences, or did when they were last seen: a Job whose time is over stops its pods
 * before anybody may have looked at them.
 */
export function obstacleOf(view: View, now: number): string | undefined {
  const [finding] = findingsOf(view, now);
  if (finding) return finding.message;
  const running = conditionOf(view.status.conditions, 'Running');
  return running?.status === 'False' && !PASSING.has(running.reason) ? running.message : undefined;
}

const podsDown = (view: View): readonly ObservedPod[] =>
  currentRanks(view)
    .filter((rank) => !isUp(rank))
    .map(({ pod }) => pod);

/** When to ask why pods are missing, or to tell that they are, in milliseconds since the epoch. */
export function shortageAt(view: View, now: number): number | undefined {
  const since = lackingSince(view);
  if (since === undefined) return undefined;
  return since + (now < since + REFUSAL_MS ? REFUSAL_MS : PODS_MS);
}

/** Since when pods are missing, if they are; a Job that is suspended, or about to end, needs none. */
function lackingSince({ jobs, ranks, roles }: View): number | undefined {
  const wanted = roles.all.reduce((sum, { count }) => sum + count, 0);
  const all = [...jobs.values()];
  const isIdle = all.map(jobState).some(({ suspended, ending }) => suspended || ending);
  if (all.length === 0 || ranks.length >= wanted || isIdle) return undefined;
  return largest(all.map(({ createdAt }) => createdAt));
}

/** That pods are missing: at once where the API server has refused them, else once there was time to make them. */
function shortageOf(view: View, now: number): readonly Finding[] {
  const since = lackingSince(view);
  if (since === undefined) return [];
  const refused = [...view.jobs.values()].flatMap((job) => refusalOf(view.snapshot, job) ?? []);
  if (refused.length > 0) return refused.slice(0, 1);
  return now >= since + PODS_MS ? [shortage(view)] : [];
}

const shortage = ({ jobs }: View): Finding => ({
  reason: 'PodsNotCreated',
  message: `Not all pods are there. A quota or an admission policy of the namespace may refuse them: kubectl describe job ${[...jobs.values()].map(({ name }) => name).join(' ')}.`,
  stuck: true,
});

/** The Secrets without which ranks don't start, and the fields that name them. */
function secretsOf({ name, spec }: View): readonly { readonly name: string; readonly field: string }[] {
  const { checkpoint, mpi } = spec;
  return [
    ...(checkpoint?.credentials
      ? [{ name: checkpoint.credentials.secretName, field: 'checkpoint.credentials.secretName' }]
      : []),
    ...(mpi?.sshSecretName === undefined ? [] : [{ name: sshSecretName({ name, spec }), field: 'mpi.sshSecretName' }]),
  ];
}

const missingSecrets = (view: View): readonly Finding[] =>
  secretsOf(view).flatMap(({ name, field }) => {
    const fact = view.snapshot.facts[askId(name)];
    if (fact?.type !== 'secret' || fact.exists) return [];
    const message = `There is no Secret ${name}, which ${field} refers to. Create it; ranks then start by themselves, or with the next attempt.`;
    return [{ reason: 'ReferenceMissing', message, stuck: true }];
  });

const askId = (name: string): string => `secret/${name}`;
