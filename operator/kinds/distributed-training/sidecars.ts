import type { ObservedContainer } from '../../engine/observed.ts';
import { diagnoseContainer } from '../shared/diagnosis.ts';
import { lastFailure } from '../shared/ends.ts';
import { saying } from '../shared/last-words.ts';
import type { Finding } from '../shared/finding.ts';
import { othersOf } from './trainer.ts';
import { currentRanks } from './view.ts';
import type { Rank, View } from './view.ts';

/** What to do about a container beside the trainer whose end is no end of the training. */
export const AS_SIDECAR =
  'Make it a native sidecar: put it into podTemplate.spec.initContainers with restartPolicy Always.';

/**
 * Containers beside trainers that run, which ended badly or can't start. The training goes on without them, so it is told
 * and nothing else; that of the first rank speaks for all. A container that has ended with 0 may be done with its work.
 */
export function sidecarFindings(view: View): readonly Finding[] {
  const [first] = currentRanks(view)
    .filter(({ pod }) => pod.phase === 'Running' && !pod.deleting)
    .flatMap((rank) =>
      othersOf(rank.pod).flatMap((container) => troubleOf(rank, container, view.snapshot.facts) ?? []),
    );
  return first ? [first] : [];
}

function troubleOf(
  { rank, pod }: Rank,
  container: ObservedContainer,
  facts: View['snapshot']['facts'],
): Finding | undefined {
  const { name, sidecar } = container;
  const goesOn = `The program of rank ${rank} goes on without it.`;
  const end = lastFailure(container);
  if (end === undefined) {
    const message = diagnoseContainer(pod, container, facts)?.message;
    return message === undefined ? undefined : finding(`${message} ${goesOn}`);
  }
  const oom = end.reason === 'OOMKilled' ? ' (OOMKilled)' : '';
  const how = `${sidecar === true ? 'ends again and again' : 'ended'} with exit code ${end.exitCode}${oom}${saying(end.message)}`;
  const advice = sidecar === true ? 'Read its log.' : `It is not started again. ${AS_SIDECAR}`;
  return finding(`Container ${name} ${how}. ${goesOn} ${advice}`);
}

const finding = (message: string): Finding => ({ reason: 'SidecarFailed', message, stuck: false });
