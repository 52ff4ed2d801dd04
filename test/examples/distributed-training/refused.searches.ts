import { minimal, search, type RefusedExample } from './example.ts';

const searching = (tuning: object, over: object = {}) => ({
  ...search,
  ...over,
  tuning: { ...search.tuning, ...tuning },
});

const parameter = (each: object): object => searching({ parameters: { a: each } });

const at = 'spec.tuning.parameters[a]';

/** Searches that can't work. */
export const searches: readonly RefusedExample[] = [
  {
    title: 'a search with a name of 40 characters',
    name: `a${'b'.repeat(39)}`,
    spec: search,
    problems: [['metadata.name', 'at most 39 characters with tuning']],
  },
  {
    title: 'a parameter with neither bounds nor values',
    spec: parameter({ type: 'float', min: 1 }),
    problems: [[at, 'must have min and max, or values']],
  },
  {
    title: 'a parameter with both',
    spec: parameter({ type: 'int', min: 1, max: 2, values: [1] }),
    problems: [[`${at}.values`, 'takes the place of min, max and steps']],
  },
  {
    title: 'texts in a range',
    spec: parameter({ type: 'categorical', min: 1, max: 2 }),
    problems: [[`${at}.values`, 'is required with type categorical']],
  },
  {
    title: 'a range that is upside down',
    spec: parameter({ type: 'float', min: 2, max: 1 }),
    problems: [[`${at}.min`, 'must be less than max']],
  },
  {
    title: 'a logarithmic range across zero',
    spec: parameter({ type: 'float', min: -1, max: 1, scale: 'log' }),
    problems: [[`${at}.scale`, 'both above 0, or both below']],
  },
  {
    title: 'integers between fractions',
    spec: parameter({ type: 'int', min: 0.5, max: 4 }),
    problems: [[`${at}.type`, 'int needs whole numbers']],
  },
  {
    title: 'an integer up to what no integer of CEL can be',
    spec: parameter({ type: 'int', min: 1, max: 1e21 }),
    problems: [[`${at}.max`, 'must be from -9007199254740991 to 9007199254740991']],
  },
  {
    title: 'an integer from the least number that there is to a fraction',
    spec: parameter({ type: 'int', min: -1.7976931348623157e308, max: 0.5 }),
    problems: [
      [`${at}.min`, 'must be from -9007199254740991 to 9007199254740991'],
      [`${at}.type`, 'int needs whole numbers'],
    ],
  },
  {
    title: 'a value that is larger than integers are',
    spec: parameter({ type: 'int', values: [1, 1e21] }),
    problems: [
      ['spec.tuning.parameters.a.values[1]', 'must be of type integer,string: "number"'],
      [`${at}.values`, 'must be from -9007199254740991 to 9007199254740991, but for text'],
    ],
  },
  {
    title: 'a value beyond which whole numbers have no value of their own',
    spec: parameter({ type: 'int', values: [1, 2 ** 53] }),
    problems: [[`${at}.values`, 'must be from -9007199254740991 to 9007199254740991, but for text']],
  },
  {
    title: 'values that are no numbers',
    spec: parameter({ type: 'float', values: ['0.5', 'much'] }),
    problems: [[`${at}.values`, 'must be numbers']],
  },
  {
    title: 'half a step',
    spec: parameter({ type: 'float', min: 1, max: 2, steps: 1.5 }),
    problems: [
      ['spec.tuning.parameters.a.steps', 'must be of type int32'],
      ['spec.tuning.parameters.a.steps', 'greater than or equal to 2'],
    ],
  },
  {
    title: 'a range without steps in a grid',
    spec: searching({ algorithm: 'grid' }),
    problems: [['spec.tuning.parameters', 'must all have values, or min and max with steps']],
  },
  {
    title: 'no parameters, and names that are none of variables',
    spec: searching({ parameters: {} }),
    problems: [['spec.tuning.parameters', 'must name at least one parameter']],
  },
  {
    title: 'a parameter whose name is none of a variable',
    spec: searching({ parameters: { 'learning-rate': { type: 'int', values: [1] } } }),
    problems: [['spec.tuning.parameters', 'must be the name of a variable']],
  },
  {
    title: 'a parameter that Trunnion sets',
    spec: searching({ parameters: { HOME: { type: 'int', values: [1] } } }),
    problems: [['spec.tuning.parameters', 'must not set HOME']],
  },
  {
    title: 'a parameter that follows from the spec',
    spec: searching({ parameters: { RANK: { type: 'int', values: [1] } } }),
    problems: [['spec.tuning.parameters', 'with pytorch they follow']],
  },
  {
    title: 'a parameter that env sets',
    spec: searching({}, { env: [{ name: 'batchSize', value: '1' }] }),
    problems: [['spec.tuning.parameters', 'a variable that env sets too']],
  },
  {
    title: 'a parameter that is a hyperparameter',
    spec: searching({}, { hyperparameters: { batchSize: '1' } }),
    problems: [['spec.tuning.parameters', 'a variable that hyperparameters sets too']],
  },
  {
    title: 'more trials at a time than there are',
    spec: searching({ maxTrials: 3 }),
    problems: [['spec.tuning.parallelTrials', 'must not be greater than maxTrials']],
  },
  {
    title: 'an objective beside that of a search',
    spec: searching({}, { objective: search.tuning.objective }),
    problems: [['spec.objective', 'must be left out with tuning']],
  },
  {
    title: 'a metric with blanks',
    spec: { ...minimal, objective: { metric: 'val accuracy', goal: 'maximize' } },
    problems: [['spec.objective.metric', 'must be letters, digits']],
  },
];
