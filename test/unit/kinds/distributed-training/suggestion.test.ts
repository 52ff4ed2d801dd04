import { describe, expect, test } from 'vitest';
import { searchSpec, SearchWorld } from './search.ts';
import { conditionOf, SECOND, messageOf } from './support.ts';

const world = (...of: Parameters<typeof searchSpec>): SearchWorld => new SearchWorld(searchSpec(...of));

describe('what somebody else writes onto trials', () => {
  const written = (annotations: Readonly<Record<string, string>>, name = 'resnet-1') => {
    const search = world({ parallelTrials: 1 });
    search.operate();
    const { manifest, status } = search.trials.get('resnet-1') ?? {};
    if (!manifest || !status) throw new Error('there is no trial 1');
    search.trials.delete('resnet-1');
    const metadata = { ...manifest.metadata, name, annotations: { ...manifest.metadata.annotations, ...annotations } };
    search.trials.set(name, { manifest: { ...manifest, metadata }, status });
    search.status = undefined;
    return search.decide().status.tuning?.trials ?? [];
  };

  test.each(['{', '5', 'null', '{"a": 5}', '{"a": {"b": "c"}}', JSON.stringify({ a: 'x'.repeat(129) })])(
    'as assignments, such as %s, tells nothing',
    (text) => expect(written({ 'trunnion.dev/assignments': text })[0]?.assignments).toEqual({}),
  );

  test.each(['0', '-1', '1.5', '201', 'NaN', '1e3'])('as the number %s makes nothing a trial', (number) => {
    expect(written({ 'trunnion.dev/trial': number }, `resnet-${number}`).map((line) => line.number)).toEqual([1]);
  });
});

describe('a search whose next trial', () => {
  const failing = (message = 'it took longer than 20 s') => {
    const search = world({ parallelTrials: 1, maxTrials: 8 });
    search.operate().complete(1, 0.5);
    search.compute = () => ({ at: search.now, type: 'uncomputed', message });
    return search.operate();
  };

  test('is not known yet records what has ended, starts nothing, and starts one trial when it is', () => {
    const search = world({ parallelTrials: 2 });
    const compute = search.compute;
    search.operate().complete(1, 0.5);
    search.compute = () => undefined;
    search.operate().operate();
    expect(search.running).toEqual([2]);
    expect(search.status?.tuning).toMatchObject({ running: 1, succeeded: 1 });
    search.compute = compute;
    search.operate().operate();
    expect(search.running).toEqual([2, 3]);
  });

  test('was chosen by other trials than there are now is chosen again', () => {
    const search = world({ parallelTrials: 2 });
    search.operate().complete(1, 0.5);
    const [query] = search.decide().queries;
    search.complete(2, 0.9);
    expect(search.decide().queries.map(({ id }) => id)).not.toContain(query?.id);
  });

  test('is asked for again only when its pause is over, also by an operator that starts again', () => {
    const search = failing();
    expect(search.status?.tuning?.suggestion).toMatchObject({ failures: 1, message: 'it took longer than 20 s' });
    expect(conditionOf(search.status ?? {}, 'Running')).toBe('False SuggestionFailed');
    expect(messageOf(search.status ?? {}, 'Running')).toMatch(/could not be chosen.*longer than 20 s.*random/);
    search.answers = {};
    const { queries, requeueAt = 0 } = search.decide();
    expect(queries).toEqual([]);
    expect(requeueAt - search.now).toBeGreaterThan(25 * SECOND);
    search.now = requeueAt;
    expect(search.decide().status.tuning?.suggestion?.failures).toBe(2);
  });

  test('is chosen in the end continues as if nothing had been', () => {
    const search = failing();
    search.compute = world().compute;
    search.now = search.decide().requeueAt ?? 0;
    search.operate().operate();
    expect(search.running).toEqual([2]);
    expect(search.status?.tuning?.suggestion).toBeUndefined();
    expect(conditionOf(search.status ?? {}, 'Running')).toBe('False Starting');
  });

  test('cannot be chosen three times in a row has failed, with its best trial kept', () => {
    const search = failing();
    for (let time = 0; time < 2; time++) {
      search.now = search.decide().requeueAt ?? Number.NaN;
      search.operate();
    }
    expect(search.status?.phase).toBe('Failed');
    expect(conditionOf(search.status ?? {}, 'Failed')).toBe('True SuggestionFailed');
    expect(messageOf(search.status ?? {}, 'Failed')).toMatch(/3 times in a row.*The best of 1 trials is trial 1/);
    expect(search.status?.tuning?.best?.value).toBe(0.5);
    expect(search.decide().queries).toEqual([]);
  });

  test('cannot be chosen lets those that run continue, and learns from their ends', () => {
    const search = world({ parallelTrials: 2 });
    search.operate().set(2, { phase: 'Running' }).complete(1, 0.5);
    search.compute = () => ({ at: search.now, type: 'uncomputed', message: 'it took too much memory' });
    search.operate();
    for (let time = 0; time < 4; time++) {
      search.now = search.decide().requeueAt ?? Number.NaN;
      search.operate();
    }
    expect(search.status?.phase).toBe('Running');
    expect(conditionOf(search.status ?? {}, 'Running')).toBe('True SuggestionFailed');
    expect(search.running).toEqual([2]);
    search.complete(2, 0.7).operate();
    expect(search.status?.completionTime).toBeUndefined();
    search.now = search.decide().requeueAt ?? Number.NaN;
    search.operate();
    expect(conditionOf(search.status ?? {}, 'Failed')).toBe('True SuggestionFailed');
  });

  test('is asked for by no search that is suspended, has no place or is over', () => {
    const search = world({ parallelTrials: 1, maxTrials: 2 });
    search.operate();
    expect(search.decide().queries).toEqual([]);
    search.complete(1, 0.5);
    search.spec = { ...search.spec, suspend: true };
    expect(search.decide().queries).toEqual([]);
  });
});
