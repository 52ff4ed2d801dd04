import type { ObservedContainer } from '../../engine/api/index.ts';
import { diagnoseContainer } from '../shared/diagnosis.ts';
import { lastFailure } from '../shared/ends.ts';
import { withLastWords } from '../shared/last-words.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import { othersOf } from './trainer.ts';
import { currentRanks } from './ranks.ts';
import type { Rank } from './ranks.ts';
import type { Observed } from './observed.ts';

/** What to do about a container beside the trainer whose end is no end of the training. */
export const AS_SIDECAR =
  'Make it a native sidecar: put it into podTemplate.spec.initContainers with restartPolicy Always.';

/**
 * Containers beside trainers that run, which ended badly or can't start. The training continues without them, so this is
 * only reported, for the first rank that has one. A container that has ended with 0 may be done with its work.
 */
export function sidecarDiagnoses(observed: Observed): readonly Diagnosis[] {
  const [first] = currentRanks(observed)
    .filter(({ pod }) => pod.phase === 'Running' && !pod.deleting)
    .flatMap((rank) =>
      othersOf(rank.pod).flatMap((container) => diagnosisOf(rank, container, observed.snapshot.answers) ?? []),
    );
  return first ? [first] : [];
}

function diagnosisOf(
  { rank, pod }: Rank,
  container: ObservedContainer,
  answers: Observed['snapshot']['answers'],
): Diagnosis | undefined {
  const { name, sidecar } = container;
  const goesOn = `The program of rank ${rank} continues without it.`;
  const end = lastFailure(container);
  if (end === undefined) {
    const message = diagnoseContainer(pod, container, answers)?.message;
    return message === undefined ? undefined : diagnosis(`${message} ${goesOn}`);
  }
  const oom = end.reason === 'OOMKilled' ? ' (OOMKilled)' : '';
  const how = `${sidecar === true ? 'ends again and again' : 'ended'} with exit code ${end.exitCode}${oom}${withLastWords(end.message)}`;
  const advice = sidecar === true ? 'Read its log.' : `It is not started again. ${AS_SIDECAR}`;
  return diagnosis(`Container ${name} ${how}. ${goesOn} ${advice}`);
}

const diagnosis = (message: string): Diagnosis => ({ reason: 'SidecarFailed', message, stuck: false });
