import type { DistributedTrainingResource } from '../../operator/kinds/distributed-training/index.ts';
import { historyOf, searchOf } from '../../operator/kinds/distributed-training/tuning/optimizer-input.ts';
import { isOver, type TrialLine } from '../../operator/kinds/distributed-training/tuning/trials.ts';
import { largest } from '../../constructs/parts/values/index.ts';
import { type Importance, importanceOf } from '../../tuning/index.ts';
import { CliError } from '../errors.ts';

/** A trial with a value, and the best value up to it. */
export interface Point {
  readonly number: number;
  readonly value: number;
  readonly best: number;
  readonly assignments: Readonly<Record<string, string>>;
}

/** A parameter as an axis from 0 to 1. */
export interface ParameterAxis {
  readonly name: string;
  /** What stands at its ends. */
  readonly from: string;
  readonly to: string;
  readonly scale: ParameterScale;
  /** Where a value is; undefined where it is not on it, as one of a range that has been changed since. */
  readonly at: (text: string) => number | undefined;
}

/** All values of a parameter, in their order, or its range. */
export type ParameterScale =
  | { readonly type: 'values'; readonly values: readonly string[] }
  | { readonly type: 'linear' | 'log'; readonly min: number; readonly max: number; readonly whole: boolean };

/** A search as it is drawn. */
export interface DrawnSearch {
  readonly name: string;
  readonly phase: string;
  readonly metric: string;
  readonly goal: 'maximize' | 'minimize';
  /** A value as good as this ends the search. */
  readonly target?: number;
  readonly maxTrials: number;
  /** The number at the end of the axis of trials: maxTrials, or the last trial where that was lowered below it. */
  readonly last: number;
  readonly counts: { readonly running: number; readonly succeeded: number; readonly failed: number };
  /** Its line is the one that the value was read from. */
  readonly best?: Pick<Point, 'number' | 'value' | 'assignments'> & { readonly line?: string };
  readonly trials: readonly TrialLine[];
  /** The trials with a value. */
  readonly points: readonly Point[];
  /** Those that ended without one. */
  readonly failures: readonly TrialLine[];
  /** Those that have not ended. */
  readonly unfinished: readonly TrialLine[];
  readonly axes: readonly ParameterAxis[];
  readonly importance: Importance;
}

type Parameter = NonNullable<DistributedTrainingResource['spec']['tuning']>['parameters'][string];

/**
 * What is drawn of a resource.
 *
 * @throws CliError where it is no search
 */
export function drawnSearch({ metadata, spec, status }: DistributedTrainingResource): DrawnSearch {
  const { tuning } = spec;
  if (tuning === undefined)
    throw new CliError(`DistributedTraining ${metadata.name} is no search: it has no spec.tuning`);
  const { trials = [], running = 0, succeeded = 0, failed = 0, best } = status?.tuning ?? {};
  const { metric, goal, target } = tuning.objective;
  const better = goal === 'maximize' ? Math.max : Math.min;
  const points: Point[] = [];
  for (const { number, value, assignments } of trials) {
    if (!isDrawable(value)) continue;
    points.push({ number, value, best: better(value, points.at(-1)?.best ?? value), assignments });
  }
  const bestLine = trials.find(({ number }) => number === best?.trial)?.line;
  const names = Object.keys(tuning.parameters).toSorted();
  return {
    name: metadata.name,
    phase: status?.phase ?? 'Pending',
    metric,
    goal,
    ...(target !== undefined && { target }),
    maxTrials: tuning.maxTrials,
    last: largest([tuning.maxTrials, ...trials.map(({ number }) => number)]),
    counts: { running, succeeded, failed },
    ...(best && {
      best: {
        number: best.trial,
        value: best.value,
        assignments: best.assignments,
        ...(bestLine !== undefined && { line: bestLine }),
      },
    }),
    trials,
    points,
    failures: trials.filter((line) => isOver(line) && !isDrawable(line.value)),
    unfinished: trials.filter((line) => !isOver(line) && !isDrawable(line.value)),
    importance: importanceOf(searchOf(tuning), historyOf(tuning, trials)),
    axes: names.flatMap((name) => axisOf(name, tuning.parameters[name])),
  };
}

/** JSON has numbers that are more than a double holds, and become infinite. */
const isDrawable = (value: number | undefined): value is number => value !== undefined && Number.isFinite(value);

function axisOf(name: string, parameter: Parameter | undefined): readonly ParameterAxis[] {
  if (parameter === undefined) return [];
  const { type, min = 0, max = 1, scale, values } = parameter;
  if (values) {
    const texts = values.map(String);
    const at = (text: string) => onAxis(texts.indexOf(text), 0, texts.length - 1);
    return [{ name, from: texts[0] ?? '', to: texts.at(-1) ?? '', at, scale: { type: 'values', values: texts } }];
  }
  const bend = (value: number) => (scale === 'log' ? Math.sign(min) * Math.log(Math.abs(value)) : value);
  const at = (text: string) => (text === '' ? undefined : onAxis(bend(Number(text)), bend(min), bend(max)));
  const drawn = { type: scale === 'log' ? 'log' : 'linear', min, max, whole: type === 'int' } as const;
  return [{ name, from: String(min), to: String(max), at, scale: drawn }];
}

/** Values are rounded, which may take them past an end by that much. */
const ROUNDING = 1e-6;

/** Where a value is between two others, from 0 to 1; in the middle where these are one. */
export function onAxis(value: number, from: number, to: number): number | undefined {
  if (from === to) return value === from ? 0.5 : undefined;
  const place = (value - from) / (to - from);
  return place >= -ROUNDING && place <= 1 + ROUNDING ? Math.min(1, Math.max(0, place)) : undefined;
}

/** The phase of a search, and how many trials there are in each state. */
export function progressOf({ phase, maxTrials, trials, counts }: DrawnSearch): string {
  const { running, succeeded, failed } = counts;
  const many =
    trials.length > maxTrials
      ? `${trials.length} trials, more than maxTrials of ${maxTrials}`
      : `${trials.length} of ${maxTrials} trials`;
  return `${phase}, ${many} (${running} running, ${succeeded} succeeded, ${failed} failed)`;
}

/** A number as it is shown: at most five digits that tell. What rounding would take beyond all numbers has more. */
export function shown(value: number): string {
  const near = Number(value.toPrecision(5));
  return String(Number.isFinite(near) ? near : value);
}
