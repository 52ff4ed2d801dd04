import { RESERVED_ENV } from '../parts/pod/schema.ts';
import type { Rule } from '../schema/rules.ts';

const NUMBER = String.raw`^[-+]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]+)?$`;

/** Rules of the name of a result. */
export const metricRules: readonly Rule[] = [
  {
    rule: "self.matches('^[A-Za-z_][-A-Za-z0-9_./@]*$')",
    message: 'must be letters, digits and "_-./@" only, and begin with a letter or "_"',
  },
];

/** Up to it every whole number has a value of its own. */
const LARGEST = Number.MAX_SAFE_INTEGER;
const BOUNDS = ['min', 'max'] as const;
const isExact = (bound: string): string => `self.${bound} >= -${LARGEST}.0 && self.${bound} <= ${LARGEST}.0`;

/** Rules of one parameter. */
export const parameterRules: readonly Rule[] = [
  {
    rule: "self.type != 'categorical' || has(self.values)",
    fieldPath: '.values',
    message: 'is required with type categorical: name what may be taken',
  },
  {
    rule: 'has(self.values) || has(self.min) && has(self.max)',
    message: 'must have min and max, or values',
  },
  {
    rule: '!has(self.values) || !has(self.min) && !has(self.max) && !has(self.steps)',
    fieldPath: '.values',
    message: 'takes the place of min, max and steps: leave out either these or values',
  },
  {
    rule: '!has(self.min) || !has(self.max) || self.min < self.max',
    fieldPath: '.min',
    message: 'must be less than max',
  },
  {
    rule: "self.scale != 'log' || !has(self.min) || !has(self.max) || self.min > 0.0 || self.max < 0.0",
    fieldPath: '.scale',
    message: 'log needs min and max that are both above 0, or both below: move min, or take linear',
  },
  ...BOUNDS.map((bound) => ({
    rule: `self.type != 'int' || !has(self.${bound}) || ${isExact(bound)}`,
    fieldPath: `.${bound}`,
    message: `must be from -${LARGEST} to ${LARGEST} for type int: beyond it not every whole number has a value of its own`,
  })),
  {
    // What is too large has a message of its own; beyond 2^63 it could not be made an integer of CEL.
    rule: `self.type != 'int' || ${BOUNDS.map((bound) => `(!has(self.${bound}) || !(${isExact(bound)}) || self.${bound} == double(int(self.${bound})))`).join(' && ')}`,
    fieldPath: '.type',
    message: 'int needs whole numbers as min and max',
  },
  {
    rule: `!has(self.values) || self.type == 'categorical' || self.values.all(v, type(v) == int || self.type == 'float' && v.matches('${NUMBER}'))`,
    fieldPath: '.values',
    message: 'must be numbers: for int whole ones, for float also others, as text: "0.5"',
  },
  {
    rule: `!has(self.values) || self.values.all(v, type(v) != int || v >= -${LARGEST} && v <= ${LARGEST})`,
    fieldPath: '.values',
    message: `must be from -${LARGEST} to ${LARGEST}, but for text: beyond it not every whole number has a value of its own`,
  },
];

/** Rules of the names of parameters. */
export const parametersRules: readonly Rule[] = [
  { rule: 'size(self) > 0', message: 'must name at least one parameter' },
  {
    rule: "self.all(k, k.size() <= 63 && k.matches('^[A-Za-z_][A-Za-z0-9_]*$'))",
    message: 'each key must be the name of a variable: at most 63 letters, digits and "_", not beginning with a digit',
  },
  {
    rule: `!self.exists(k, k in [${RESERVED_ENV.map((name) => `'${name}'`).join(', ')}] || k.startsWith('TRUNNION_'))`,
    message: `must not set ${RESERVED_ENV.join(', ')} and no name that begins with TRUNNION_: Trunnion sets them`,
  },
];

/** Rules of `spec.tuning`. */
export const tuningRules: readonly Rule[] = [
  {
    rule: 'self.parallelTrials <= self.maxTrials',
    fieldPath: '.parallelTrials',
    message: 'must not be greater than maxTrials: lower parallelTrials or raise maxTrials',
  },
  {
    rule: "self.algorithm != 'grid' || self.parameters.map(k, self.parameters[k]).all(p, has(p.values) || has(p.steps) || p.type == 'int' && has(p.min) && has(p.max) && p.max - p.min < 1000.0)",
    fieldPath: '.parameters',
    message: 'must all have values, or min and max with steps, for algorithm grid: a range has no end of points',
  },
  {
    rule: 'self.algorithm == oldSelf.algorithm && self.seed == oldSelf.seed && self.objective == oldSelf.objective && self.parameters == oldSelf.parameters',
    message:
      'algorithm, seed, objective and parameters must stay as they are, since trials have been chosen by them: make a new resource for another search',
  },
];
