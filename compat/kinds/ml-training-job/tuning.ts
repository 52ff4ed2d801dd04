import type { MLTrainingJobSpec } from './schema.ts';

type AutoTuning = NonNullable<MLTrainingJobSpec['autoTuning']>;
type Parameter = NonNullable<AutoTuning['parameters']>[string];

/** Metrics of which less is better, by their names: an MLTrainingJob does not say. */
const LESS_IS_BETTER = /loss|error|perplexity|(^|_)(mae|mse|rmse)($|_)/i;

/** From this ratio of its bounds on, a parameter is looked for by orders of magnitude. */
const WIDE = 100;

/** The search for hyperparameters, as ours has it. */
export function tuningOf({ algorithm, maxTrials, objective, parameters = {} }: AutoTuning) {
  return {
    ...(algorithm !== undefined && { algorithm }),
    ...(maxTrials !== undefined && { maxTrials }),
    ...(objective !== undefined && { objective: { metric: objective, goal: goalOf(objective) } }),
    parameters: Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, scaled(parameter)])),
  };
}

const goalOf = (metric: string): 'maximize' | 'minimize' => (LESS_IS_BETTER.test(metric) ? 'minimize' : 'maximize');

/** Numbers with a fraction are text in a list of ours. */
const asOurs = (value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? String(value) : value;

function scaled(parameter: Parameter): Parameter & { readonly scale?: 'log' } {
  const { type, min, max, values } = parameter;
  const isWide = type === 'float' && min !== undefined && max !== undefined && min > 0 && max / min >= WIDE;
  return { ...parameter, ...(isWide && { scale: 'log' }), ...(values && { values: values.map(asOurs) }) };
}
