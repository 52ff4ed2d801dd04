import { largest } from '../../constructs/parts/values/index.ts';
import type { DrawnSearch } from './search.ts';

/** How long the bar of a parameter is that all depends on. */
const BAR = 20;

/** A share as it is shown: whole percents. */
export const percent = (share: number): string => `${Math.round(100 * share)}%`;

/** The parameters, the most important first; none where that is not known. */
export function rankedParameters({
  importance,
}: DrawnSearch): readonly { readonly name: string; readonly share: number }[] {
  return importance.known ? importance.parameters.toSorted((a, b) => b.share - a.share) : [];
}

/** Why it is not known how important the parameters are. */
export function whyUnknown({ importance }: DrawnSearch): string {
  if (importance.known) return '';
  const { reason, trials, needed } = importance;
  switch (reason) {
    case 'few':
      return `known from ${needed} trials with a value on; there ${trials === 1 ? 'is' : 'are'} ${trials}`;
    case 'equal':
      return `not known: all ${trials} trials have the same value`;
    case 'unclear':
      return `not known: the values of ${trials} trials do not follow from the parameters`;
  }
}

/** How important each parameter is, as lines of text. */
export function importanceLines(search: DrawnSearch): readonly string[] {
  const { importance, metric, points } = search;
  if (points.length === 0) return [];
  if (!importance.known) return ['', `Importance of the parameters: ${whyUnknown(search)}`];
  const ranked = rankedParameters(search);
  const width = largest(ranked.map(({ name }) => name.length));
  return [
    '',
    `Importance for ${metric}: the share of its variation in which a parameter has a part, alone or with others`,
    `(from ${importance.trials} trials; the parameters explain ${percent(importance.explained)} of how they differ)`,
    ...ranked.map(({ name, share }) =>
      `${name.padEnd(width)}  ${percent(share).padStart(4)} ${'█'.repeat(Math.round(BAR * share))}`.trimEnd(),
    ),
  ];
}
