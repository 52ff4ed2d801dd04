import type { PlanChoice, PlanName } from './options.ts';
import { fullName } from './report.ts';

/** One of each class, where a plan of it has that name. */
export const FEW: readonly string[] = [
  'A1 killed after every write',
  'B2 all watches lag 2 s behind',
  'C3 every event comes twice',
  'D4 cut off for 2 s at the start of each step',
  'E1 writes conflict, four in each step',
  'F1 deleted twice',
];

const nameOf = ({ id, name }: PlanName): string => fullName({ id, plan: name });

/** Whether a plan is chosen. */
export function isChosen(choice: PlanChoice, plan: PlanName): boolean {
  if (choice === 'all') return true;
  if (choice === 'few') return FEW.includes(nameOf(plan));
  if (typeof choice === 'function') return choice(plan);
  if (choice instanceof RegExp) return choice.test(nameOf(plan));
  return [choice].flat().some((text) => nameOf(plan).includes(text));
}

/** The same plans, with one of each class after the other, so that each class has its share of a time that is too short. */
export function mixed<P extends PlanName>(plans: readonly P[]): readonly P[] {
  const classes = [...Map.groupBy(plans, ({ id }) => id.slice(0, 1)).values()];
  const longest = classes.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: longest }, (_, at) => classes.flatMap((ofClass) => ofClass[at] ?? [])).flat();
}
