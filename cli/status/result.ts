import type { DistributedTrainingStatus } from '../../constructs/distributed-training/status.ts';

type Told = Pick<DistributedTrainingStatus, 'objective' | 'tuning'>;

/** What came of a training, or of the best trial of a search, and the line that it was read from. */
export function resultOf(status: object | undefined): string | undefined {
  const { workload, ...own }: Told & { readonly workload?: Told } = status ?? {};
  // The status of an earlier operator's kind has ours inside.
  const { objective, tuning } = { ...workload, ...own };
  if (objective) return `${objective.metric}=${objective.value}${readFrom(objective.line)}`;
  if (!tuning?.best) return undefined;
  const { trial, value } = tuning.best;
  const line = tuning.trials.find(({ number }) => number === trial)?.line;
  return `the best is trial ${trial} with ${value}${readFrom(line)}`;
}

const readFrom = (line: string | undefined): string => (line === undefined ? '' : `, read from the line "${line}"`);
