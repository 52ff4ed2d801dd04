import type { Tuning } from '../../../../constructs/distributed-training/trial.ts';
import type { Parameter, Value } from '../../../../tuning/index.ts';
import type { Assignments } from '../../../../tuning/index.ts';
import type { Search, Trial } from '../../../../tuning/index.ts';
import { isOver } from './trials.ts';
import type { TrialLine } from './trials.ts';

/** What the optimiser is to do, by a spec. */
export const searchOf = ({ algorithm, maxTrials, seed, objective, parameters }: Tuning): Search => ({
  algorithm,
  goal: objective.goal,
  maxTrials,
  seed,
  parameters: Object.fromEntries(Object.entries(parameters).map(([name, each]) => [name, parameterOf(each)])),
});

/**
 * What the trials so far tell the optimiser. Where the parameters are others by now, as those of an MLTrainingJob may be,
 * earlier trials are no points of this search and teach nothing.
 */
export const historyOf = ({ parameters }: Tuning, lines: readonly TrialLine[]): readonly Trial[] =>
  lines
    .filter(({ assignments }) => Object.entries(parameters).every(([name, each]) => isValueOf(each, assignments[name])))
    .map((line) => ({
      assignments: Object.fromEntries(
        Object.entries(parameters).map(([name, each]) => [name, valueOf(each, line.assignments[name] ?? '')]),
      ),
      ...(isOver(line) && { value: line.value ?? Number.NaN }),
    }));

/** Values as programs get them. */
export const asText = (assignments: Assignments): TrialLine['assignments'] =>
  Object.fromEntries(Object.entries(assignments).map(([name, value]) => [name, String(value)]));

type TuningParameter = Tuning['parameters'][string];

function parameterOf({ type, min = 0, max = 1, scale, steps, values }: TuningParameter): Parameter {
  if (values && type === 'categorical') return { type: 'choice', values: values.map(String) };
  if (values) return { type: 'numbers', values: values.map(Number) };
  return { type: 'range', min, max, scale, whole: type === 'int', ...(steps !== undefined && { steps }) };
}

const valueOf = ({ type }: TuningParameter, text: string): Value => (type === 'categorical' ? text : Number(text));

/** Values are rounded, which may take them past an end by that much. */
const ROUNDING = 1e-6;

function isValueOf(parameter: TuningParameter, text: string | undefined): boolean {
  if (text === undefined) return false;
  const value = valueOf(parameter, text);
  const axis = parameterOf(parameter);
  if (axis.type !== 'range') return (axis.values as readonly Value[]).includes(value);
  const slack = ROUNDING * Math.max(Math.abs(axis.min), Math.abs(axis.max));
  return Number(value) >= axis.min - slack && Number(value) <= axis.max + slack;
}
