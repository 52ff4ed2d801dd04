import { describe, expect, test } from 'vitest';
import { searchSpec, SearchWorld } from './search.ts';
import { decide, MINUTE, resourceOf, conditionOf, messageOf } from './support.ts';

const world = (...of: Parameters<typeof searchSpec>): SearchWorld => new SearchWorld(searchSpec(...of));

/** The share of what is best: 1 where rate is 0.03 and the optimizer is sgd. */
const accuracyOf = (assignments: Readonly<Record<string, string>>): number =>
  (assignments['optimizer'] === 'sgd' ? 1 : 0.7) - Math.abs(Math.log10(Number(assignments['rate'])) + 1.5) / 3;

/** Leads a search to its end, one trial after the other ending. */
function lead(search: SearchWorld, each: { readonly killed?: (pass: number) => boolean } = {}): SearchWorld {
  for (let pass = 0; pass < 200 && search.status?.completionTime === undefined; pass++) {
    search.operate({ killed: each.killed?.(pass) ?? false });
    const [first] = search.running;
    const assignments = first === undefined ? undefined : search.specOf(first).hyperparameters;
    if (first !== undefined && assignments) search.complete(first, accuracyOf(assignments));
  }
  return search;
}

const assigned = ({ trials }: SearchWorld) =>
  [...trials.values()].map(({ manifest }) => manifest.metadata.annotations?.['trunnion.dev/assignments']);

describe('a trial', () => {
  test('is a training with its assignments as variables and in the command, and all else of its search', () => {
    const search = world(
      {},
      { hyperparameters: { EPOCHS: '3' }, checkpoint: { uri: 's3://bucket/a/' }, retry: { limit: 1 } },
    );
    search.operate();
    const { hyperparameters, command, objective, checkpoint, retry, tuning, suspend } = search.specOf(1);
    const { rate = '', optimizer = '' } = hyperparameters ?? {};
    expect(Number(rate)).toBeGreaterThan(0);
    expect(['adam', 'sgd']).toContain(optimizer);
    expect(hyperparameters).toEqual({ EPOCHS: '3', rate, optimizer });
    expect(command).toEqual(['python', 'train.py', `--rate=${rate}`, '${HOME}']);
    expect(objective).toEqual({ metric: 'accuracy', goal: 'maximize', take: 'last' });
    expect(checkpoint?.uri).toBe('s3://bucket/a/resnet-1');
    expect(retry.limit).toBe(1);
    expect({ tuning, suspend }).toEqual({ suspend: false });
  });

  test('that has a value tells the line that it was read from', () => {
    const search = world({ parallelTrials: 1 });
    const objective = { metric: 'accuracy', value: 0.5, line: 'epoch 9: accuracy=0.5' };
    search.operate().set(1, { phase: 'Completed', objective }).operate();
    expect(search.status?.tuning?.trials[0]).toMatchObject({ value: 0.5, line: 'epoch 9: accuracy=0.5' });
  });

  test('that has ended stays as it was when the search changes, and one that runs does not', () => {
    const search = world({ parallelTrials: 1 });
    search.operate().complete(1, 0.5).operate();
    search.spec = { ...search.spec, image: 'torch:2' };
    search.operate();
    expect([search.specOf(1).image, search.specOf(2).image]).toEqual(['torch:1', 'torch:2']);
  });

  test('that runs is created again where somebody deletes it, with the same assignments; one that has ended is not', () => {
    const search = world({ parallelTrials: 2 });
    search.operate().complete(1, 0.5).operate();
    const before = search.specOf(2).hyperparameters;
    search.trials.delete('resnet-1');
    search.trials.delete('resnet-2');
    search.operate();
    expect([...search.trials.keys()].toSorted()).toEqual(['resnet-2', 'resnet-3']);
    expect(search.specOf(2).hyperparameters).toEqual(before);
    expect(search.status?.tuning?.trials[0]).toMatchObject({ number: 1, value: 0.5, phase: 'Completed' });
  });
});

describe('a search', () => {
  test('runs as many trials at a time as it may, and starts the next ones as they end', () => {
    const search = world({ parallelTrials: 3 });
    search.operate();
    expect(search.running).toEqual([1, 2, 3]);
    search.complete(2, 0.5).operate();
    expect(search.running).toEqual([1, 3, 4]);
    expect(search.status?.tuning).toMatchObject({ running: 3, succeeded: 1, failed: 0 });
  });

  test.each(['bayesian', 'random', 'grid'] as const)(
    'of the algorithm %s tells the best trial, and a line a trial',
    (algorithm) => {
      const grid = {
        rate: { type: 'float', values: ['0.01', '0.03', '0.1', 1] },
        optimizer: { type: 'categorical', values: ['adam', 'sgd'] },
      } as const;
      const { status } = lead(world({ algorithm, ...(algorithm === 'grid' && { parameters: grid }) }));
      const { trials = [], best } = status?.tuning ?? {};
      expect(trials).toHaveLength(8);
      expect(best?.value).toBe(Math.max(...trials.map(({ value = 0 }) => value)));
      expect(best?.assignments).toEqual(trials.find(({ number }) => number === best?.trial)?.assignments);
      expect(status?.phase).toBe('Completed');
      expect(messageOf(status ?? {}, 'Complete')).toMatch(
        /^All 8 trials have ended\. The best is trial \d with accuracy=/,
      );
    },
  );

  test('goes otherwise with another seed', () => {
    expect(assigned(world({ seed: 1 }).operate())).not.toEqual(assigned(world().operate()));
  });

  test('minimises where that is its goal', () => {
    const { status } = lead(world({ objective: { metric: 'accuracy', goal: 'minimize' } }));
    const values = status?.tuning?.trials.map(({ value = 0 }) => value) ?? [];
    expect(status?.tuning?.best?.value).toBe(Math.min(...values));
  });

  test('has the same trials when the operator is killed again and again, and when its status is lost', () => {
    const clean = assigned(lead(world({ parallelTrials: 2 })));
    expect(assigned(lead(world({ parallelTrials: 2 }), { killed: (pass) => pass % 2 === 0 }))).toEqual(clean);
    const forgetful = world({ parallelTrials: 2 });
    for (let pass = 0; pass < 20; pass++) {
      forgetful.status = undefined;
      forgetful.operate();
      const [first] = forgetful.running;
      if (first !== undefined) forgetful.complete(first, accuracyOf(forgetful.specOf(first).hyperparameters ?? {}));
    }
    expect(assigned(forgetful)).toEqual(clean);
  });

  test('ends early with its target, and stops what still runs', () => {
    const target = { metric: 'accuracy', goal: 'maximize', target: 0.9 } as const;
    const search = world({ parallelTrials: 2, objective: target });
    search.operate().complete(1, 0.95).operate();
    expect(conditionOf(search.status ?? {}, 'Complete')).toBe('True TargetReached');
    expect(search.running).toEqual([2]);
    expect(search.specOf(2).suspend).toBe(true);
    expect(search.complete(2, 0.99).operate().status?.tuning?.trials).toHaveLength(2);
  });

  test('continues with failed trials, which are reported, until there are too many of them', () => {
    const search = world({ parallelTrials: 1, maxFailedTrials: 1 });
    search.operate().fail(1).operate();
    expect(search.status?.tuning).toMatchObject({
      failed: 1,
      trials: [{ reason: 'RetryLimitExceeded', message: 'Out of memory.' }, {}],
    });
    search.complete(2).operate();
    expect(search.status?.tuning?.trials[1]).toMatchObject({ phase: 'Completed', reason: 'NoObjective' });
    expect(conditionOf(search.status ?? {}, 'Failed')).toBe('True TooManyFailedTrials');
    expect(search.status?.phase).toBe('Failed');
  });

  test('has failed where no trial has a value', () => {
    const search = world({ maxTrials: 2 });
    search.operate().fail(1).operate().fail(2).operate();
    expect(conditionOf(search.status ?? {}, 'Failed')).toBe('True NoTrialSucceeded');
  });

  test('ends when all there is has been tried', () => {
    const { status } = lead(world({ parameters: { rate: { type: 'int', values: [1, 2, 3] } } }));
    expect(status?.tuning?.trials).toHaveLength(3);
    expect(messageOf(status ?? {}, 'Complete')).toMatch(/^All there is has been tried/);
  });

  test('waits with trials that find no place, and says why', () => {
    const search = world({ parallelTrials: 2 });
    search.operate();
    const waits = { type: 'Running', status: 'False', reason: 'InsufficientGPUs', message: 'No node has a GPU left.' };
    search.set(1, { phase: 'Pending', conditions: [waits] }).operate();
    expect(conditionOf(search.status ?? {}, 'Running')).toBe('False InsufficientGPUs');
    expect(search.running).toEqual([1, 2]);
    expect(search.set(2, { phase: 'Running' }).operate().status?.phase).toBe('Running');
  });

  test('says what keeps it from starting trials', () => {
    const search = world();
    search.problems = [{ child: 'trial-1', reason: 'Forbidden', message: 'no more trainings' }];
    search.operate();
    expect(conditionOf(search.status ?? {}, 'Running')).toBe('False Forbidden');
  });

  test('that is suspended stops its trials and starts none, until it is resumed', () => {
    const search = world({ parallelTrials: 2 });
    search.operate().set(1, { phase: 'Running' }).set(2, { phase: 'Running' });
    search.spec = { ...search.spec, suspend: true };
    search.complete(1, 0.5).operate();
    expect(search.specOf(2).suspend).toBe(true);
    expect(conditionOf(search.status ?? {}, 'Suspended')).toBe('True Suspending');
    search.set(2, { phase: 'Suspended' }).operate();
    expect(search.status?.phase).toBe('Suspended');
    search.spec = { ...search.spec, suspend: false };
    search.operate();
    expect(search.running).toEqual([2, 3]);
    expect(conditionOf(search.status ?? {}, 'Suspended')).toBe('False Resumed');
  });

  test('deletes itself when its time is over, which its trials do not', () => {
    const search = lead(world({ maxTrials: 2 }, { ttlSecondsAfterFinished: 60 }));
    expect(search.specOf(1).ttlSecondsAfterFinished).toBeUndefined();
    const resource = resourceOf(search.spec, search.status && { status: search.status });
    const over = Date.parse(search.status?.completionTime ?? '');
    expect(decide({ resource }, over).requeueAt).toBe(over + MINUTE);
    expect(decide({ resource }, over + MINUTE).expire).toBe(true);
  });

  test('waits for its running trials no longer where maxTrials is lowered to what has ended, and says so', () => {
    const search = world({ parallelTrials: 2 });
    search.operate().complete(1, 0.5).operate();
    search.spec = searchSpec({ maxTrials: 1 });
    search.operate();
    expect(messageOf(search.status ?? {}, 'Complete')).toMatch(
      /^1 trials have ended, and maxTrials is 1: what still ran is stopped\. The best is trial 1 /,
    );
    expect([2, 3].map((number) => search.specOf(number).suspend)).toEqual([true, true]);
  });
});

describe('a search that is over', () => {
  const over = () => lead(world({ maxTrials: 2 }));

  test('continues where maxTrials is raised: with its trials so far, and new ones up to that number', () => {
    const search = over();
    const { best, trials: first = [] } = search.status?.tuning ?? {};
    search.spec = searchSpec({ maxTrials: 6 });
    search.operate();
    expect(search.status).toMatchObject({ phase: 'Pending', observedGeneration: 2, tuning: { best, running: 1 } });
    expect(search.status).not.toHaveProperty('completionTime');
    expect(conditionOf(search.status ?? {}, 'Complete')).toBe('False Unfinished');
    expect(lead(search).status?.tuning?.trials).toHaveLength(6);
    expect(search.status?.tuning?.trials.slice(0, 2)).toEqual(first);
    expect(messageOf(search.status ?? {}, 'Complete')).toMatch(/^All 6 trials have ended/);
    expect(search.status?.tuning?.best?.value).toBeGreaterThanOrEqual(best?.value ?? Infinity);
  });

  test('runs as many of the new trials at a time as parallelTrials says by now', () => {
    const search = over();
    search.spec = searchSpec({ maxTrials: 6, parallelTrials: 3, algorithm: 'random' });
    search.operate();
    expect(search.running).toEqual([3, 4, 5]);
  });

  test('makes the same trials as one that was to have so many from the beginning', () => {
    const random = { algorithm: 'random' } as const;
    const search = lead(world({ maxTrials: 2, ...random }));
    search.spec = searchSpec({ maxTrials: 6, ...random });
    expect(assigned(lead(search.operate()))).toEqual(assigned(lead(world({ maxTrials: 6, ...random }))));
  });

  test('says nothing new until it is known what comes next, whenever the operator is killed', () => {
    const search = over();
    const { status } = search;
    search.spec = searchSpec({ maxTrials: 3 });
    const { compute } = search;
    search.compute = () => undefined;
    expect(search.decide()).toMatchObject({ waitForAnswers: true, status: { completionTime: status?.completionTime } });
    search.operate();
    expect(search.status).toBe(status);
    search.compute = compute;
    search.operate({ killed: true }).operate();
    expect(search.running).toEqual([3]);
    expect(search.status).toMatchObject({ tuning: { running: 1 } });
    expect(search.status).not.toHaveProperty('completionTime');
  });

  test('is not deleted for its time where it continues', () => {
    const search = lead(world({ maxTrials: 2 }, { ttlSecondsAfterFinished: 60 }));
    search.spec = searchSpec({ maxTrials: 3 }, { ttlSecondsAfterFinished: 60 });
    search.now += 10 * MINUTE;
    expect(search.decide().expire).toBeUndefined();
  });

  test('with too many failed trials continues where maxFailedTrials is raised, and its stopped trials with it', () => {
    const search = world({ parallelTrials: 2, maxFailedTrials: 0 });
    search.operate().fail(1).operate();
    expect(messageOf(search.status ?? {}, 'Failed')).toMatch(/more than maxFailedTrials of 0: raise it to continue/);
    expect(search.specOf(2).suspend).toBe(true);
    search.spec = searchSpec({ parallelTrials: 2, maxFailedTrials: 1 });
    search.operate();
    expect(search.specOf(2).suspend).toBe(false);
    expect(search.running).toEqual([2, 3]);
    expect(conditionOf(search.status ?? {}, 'Failed')).toBe('False Unfinished');
  });

  test('without a value continues where maxTrials is raised, with the program as it is by now', () => {
    const search = world({ maxTrials: 1 });
    search.operate().complete(1).operate();
    expect(conditionOf(search.status ?? {}, 'Failed')).toBe('True NoTrialSucceeded');
    search.spec = searchSpec({ maxTrials: 2 }, { image: 'torch:2' });
    search.operate();
    expect([search.running, search.specOf(2).image]).toEqual([[2], 'torch:2']);
    expect(conditionOf(search.complete(2, 0.5).operate().status ?? {}, 'Complete')).toBe('True Completed');
  });

  test('while it is suspended continues once it is resumed', () => {
    const search = over();
    search.spec = searchSpec({ maxTrials: 3 }, { suspend: true });
    search.operate();
    expect(search.status).toMatchObject({ phase: 'Completed', observedGeneration: 2 });
    search.spec = searchSpec({ maxTrials: 3 });
    expect(search.operate().running).toEqual([3]);
  });

  test.each<[title: string, tuning: Parameters<typeof searchSpec>[0], over?: Parameters<typeof searchSpec>[1]]>([
    ['maxTrials is lowered', { maxTrials: 1 }],
    ['parallelTrials changes', { maxTrials: 2, parallelTrials: 2 }],
    ['the image changes', { maxTrials: 2 }, { image: 'torch:2' }],
    ['it is suspended', { maxTrials: 2 }, { suspend: true }],
  ])('stays so where %s', (_, tuning, more) => {
    const search = over();
    const { status } = search;
    search.spec = searchSpec(tuning, more);
    search.operate();
    expect(search.status).toMatchObject({ completionTime: status?.completionTime, tuning: status?.tuning });
    expect(messageOf(search.status ?? {}, 'Complete')).toBe(messageOf(status ?? {}, 'Complete'));
  });

  test.each<[title: string, tuning: Parameters<typeof searchSpec>[0]]>([
    ['its target is reached', { objective: { metric: 'accuracy', goal: 'maximize', target: 0 } }],
    ['all there is has been tried', { parameters: { rate: { type: 'int', values: [1, 2] } } }],
  ])('stays so, whatever maxTrials says, where %s', (_, tuning) => {
    const search = lead(world(tuning));
    const { status } = search;
    search.spec = searchSpec({ ...tuning, maxTrials: 100 });
    search.operate();
    expect(search.status).toMatchObject({ completionTime: status?.completionTime, observedGeneration: 2 });
    expect(search.status?.tuning).toEqual(status?.tuning);
  });
});

/** Of a DistributedTraining they must stay; of an MLTrainingJob nobody forbids it. */
describe('a search whose parameters change', () => {
  const list = (values: readonly string[]) => ({ type: 'categorical' as const, values: [...values] });

  /** Leads a grid of two optimizers to its end, the parameters changing after its first trial. */
  const changed = (parameters: Parameters<typeof searchSpec>[0] & object): readonly (string | undefined)[] => {
    const begun = { algorithm: 'grid', parallelTrials: 1, parameters: { optimizer: list(['adam', 'sgd']) } } as const;
    const search = world(begun);
    search.operate().complete(1, 0.5).operate();
    search.spec = searchSpec({ ...begun, ...parameters });
    return assigned(lead(search)).slice(2);
  };

  test('tries all of the points that there are now, whatever was tried before', () => {
    const texts = changed({ parameters: { optimizer: list(['lion', 'adagrad', 'lamb']) } });
    const tried = new Set(texts.map((text) => JSON.parse(text ?? '').optimizer));
    expect(tried).toEqual(new Set(['lion', 'adagrad', 'lamb']));
  });

  test('continues with a parameter that is new, and learns nothing of it from trials without it', () => {
    const texts = changed({
      algorithm: 'bayesian',
      parameters: { optimizer: list(['adam', 'sgd']), rate: { type: 'float', min: 0.001, max: 1, scale: 'log' } },
    });
    const rates = texts.map((text) => Number(JSON.parse(text ?? '').rate));
    expect(rates).toHaveLength(6);
    expect(rates.every((rate) => rate >= 0.001 && rate <= 1)).toBe(true);
    expect(new Set(rates).size).toBe(6);
  });
});
