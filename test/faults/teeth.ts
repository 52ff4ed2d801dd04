import { spawnSync } from 'node:child_process';
import { type Bug, leadershipBug } from './bugs.ts';
import { reference, run } from './campaign.ts';
import { lives } from './lives/index.ts';
import type { Reference } from './oracles.ts';
import { allPlans } from './plans/index.ts';
import type { Bed } from './world.ts';

/** Whether a planted bug was found. */
export interface Bite {
  readonly bug: string;
  /** The plan or test that found it; undefined where none did. */
  readonly by: string | undefined;
  /** What it said. */
  readonly words: string;
}

/** Plants each bug in turn and runs the plans that must find it, all bugs of a kind at once. */
export async function bite(bed: Bed, bugs: readonly Bug[], tell: (bite: Bite) => void): Promise<readonly Bite[]> {
  const bites: Bite[] = [];
  for (const life of lives) {
    const ofKind = bugs.filter(({ kind }) => kind === life.type.kind);
    if (ofKind.length === 0) continue;
    const known = await reference({ bed, life });
    const found = await Promise.all(
      ofKind.map(async (bug) => {
        const one = await hunt(bug, known, { bed, life });
        tell(one);
        return one;
      }),
    );
    bites.push(...found);
  }
  return bites;
}

async function hunt(
  bug: Bug,
  known: Reference,
  { bed, life }: { readonly bed: Bed; readonly life: (typeof lives)[number] },
): Promise<Bite> {
  const plans = allPlans({ life, lived: known.lived }).filter(({ id, name }) => `${id} ${name}`.includes(bug.foundBy));
  if (plans.length === 0) throw new Error(`no plan of ${bug.kind} is called "${bug.foundBy}"`);
  for (const plan of plans) {
    const { failures } = await run(plan, known, { bed, life, bug: bug.name });
    const [words] = failures;
    if (words !== undefined) return { bug: bug.name, by: `${bug.kind} ${plan.id}: ${plan.name}`, words };
  }
  return { bug: bug.name, by: undefined, words: `${plans.length} plans found nothing` };
}

/** Runs the test of a pair of operators that must fail with the bug. */
export function biteLeader(): Bite {
  const { name, foundBy } = leadershipBug;
  const { status, stdout } = spawnSync('vitest', ['run', '--project', 'leadership', '-t', foundBy], {
    env: { ...process.env, TRUNNION_TEST_BUG: name, NO_COLOR: '1' },
    encoding: 'utf8',
  });
  const words = stdout.split('\n').find((line) => line.includes('AssertionError'));
  const isFound = status !== 0 && words !== undefined;
  return { bug: name, by: isFound ? `leadership: ${foundBy}` : undefined, words: words?.trim() ?? 'the test passed' };
}
