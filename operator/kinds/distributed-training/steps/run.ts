import { podSelector } from '../../../../constructs/distributed-training/manifests.ts';
import { hasAliases, roleAliasOf } from '../../../../constructs/distributed-training/names.ts';
import { ROLE_GATE, ROLE_LABEL } from '../../../../constructs/distributed-training/parts.ts';
import { selectorText } from '../../../../constructs/parts/objects/index.ts';
import type { BareCondition, PodMark } from '../../../engine/api/index.ts';
import { carriedOver } from '../../shared/carried-over.ts';
import { falseCondition, trueCondition } from '../../shared/conditions.ts';
import type { Why } from '../../shared/conditions.ts';
import { requeueAt } from '../context.ts';
import type { Context, TrainingStep } from '../context.ts';
import { childFailures, diagnosesOf, diagnosisQueries } from '../diagnoses.ts';
import { missingPodsDueAt } from '../missing-pods.ts';
import type { Observed } from '../observed.ts';
import { rankStatus } from '../rank-status.ts';
import { closedHosts } from '../requirements.ts';
import { sidecarDiagnoses } from '../sidecars.ts';
import { lingersUntil } from '../trainer.ts';

/** Reports the ranks: how many run, and what keeps the others from it. */
export const run: TrainingStep = (context) => {
  const { observed, stage, now } = context;
  const graceEnds = observed.ranks.map(({ pod }) => lingersUntil(pod, now));
  return {
    status: { ...rankStatus(observed), selector: selectorText(podSelector(observed.name)) },
    conditions: [runningCondition(context)],
    markPods: podsToMark(observed),
    ...(stage !== 'Over' && { queries: diagnosisQueries(observed, now) }),
    ...requeueAt(context, [missingPodsDueAt(observed, now), ...graceEnds]),
  };
};

function runningCondition(context: Context): BareCondition {
  const { observed, attemptState, stage, now } = context;
  const { outcome, attempt, nextAttemptAt } = attemptState;
  if (outcome) return notRunning(outcome);
  const refused = childFailures(observed).find(({ stuck }) => stuck);
  if (stage === 'Suspended') return notRunning(refused ?? { reason: 'Suspended', message: 'It is suspended.' });
  if (stage === 'Stopping') {
    return notRunning({
      reason: 'Stopping',
      message: `Attempt ${attempt} starts once no pod of an earlier one is left.`,
    });
  }
  if (stage === 'Running') {
    const problem = refused ?? sidecarDiagnoses(observed)[0] ?? closedHosts(observed)[0];
    const message = 'All that is needed runs.';
    return problem
      ? trueCondition('Running', { reason: problem.reason, message: `${message} ${problem.message}` })
      : trueCondition('Running', { reason: 'Running', message });
  }
  const [diagnosis = carriedOver(observed.snapshot, 'Running', diagnosisQueries(observed, now))] = diagnosesOf(
    observed,
    now,
  );
  if (diagnosis?.stuck === true) return notRunning(diagnosis);
  if (stage === 'Queued') {
    return notRunning({ reason: 'Queued', message: `It waits for its turn in queue ${observed.spec.queue}.` });
  }
  if (stage === 'BackingOff') {
    return notRunning({ reason: 'BackingOff', message: `Attempt ${attempt} starts at ${nextAttemptAt}.` });
  }
  return notRunning(diagnosis ?? { reason: 'Starting', message: 'Not all ranks run yet.' });
}

const notRunning = (why: Why): BareCondition => falseCondition('Running', why);

/** The pods to label with their role, where users of an earlier operator rely on it. */
const podsToMark = (observed: Observed): readonly PodMark[] =>
  hasAliases(observed)
    ? observed.ranks
        .filter(({ pod, gone = false }) => !gone && !pod.deleting && pod.labels[ROLE_LABEL] === undefined)
        .map(({ rank, pod: { name, uid } }) => ({
          name,
          uid,
          labels: { [ROLE_LABEL]: roleAliasOf(rank) },
          gate: ROLE_GATE,
        }))
    : [];
