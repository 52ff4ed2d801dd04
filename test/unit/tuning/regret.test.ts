import { expect, it } from 'vitest';
import { branin, hartmann6 } from '../../../bench/tuning/functions.ts';
import { searchAll } from '../../../bench/tuning/search.ts';

// `npm run bench:tuning` shows the whole of it: 30 seeds a set, and all settings.
const seeds = [0, 1, 2, 3, 4, 5, 6, 7];

it.each([
  ['Branin, one at a time', branin, 1, branin.minimum + 0.05],
  ['Hartmann6, four at a time', hartmann6, 4, -2.2],
] as const)(
  'a search of 20 trials comes near the minimum, and takes less than two seconds: %s',
  (_, of, parallel, most) => {
    const found = searchAll(of, { algorithm: 'bayesian', parallel, trials: 20 }, seeds);
    const random = searchAll(of, { algorithm: 'random', parallel, trials: 20 }, seeds);
    expect(found.median).toBeLessThan(most);
    expect(found.median).toBeLessThan(random.median);
    expect(found.seconds).toBeLessThan(2);
  },
);
