import * as z from 'zod';
import { withRules } from '../schema/rules.ts';
import { MOST_TRIALS } from './limits.ts';
import { metricRules, parameterRules, parametersRules, tuningRules } from './tuning.rules.ts';

/** What a program reports as its result. */
export const objective = z.strictObject({
  metric: withRules(z.string().min(1).max(128), ...metricRules).describe(
    'The name of the result, as the first rank prints it: val_accuracy=0.93, {\'val_accuracy\': 0.93} or {"val_accuracy": 0.93}; or writes it to /dev/termination-log. A number is digits, at most one point and perhaps an exponent: 1,234.5 and 93% are refused.',
  ),
  goal: z.enum(['maximize', 'minimize']).describe('Which values are good ones.'),
  take: z.enum(['last', 'best']).describe('Which value counts where several are printed.').default('last'),
});

const parameter = withRules(
  z.strictObject({
    type: z.enum(['float', 'int', 'categorical']).describe('A number, an integer, or one of some texts.'),
    min: z.number().describe('The lowest number.').optional(),
    max: z.number().describe('The highest number.').optional(),
    scale: z
      .enum(['linear', 'log'])
      .describe('Whether equal steps or equal factors count the same from min to max.')
      .default('linear'),
    steps: z
      .int()
      .min(2)
      .max(1000)
      .describe('Takes only so many numbers, evenly spaced on the scale from min to max. Default: all.')
      .optional(),
    values: z
      .array(
        z.union([z.int(), z.string().min(1).max(128)]).describe('A value; a number with a fraction as text: "0.5".'),
      )
      .min(1)
      .max(64)
      .meta({ 'x-kubernetes-list-type': 'atomic' })
      .describe('Takes one of these. Numbers count as evenly spaced.')
      .optional(),
  }),
  ...parameterRules,
);

/** The schema of `spec.tuning`. */
export const tuning = withRules(
  z.strictObject({
    algorithm: z
      .enum(['bayesian', 'random', 'grid'])
      .describe(
        'How trials are chosen: by what the ones before have shown, by chance, or one after the other. None is tried twice.',
      )
      .default('bayesian'),
    maxTrials: z.int().min(1).max(MOST_TRIALS).describe('How many trials there are in all.').default(20),
    parallelTrials: z
      .int()
      .min(1)
      .max(100)
      .describe('How many trials run at a time. The fewer, the more each one knows.')
      .default(1),
    maxFailedTrials: z
      .int()
      .min(0)
      .max(MOST_TRIALS)
      .describe('The search continues with so many failed trials; with one more it has failed.')
      .default(5),
    seed: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .describe('Another seed makes another search. The same seed and results make the same one.')
      .default(0),
    objective: objective
      .extend({
        target: z.number().describe('A trial with a value as good as this ends the search. Default: none.').optional(),
      })
      .describe('What is searched for.'),
    parameters: withRules(
      z.record(z.string(), parameter.describe('A parameter.')).meta({ maxProperties: 16 }),
      ...parametersRules,
    ).describe(
      'What is tried out, by name. Each is a variable of its name, and ${NAME} in command and args stands for its value, in which $(NAME) is no variable.',
    ),
  }),
  ...tuningRules,
);
