import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import type { BareCondition } from '../../engine/api/index.ts';

export type Phase = NonNullable<ModelServingStatus['phase']>;

const DOWNLOADING: ReadonlySet<string> = new Set(['Downloading', 'DownloadRetrying']);
/** Reasons of Progressing for which no server runs yet. */
const PENDING: ReadonlySet<string> = new Set([
  'Pending',
  'InsufficientGPUs',
  'WaitingForNode',
  'NoSuchGPU',
  'NodesCordoned',
  'Unschedulable',
]);

/** The phase: one word for people, which holds nothing that the conditions don't. */
export function phaseOf(conditions: readonly BareCondition[]): Phase {
  const is = (type: string, status: string) =>
    conditions.some((condition) => condition.type === type && condition.status === status);
  const reason = (type: string) => conditions.find((condition) => condition.type === type)?.reason ?? '';
  const progress = reason('Progressing');
  const isStuck = is('Accepted', 'False') || is('Progressing', 'False');
  if (progress === 'Draining' || progress === 'Retired') return progress;
  if (!isStuck && progress === 'Complete') return 'Running';
  if (is('Available', 'True')) return 'Updating';
  if (isStuck) return 'Failed';
  if (is('WeightsReady', 'True')) return PENDING.has(progress) ? 'Pending' : 'Deploying';
  return DOWNLOADING.has(reason('WeightsReady')) ? 'Downloading' : 'Pending';
}
