import { spawnSync } from 'node:child_process';
import { type Bug, leadershipBug } from './bugs.ts';
import { reference, runPlan } from '../../testing/faults/campaign.ts';
import type { Reference } from '../../testing/faults/oracles.ts';
import { allPlans } from '../../testing/faults/plans/index.ts';
import type { Testbed } from '../../testing/faults/world.ts';
import { scenarios } from './scenarios/index.ts';
import { operatorProgram } from './testbed.ts';

/** Whether a planted bug was found. */
export interface Detection {
  readonly bug: string;
  /** The plan or test that found it; undefined where none did. */
  readonly by: string | undefined;
  /** Its message. */
  readonly message: string;
}

/** Plants each bug in turn and runs the plans that must find it, all bugs of a kind at once. */
export async function detectBugs(
  testbed: Testbed,
  bugs: readonly Bug[],
  log: (detection: Detection) => void,
): Promise<readonly Detection[]> {
  const detections: Detection[] = [];
  for (const scenario of scenarios) {
    const ofKind = bugs.filter(({ kind }) => kind === scenario.title);
    if (ofKind.length === 0) continue;
    const known = await reference({ testbed, scenario });
    const found = await Promise.all(
      ofKind.map(async (bug) => {
        const one = await hunt(bug, known, { testbed, scenario });
        log(one);
        return one;
      }),
    );
    detections.push(...found);
  }
  return detections;
}

async function hunt(
  bug: Bug,
  known: Reference,
  { testbed, scenario }: { readonly testbed: Testbed; readonly scenario: (typeof scenarios)[number] },
): Promise<Detection> {
  const plans = allPlans({ scenario, run: known.run, rereadsToken: true }).filter(({ id, name }) =>
    `${id} ${name}`.includes(bug.foundBy),
  );
  if (plans.length === 0) throw new Error(`no plan of ${bug.kind} is called "${bug.foundBy}"`);
  const withBug = { ...testbed, operator: operatorProgram(bug.name) };
  for (const plan of plans) {
    const { failures } = await runPlan(plan, known, { testbed: withBug, scenario });
    const [message] = failures;
    if (message !== undefined) return { bug: bug.name, by: `${bug.kind} ${plan.id}: ${plan.name}`, message };
  }
  return { bug: bug.name, by: undefined, message: `${plans.length} plans found nothing` };
}

/** Runs the test of a pair of operators that must fail with the bug. */
export function detectLeadershipBug(): Detection {
  const { name, foundBy } = leadershipBug;
  const { status, stdout } = spawnSync('vitest', ['run', '--project', 'leadership', '-t', foundBy], {
    env: { ...process.env, TRUNNION_TEST_BUG: name, NO_COLOR: '1' },
    encoding: 'utf8',
  });
  const message = stdout.split('\n').find((line) => line.includes('AssertionError'));
  const isFound = status !== 0 && message !== undefined;
  return {
    bug: name,
    by: isFound ? `leadership: ${foundBy}` : undefined,
    message: message?.trim() ?? 'the test passed',
  };
}

/** Each planted bug, and what found it. */
export const mutantTable = (detections: readonly Detection[]): string =>
  detections
    .flatMap(({ bug, by, message }) => [
      `${by === undefined ? 'MISSED' : 'found '} ${bug}`,
      `       by ${by ?? 'no plan'}: ${message.slice(0, 200)}`,
    ])
    .join('\n');
