import { type Life, type Lived, LifeError, live } from './life.ts';
import { hotLoopsOf, remainsOf, vainWritesOf } from './observe.ts';
import { forgiving, judgeChanges, judgeState, learn, type Reference } from './oracles.ts';
import type { Plan } from './plans/plan.ts';
import type { Json } from '../../constructs/schema/json.ts';
import { type Bed, World } from './world.ts';

/** What came of one plan. */
export interface Verdict {
  readonly kind: string;
  /** Of the fault, as in docs/faults.md. */
  readonly id: string;
  readonly plan: string;
  /** How often a fault struck; 0 means that the plan found nothing to disturb. */
  readonly struck: number;
  readonly kills: number;
  readonly seconds: number;
  /** What went otherwise than in a clean run; empty where the plan was survived. */
  readonly failures: readonly string[];
  /** What was there when it failed: the resource, its children, their pods and events. */
  readonly remains?: readonly Json[];
}

export interface CampaignOptions {
  readonly bed: Bed;
  readonly life: Life;
  /** Name of a planted bug, for the campaign that proves the campaign. */
  readonly bug?: string;
}

/** How much of what the operator last said is kept where a life went wrong. */
const LAST_WORDS = 40;

let namespaces = 0;

const openWorld = ({ bed, bug }: CampaignOptions): Promise<World> =>
  World.open({ bed, namespace: `faults-${process.pid}-${(namespaces += 1)}`, ...(bug !== undefined && { bug }) });

/** Leads a life without any fault. */
async function clean(options: CampaignOptions): Promise<Lived> {
  await using world = await openWorld(options);
  world.start();
  return await live(options.life, world);
}

/** Two clean runs: how the life goes, and what varies by itself. */
export async function reference(options: CampaignOptions): Promise<Reference> {
  const { bug: _, ...healthy } = options;
  const [first, second] = await Promise.all([clean(healthy), clean(healthy)]);
  return learn(first, second, options.life.varies);
}

/** Leads a life under one plan and judges it by a reference. */
export async function run(plan: Plan, known: Reference, options: CampaignOptions): Promise<Verdict> {
  const { life } = options;
  const started = performance.now();
  await using world = await openWorld(options);
  for (const rule of plan.rules ?? []) world.proxy.rules.add(rule);
  world.start();
  const failures = await judged(plan, known, plan.life?.(life) ?? life, world);
  return {
    kind: life.type.kind,
    id: plan.id,
    plan: plan.name,
    struck: world.faults,
    kills: world.kills,
    seconds: Math.round((performance.now() - started) / 100) / 10,
    failures,
    ...(failures.length > 0 && { remains: await remainsOf(world) }),
  };
}

async function judged(plan: Plan, reference: Reference, life: Life, world: World): Promise<readonly string[]> {
  const known = plan.judged === 'states' ? forgiving(reference) : reference;
  try {
    const lived = await live(life, world, {
      before: (turn) => {
        world.proxy.rules.turn(plan.during?.(turn) ?? []);
        return plan.before?.(turn, world);
      },
      judge: (turn, state) => judgeState(known, turn, state),
    });
    return [
      ...(plan.judged === 'states' ? [] : judgeChanges(known, lived)),
      ...lived.writesAtRest.map((write) => `written at rest: ${write}`),
      // A restart, or a lost answer, has to be made up for by a write that may change nothing.
      ...(plan.id.startsWith('B') && world.kills === 0 ? vainWritesOf(world) : []),
      ...hotLoopsOf(world),
      ...world.complaints,
    ];
  } catch (error) {
    const words = error instanceof LifeError ? error.failures : [String(error)];
    return [...words, ...hotLoopsOf(world), ...world.complaints, ...world.output.slice(-LAST_WORDS)];
  }
}
