import type { DistributedTrainingResource } from '../../operator/kinds/distributed-training/index.ts';
import { largest } from '../../constructs/parts/values/index.ts';
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
  /** Where a value is; undefined where it is not on it, as one of a range that has been changed since. */
  readonly at: (text: string) => number | undefined;
}

/** A search as it is drawn. */
export interface DrawnSearch {
  readonly name: string;
  readonly phase: string;
  readonly metric: string;
  readonly goal: 'maximize' | 'minimize';
  readonly maxTrials: number;
  /** The number at the end of the axis of trials: maxTrials, or the last trial where that was lowered below it. */
  readonly last: number;
  readonly counts: { readonly running: number; readonly succeeded: number; readonly failed: number };
  /** Its line is the one that the value was read from. */
  readonly best?: Pick<Point, 'number' | 'value' | 'assignments'> & { readonly line?: string };
  readonly trials: NonNullable<NonNullable<DistributedTrainingResource['status']>['tuning']>['trials'];
  readonly points: readonly Point[];
  readonly axes: readonly ParameterAxis[];
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
  const { metric, goal } = tuning.objective;
  const better = goal === 'maximize' ? Math.max : Math.min;
  const points: Point[] = [];
  for (const { number, value, assignments } of trials) {
    if (value === undefined) continue;
    points.push({ number, value, best: better(value, points.at(-1)?.best ?? value), assignments });
  }
  const bestLine = trials.find(({ number }) => number === best?.trial)?.line;
  const names = Object.keys(tuning.parameters).toSorted();
  return {
    name: metadata.name,
    phase: status?.phase ?? 'Pending',
    metric,
    goal,
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
    axes: names.flatMap((name) => axisOf(name, tuning.parameters[name])),
  };
}

function axisOf(name: string, parameter: Parameter | undefined): readonly ParameterAxis[] {
  if (parameter === undefined) return [];
  const { min = 0, max = 1, scale, values } = parameter;
  if (values) {
    const texts = values.map(String);
    const at = (text: string) => onAxis(texts.indexOf(text), 0, texts.length - 1);
    return [{ name, from: texts[0] ?? '', to: texts.at(-1) ?? '', at }];
  }
  const bend = (value: number) => (scale === 'log' ? Math.sign(min) * Math.log(Math.abs(value)) : value);
  const at = (text: string) => (text === '' ? undefined : onAxis(bend(Number(text)), bend(min), bend(max)));
  return [{ name, from: String(min), to: String(max), at }];
}

/** Values are rounded, which may take them past an end by that much. */
const ROUNDING = 1e-6;

/** Where a value is between two others, from 0 to 1; in the middle where these are one. */
export function onAxis(value: number, from: number, to: number): number | undefined {
  if (from === to) return value === from ? 0.5 : undefined;
  const place = (value - from) / (to - from);
  return place >= -ROUNDING && place <= 1 + ROUNDING ? Math.min(1, Math.max(0, place)) : undefined;
}

/** A number as it is shown: at most five digits that tell. */
export const shown = (value: number): string => String(Number(value.toPrecision(5)));
