import type { Json } from '../../constructs/schema/json.ts';
import { changed, taken, reported } from './fates.ts';
import type { Fates } from './fates.ts';
import type { Fields } from './fields.ts';

const TO = 'spec.tuning.parameters';
const SPACE = 'spec.parameters.feasibleSpace';

/** What happens to the parameters of an Experiment. */
export const PARAMETER_FATES: Fates = {
  'spec.parameters': reported('a parameter needs a name, a parameterType and a feasibleSpace'),
  'spec.parameters.name': taken(TO),
  'spec.parameters.parameterType': taken(TO),
  [`${SPACE}.min`]: taken(TO),
  [`${SPACE}.max`]: taken(TO),
  [`${SPACE}.list`]: taken(TO),
  [`${SPACE}.step`]: changed(TO),
  [`${SPACE}.distribution`]: changed(TO),
};

/** Ours of a type of Katib's. */
const TYPES: Readonly<Record<string, string>> = { double: 'float', int: 'int', categorical: 'categorical' };

/** The most places that a range with steps may have here. */
const MOST_STEPS = 1_000;
/** Names of ours: those of variables. */
const NAME = /^[A-Za-z_]\w*$/;

/** The parameters of an Experiment, and what each of its names is here. */
export interface Parameters {
  readonly all: Readonly<Record<string, object>>;
  readonly names: ReadonlyMap<string, string>;
}

/** Two whose names become the same are left to be told. */
export function parametersOf(parameters: readonly Fields[]): Parameters {
  const all: Record<string, object> = {};
  const names = new Map<string, string>();
  for (const parameter of parameters) {
    const given = parameter.peek('name');
    const name = typeof given === 'string' ? variableOf(given) : undefined;
    if (typeof given !== 'string' || name === undefined || Object.hasOwn(all, name)) continue;
    parameter.take('name');
    if (name !== given) parameter.note('name', `is ${name} here: a parameter is a variable of its name`);
    names.set(given, name);
    all[name] = parameterOf(parameter);
  }
  return { all, names };
}

/** The name of a variable nearest to a name; undefined where there is none. */
function variableOf(name: string): string | undefined {
  const plain = name.replaceAll(/\W/g, '_');
  return NAME.test(plain) ? plain : undefined;
}

function parameterOf(parameter: Fields): object {
  const space = parameter.at('feasibleSpace');
  const given = parameter.peek('parameterType');
  if (given === 'discrete') return { ...discreteOf(parameter, space) };
  const type = typeof given === 'string' && Object.hasOwn(TYPES, given) ? TYPES[given] : undefined;
  if (type === undefined) return {};
  parameter.take('parameterType');
  if (given === 'double') parameter.note('parameterType', 'is float here');
  const values = space.texts('list');
  if (values !== undefined) return { type, values: type === 'int' ? values.map(numberOrText) : values };
  return { type, ...rangeOf(space, type) };
}

/** Whole numbers as such; with a fraction, as texts of a float. */
function discreteOf(parameter: Fields, space: Fields): object {
  const values = space.texts('list') ?? [];
  const isWhole = values.every((value) => Number.isSafeInteger(Number(value)));
  parameter.take('parameterType');
  parameter.note('parameterType', `is ${isWhole ? 'int' : 'float'} with values here`);
  return { type: isWhole ? 'int' : 'float', values: isWhole ? values.map(numberOrText) : values };
}

const numberOrText = (value: string): Json => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

function rangeOf(space: Fields, type: string): object {
  const [min, max] = [numberAt(space, 'min'), numberAt(space, 'max')];
  const distribution = space.peek('distribution');
  const isLog = distribution === 'logUniform';
  if (isLog || distribution === 'uniform') space.take('distribution');
  if (isLog) space.note('distribution', 'is scale log here');
  return {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(isLog && { scale: 'log' }),
    ...stepsOf(space, { min, max, type }),
  };
}

interface Range {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly type: string;
}

/** A distance between numbers as how many there are: only where it divides the range. */
function stepsOf(space: Fields, { min, max, type }: Range): object {
  const step = Number(space.peek('step') ?? Number.NaN);
  if (!(step > 0) || min === undefined || max === undefined) return {};
  const steps = (max - min) / step;
  const whole = Math.round(steps);
  if (Math.abs(steps - whole) > 1e-6 || whole < 1 || whole >= MOST_STEPS) return {};
  space.take('step');
  if (type === 'int' && step === 1) {
    space.note('step', 'is so for type int anyway');
    return {};
  }
  space.note('step', `is steps ${whole + 1} here: so many numbers from min to max`);
  return { steps: whole + 1 };
}

function numberAt(space: Fields, name: string): number | undefined {
  const value = space.peek(name);
  const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  if (!isNumber) return undefined;
  space.take(name);
  return Number(value);
}
