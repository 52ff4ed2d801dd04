import { branin, hartmann6 } from './functions.ts';
import { searchAll } from './search.ts';

/** What the median search must come to, in 20 trials. */
const GATES = [
  { of: branin, parallel: 1, most: branin.minimum + 0.05 },
  { of: branin, parallel: 4, most: branin.minimum + 0.1 },
  { of: hartmann6, parallel: 1, most: -2.6 },
  { of: hartmann6, parallel: 4, most: -2.2 },
] as const;
const TRIALS = 20;
const MOST_SECONDS = 2;
/** Sets of seeds. The gates are about the first of them; random search must be worse in all. */
const SETS = 4;
const SET_SIZE = 30;

const seedsOf = (set: number): readonly number[] => Array.from({ length: SET_SIZE }, (_, i) => set * SET_SIZE + i);

let failed = false;
console.log('function   at a time  seeds     bayesian   random   (above the minimum)   CPU s a search, at most');
for (const { of, parallel, most } of GATES) {
  for (let set = 0; set < SETS; set++) {
    const seeds = seedsOf(set);
    const bayesian = searchAll(of, { algorithm: 'bayesian', parallel, trials: TRIALS }, seeds);
    const random = searchAll(of, { algorithm: 'random', parallel, trials: TRIALS }, seeds);
    const isGood = (set > 0 || bayesian.median <= most) && bayesian.median < random.median;
    const passes = isGood && bayesian.seconds < MOST_SECONDS;
    failed ||= !passes;
    const row = [
      of.name.padEnd(10),
      String(parallel).padStart(9),
      `${seeds[0]} to ${seeds.at(-1)}`.padStart(10),
      bayesian.median.toFixed(3).padStart(9),
      random.median.toFixed(3).padStart(8),
      `${(bayesian.median - of.minimum).toFixed(3)} and ${(random.median - of.minimum).toFixed(3)}`.padStart(20),
      bayesian.seconds.toFixed(2).padStart(12),
      passes ? '' : 'FAILED',
    ];
    console.log(row.join(' ').trimEnd());
  }
}
process.exitCode = failed ? 1 : 0;
