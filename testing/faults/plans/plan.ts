import type { Scenario, ScenarioRun } from '../scenario.ts';
import type { Match, Rule } from '../proxy/rules.ts';
import type { World } from '../world.ts';

/** One way in which a scenario is disturbed. */
export interface Plan {
  /** Of the fault, as in docs/faults.md: a letter for its class and a number. */
  readonly id: `${'A' | 'B' | 'C' | 'D' | 'E' | 'F'}${number}`;
  readonly name: string;
  /** What is in force from the start. */
  readonly rules?: readonly Rule[];
  /** What is in force during a step, instead of what was during the one before. */
  readonly during?: (step: number) => readonly Rule[];
  /** What happens when a step begins. */
  readonly before?: (step: number, world: World) => Promise<void> | void;
  /** The scenario that runs instead of the whole one. */
  readonly scenario?: (scenario: Scenario) => Scenario;
  /**
   * Whether only states are compared: where the plan itself deletes objects, they are made more often.
   *
   * @default - counts of creates and deletes as well
   */
  readonly judged?: 'states';
}

/** What plans are built from: a scenario, and its fault-free run. */
export interface Scene {
  readonly scenario: Scenario;
  readonly run: ScenarioRun;
  /** Whether the operator reads its token again where that has changed. */
  readonly rereadsToken: boolean;
}

export const WRITE: Match = { write: true };

/** For faults that strike every time. */
export const always = { times: Infinity };

/** The resources that the operator creates in a scenario, in the order of the alphabet. */
export const childrenIn = ({ run }: Scene): readonly string[] =>
  [...new Set(Object.keys(run.changes).flatMap((key) => /^create ([a-z]+)\//.exec(key)?.[1] ?? []))].toSorted();

/** How many writes a step of the scenario has at most. */
export const mostWrites = ({ run: { writes } }: Scene): number =>
  writes.reduce((most, upTo, step) => Math.max(most, upTo - (writes[step - 1] ?? 0)), 0);

/** So many requests of many pass first, and of fewer all but one, so that there is one left to disturb. */
export const skipOf = (wanted: number, count: number): number => Math.max(0, Math.min(wanted, count - 1));

/** The resources that it watches in it, that of the scenario first. */
export const watchedIn = ({ scenario, run }: Scene): readonly string[] => {
  const { plural } = scenario.subject.type;
  return [
    ...run.traffic.watched.filter((resource) => resource === plural),
    ...run.traffic.watched.filter((resource) => resource !== plural),
  ];
};

/** The resource of the scenario, and pods where these are watched. */
export const mainIn = (scene: Scene): readonly string[] => {
  const main = new Set([scene.scenario.subject.type.plural, 'pods']);
  return watchedIn(scene).filter((resource) => main.has(resource));
};

export const watchesOf = (resource: string): Match => ({ verb: 'watch', resource });

/** Requests for all that there is of a resource. */
export const listsOf = (resource: string): Match => ({ verb: ['list', 'watch'], resource, initial: true });

/** All watches, of every resource. */
export const WATCH: Match = { verb: 'watch' };

/** A plan for each resource that is watched. */
export const forEachWatched = (scene: Scene, plansFor: (resource: string) => readonly Plan[]): readonly Plan[] =>
  watchedIn(scene).flatMap(plansFor);

/** How long a connection stays open on which nothing is said any more. */
export const idleOf = ({ patience: { idleMs } }: Scenario): { readonly milliseconds?: number } =>
  idleMs === undefined ? {} : { milliseconds: idleMs };
