import type { FaultsReport } from './options.ts';
import { fullName, isSurvived, table } from './report.ts';

/** So many names of plans that weren't run are told. */
const NAMES = 5;

/** The report as text: a table, what failed, and how to run it again. */
export function reportText({
  verdicts,
  notRun,
  minutes,
}: Pick<FaultsReport, 'verdicts' | 'notRun' | 'minutes'>): string {
  const failed = verdicts
    .filter((verdict) => !isSurvived(verdict) && verdict.struck > 0)
    .toSorted((a, b) => a.seconds - b.seconds);
  const [quickest] = failed;
  return [
    table(verdicts),
    `${verdicts.length} runs in ${minutes} minutes`,
    ...(notRun.length === 0 ? [] : [`not run, since the time was over: ${few(notRun)}. Give more with minutes.`]),
    ...(quickest === undefined
      ? []
      : [
          `To run one plan again: plans: ${JSON.stringify(fullName(quickest))}`,
          'What was there then, and the last output of the operator: failures[0].remains, failures[0].output',
        ]),
  ].join('\n');
}

const few = (names: readonly string[]): string =>
  names.length > NAMES ? `${names.slice(0, NAMES).join('; ')}; and ${names.length - NAMES} more` : names.join('; ');
