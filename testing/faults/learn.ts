import { objectIn } from '../../constructs/schema/json.ts';
import { apiVersionOf, type ResourceType } from '../../operator/kube/index.ts';
import type { ServedType, TestCluster } from '../cluster/index.ts';
import { type CleanRun, cleanRun } from './campaign.ts';
import { checkFit } from './misfit.ts';
import type { FaultsOptions } from './options.ts';
import type { ComparedType, Region } from './region.ts';
import { type Scenario, ScenarioError, type Subject } from './scenario.ts';
import { FaultsError } from './error.ts';
import { DEFAULTS } from './settings.ts';
import { deletionOf, stepsOf } from './steps.ts';
import type { Testbed } from './world.ts';

/** What two runs without a fault showed. */
export interface Learned {
  readonly scenario: Scenario;
  readonly first: CleanRun;
  readonly second: CleanRun;
}

/** Where an operator is learned from. */
export interface School {
  readonly options: FaultsOptions;
  readonly cluster: TestCluster;
  readonly testbed: Testbed;
  /** Those of the operator, that of the scenario first. */
  readonly types: readonly [ServedType, ...ServedType[]];
  /** See `Region`. */
  readonly isWide: boolean;
  /** Whether one world runs at a time. */
  readonly isAlone: boolean;
  /** See `Region`. */
  readonly hidden: string;
}

/**
 * Runs the scenario twice without a fault, and finds out what it is about, and what is there to compare.
 *
 * @throws FaultsError where it does not get to its end
 */
export async function learned(school: School): Promise<Learned> {
  const { options, cluster, testbed, types, isWide, isAlone, hidden } = school;
  const [type] = types;
  const possible = await comparableTypes(school);
  let region: Region = { types: possible, isWide, hidden };
  const { scenario: given, ignore, precious, stepSeconds = DEFAULTS.stepSeconds } = options;
  const steps = given.at(-1)?.delete === undefined ? [...given, deletionOf(type)] : given;
  const scenario: Scenario = {
    title: type.kind,
    subject: { type, name: '', namespaced: type.namespaced },
    steps: stepsOf(steps, { types: cluster.types, region: () => region }),
    region,
    patience: { stepMs: stepSeconds * 1_000, settleMs: stepSeconds * 500, idleMs: IDLE_MS },
    ...(ignore !== undefined && { varies: ignore }),
    ...(precious !== undefined && { precious }),
  };
  const run = () => cleanRun({ testbed, scenario }, (world) => checkFit(world, { types, isAlone }));
  const [first, second] = await twice(run, isAlone).catch((error: unknown) => {
    throw error instanceof ScenarioError ? new FaultsError(unreached(type.kind, error)) : error;
  });
  const seen = seenIn(possible, [first, second]);
  region = { types: seen, others: possible.filter((each) => !seen.includes(each)), isWide, hidden };
  return { scenario: { ...scenario, region, subject: subjectIn(type, first) }, first, second };
}

/** How long a connection on which nothing is said stays open. Many clients wait for TCP to find out. */
const IDLE_MS = 60_000;

/** Waits for both, so that none runs any more where one has failed. */
async function twice<T>(run: () => Promise<T>, isAlone: boolean): Promise<readonly [T, T]> {
  if (isAlone) return [await run(), await run()];
  const both = [run(), run()] as const;
  await Promise.allSettled(both);
  return Promise.all(both);
}

const unreached = (kind: string, { failures }: ScenarioError): string =>
  [`without any fault, the scenario of ${kind} does not get to its end:`, ...failures].join('\n');

/** What says nothing of an operator, or what is counted in another way. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'controllerrevisions',
  'endpoints',
  'endpointslices',
  'events',
  'leases',
  'pods',
]);

async function comparableTypes({ options, cluster, isWide }: School): Promise<readonly ComparedType[]> {
  const { compare } = options;
  if (compare !== undefined) return Promise.all(compare.map((type) => cluster.objects.type(type)));
  const served = await cluster.types.all();
  return served.filter(
    ({ plural, verbs, namespaced }) => verbs.includes('list') && !NOT_COMPARED.has(plural) && (namespaced || isWide),
  );
}

const objectsIn = ({ run }: CleanRun) =>
  Object.values(run.states)
    .flatMap((state) => Object.values(state).flat())
    .map(objectIn);

/** The types that had objects at the end of a step. */
function seenIn<T extends ResourceType>(types: readonly T[], runs: readonly CleanRun[]): readonly T[] {
  const seen = new Set(runs.flatMap(objectsIn).map(({ apiVersion, kind }) => `${String(apiVersion)}/${String(kind)}`));
  return types.filter((type) => seen.has(`${apiVersionOf(type)}/${type.kind}`));
}

/** The resource that the scenario is about: the first of its kind that was there at the end of a step. */
function subjectIn(type: ServedType, run: CleanRun): Subject {
  const found = objectsIn(run).find(({ apiVersion, kind }) => kind === type.kind && apiVersion === apiVersionOf(type));
  const { name } = objectIn(found?.['metadata']);
  if (typeof name === 'string') return { type, name, namespaced: type.namespaced };
  throw new FaultsError(
    `no step of the scenario ends with a ${type.kind} that is there. The first of kinds must be what the scenario creates, changes and deletes.`,
  );
}
