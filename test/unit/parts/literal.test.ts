import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { trial } from '../../../constructs/distributed-training/trial.ts';
import { literal } from '../../../constructs/parts/values/literal.ts';
import { expanded } from '../../support/kubelet-expansion.ts';
import { minimal } from '../../examples/distributed-training/example.ts';
import { distributedTraining } from '../../../constructs/distributed-training/kind.ts';
import { parseSpec } from '../../../constructs/schema/parse.ts';
import { trainerOf } from '../distributed-training/support/render.ts';

/** Text that is made of all that the kubelet minds, more often than chance has it. */
const text = fc
  .array(fc.oneof(fc.constantFrom('$', '$$', '(', ')', '$(HOME)', '$$(HOME)', '{', '}', '${HOME}', 'a'), fc.string()))
  .map((parts) => parts.join('').replaceAll('\0', ''));
const HOME = { HOME: '/home/trunnion', a: '1' };

test('a text is the same after the kubelet has expanded it, whatever it is', () => {
  fc.assert(fc.property(text, (given) => expanded(literal(given), HOME) === given));
});

test.each(['$(HOME)', '$$(HOME)', '$HOME', '${HOME}', '$', '5$', '$(', '$(HOME', '$$'])(
  'a hyperparameter %s reaches the program as it is, and a variable of env is expanded by Kubernetes',
  (value) => {
    const env = [{ name: 'EXTRA', value: '$(HOME)' }];
    const variables = trainerOf({ ...minimal, env, hyperparameters: { GIVEN: value } }).env ?? [];
    const valueOf = (name: string) => variables.find((one) => one.name === name)?.value ?? '';
    expect(expanded(valueOf('GIVEN'), HOME)).toBe(value);
    expect(expanded(valueOf('EXTRA'), HOME)).toBe(HOME.HOME);
  },
);

/** What the program of a trial gets: its arguments, and its variable of the parameter. */
function programOf(value: string, args: readonly string[]) {
  const tuning = {
    objective: { metric: 'loss', goal: 'minimize' },
    parameters: { optimizer: { type: 'categorical', values: [value] } },
  } as const;
  const spec = parseSpec(distributedTraining, {
    name: 'resnet',
    namespace: 'training',
    host: 'operator',
    spec: { ...minimal, args, tuning },
  });
  const search = { name: 'resnet', namespace: 'training', spec, attempt: 1, tuning: spec.tuning! };
  const made = trial(search, { number: 1, assignments: { optimizer: value }, lifecycle: 'running' });
  const container = trainerOf(made['spec'] as typeof minimal);
  const variable = container.env?.find(({ name }) => name === 'optimizer')?.value ?? '';
  return {
    args: container.args?.map((word) => expanded(word, HOME)),
    variable: expanded(variable, HOME),
  };
}

test.each(['$(HOME)', '$$(HOME)', '$', '(HOME)', '${optimizer}', '$HOME', "it's 5$"])(
  'the value %s of a parameter reaches the program of a trial as the status tells it, wherever it stands',
  (value) => {
    const words = ['--optimizer=${optimizer}', '${optimizer}(HOME)', '${optimizer}${optimizer}', 'a$$$$${optimizer}'];
    expect(programOf(value, words)).toEqual({
      args: [`--optimizer=${value}`, `${value}(HOME)`, `${value}${value}`, `a$$${value}`],
      variable: value,
    });
    expect(programOf(value, ['US$${optimizer}', '$(HOME)/x', '$$(HOME)']).args).toEqual([
      `US$${value}`,
      '/home/trunnion/x',
      '$(HOME)',
    ]);
  },
);
