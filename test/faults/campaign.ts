import { type Life, type Lived, live } from './life.ts';
import { quiet } from './observe.ts';
import { isAsIn, judge, learn, type Reference } from './oracles.ts';
import { crashPlans, faultPlans, type Plan } from './plans.ts';
import { type Bed, World } from './world.ts';

/** What came of one plan. */
export interface Verdict {
  readonly kind: string;
  readonly plan: string;
  readonly class: Plan['class'];
  /** How often a fault struck; 0 means that the plan found nothing to disturb. */
  readonly struck: number;
  readonly kills: number;
  readonly seconds: number;
  /** What went otherwise than in a clean run; empty where the plan was survived. */
  readonly failures: readonly string[];
}

export interface CampaignOptions {
  readonly bed: Bed;
  readonly life: Life;
  /**
   * How many lives are led at once, each in a namespace of its own.
   *
   * @default 4
   */
  readonly parallel?: number;
  /** Name of a planted bug, for the campaign that proves the campaign. */
  readonly bug?: string;
  /** Told of each verdict as it falls. */
  readonly tell?: (verdict: Verdict) => void;
}

/** How long a turn may take where each write of it costs a restart, on a busy machine. */
const TURN_MS = 180_000;

/** How long nothing may be written after the end of a life. */
const REST_MS = 2_000;

let namespaces = 0;

const nextNamespace = (): string => `faults-${process.pid}-${(namespaces += 1)}`;

/** Leads a life without any fault. */
async function clean({ bed, life, bug }: CampaignOptions): Promise<Lived> {
  await using world = await World.open({ bed, namespace: nextNamespace(), ...(bug === undefined ? {} : { bug }) });
  world.start();
  return await live(life, world);
}

/** Two clean runs: how the life goes, and what varies by itself. */
export async function reference(options: CampaignOptions): Promise<Reference> {
  const { bug: _, ...healthy } = options;
  const [first, second] = await Promise.all([clean(healthy), clean(healthy)]);
  return learn(first, second);
}

/** Leads a life under one plan and judges it by a reference. */
export async function run(plan: Plan, known: Reference, options: CampaignOptions): Promise<Verdict> {
  const { bed, life, bug } = options;
  const started = performance.now();
  await using world = await World.open({ bed, namespace: nextNamespace(), ...(bug === undefined ? {} : { bug }) });
  for (const rule of plan.rules) world.proxy.rules.add(rule);
  world.start();
  const failures: string[] = [];
  try {
    const lived = await live(life, world, {
      before: (turn) => plan.before?.(turn, world),
      isSettled: (turn, state) => isAsIn(known, turn, state),
      timeoutMs: TURN_MS,
    });
    failures.push(...judge(known, lived));
    const writes = world.proxy.writes;
    await quiet(world, REST_MS);
    if (world.proxy.writes !== writes) failures.push(`${world.proxy.writes - writes} writes at rest`);
  } catch (error) {
    failures.push(error instanceof Error ? error.message : String(error), ...world.output.slice(-5));
  }
  return {
    kind: life.kind,
    plan: plan.name,
    class: plan.class,
    struck: plan.rules.reduce((sum, rule) => sum + world.proxy.rules.struck(rule), 0),
    kills: world.kills,
    seconds: Math.round((performance.now() - started) / 100) / 10,
    failures,
  };
}

/** Runs plans, several at once, in order. */
export async function runAll(
  plans: readonly Plan[],
  known: Reference,
  options: CampaignOptions,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  const left = [...plans];
  const worker = async (): Promise<void> => {
    for (let plan = left.shift(); plan !== undefined; plan = left.shift()) {
      const verdict = await run(plan, known, options);
      verdicts.push(verdict);
      options.tell?.(verdict);
    }
  };
  await Promise.all(Array.from({ length: options.parallel ?? 4 }, worker));
  return verdicts;
}

/** Every plan there is for a life: each of its writes as a crash point, in two ways, and every other fault. */
export const allPlans = (life: Life, known: Reference): readonly Plan[] => [
  ...crashPlans(life, known.lived),
  ...faultPlans,
];
