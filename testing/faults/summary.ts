import type { FaultsReport } from './options.ts';
import { fullName, isSurvived, table } from './report.ts';

/** So many names of plans that weren't run are told. */
const NAMES = 5;

/** The report as text: a table, what failed, and how to run it again. */
export function reportText({ results, notRun, minutes }: Pick<FaultsReport, 'results' | 'notRun' | 'minutes'>): string {
  const failed = results
    .filter((result) => !isSurvived(result) && result.struck > 0)
    .toSorted((a, b) => a.seconds - b.seconds);
  const [quickest] = failed;
  return [
    table(results),
    `${results.length} runs in ${minutes} minutes`,
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
