import { readFileSync } from 'node:fs';
import { filesOf } from '../../cluster/index.ts';
import { objectIn } from '../../constructs/schema/json.ts';
import { apiVersionOf, type ResourceType } from '../../operator/kube/index.ts';
import { manifestsOf, type ServedType, type TestCluster, withCluster } from '../cluster/index.ts';
import { type CleanRun, cleanRun, referenceOf, runPlan, type PlanResult } from './campaign.ts';
import { isChosen, mixed } from './choice.ts';
import { checkFit } from './misfit.ts';
import type { FaultsOptions, FaultsReport } from './options.ts';
import { allPlans } from './plans/index.ts';
import { pooled } from './pool.ts';
import type { ComparedType, Region } from './region.ts';
import { fullName, isSurvived, line } from './report.ts';
import { type Scenario, ScenarioError, type Subject } from './scenario.ts';
import { checkOptions, DEFAULTS, FaultsError, programOf, typeOf } from './settings.ts';
import { deletionOf, stepsOf } from './steps.ts';
import { reportText } from './summary.ts';
import { issueToken, makeAccount } from './testbed.ts';
import type { Testbed } from './world.ts';

/**
 * Runs an operator through a scenario, again and again, each time with another fault between it and the API server: killed
 * after each of its writes, with caches that are behind, with connections that break. Two runs without a fault say what
 * must be there at the end of each step.
 *
 * A small operator has some 130 plans, which take about 10 minutes, 4 at once. `plans: 'few'` takes one of each class.
 *
 * ```ts
 * const report = await faults({
 *   operator: { command: ['node', 'operator.ts'] },
 *   kinds: [WebApp],
 *   scenario: [
 *     { name: 'create', apply: webApp(1), until: { kind: 'WebApp', name: 'demo', condition: 'Ready' } },
 *     { name: 'scale', apply: webApp(2), until: { kind: 'WebApp', name: 'demo', condition: 'Ready' } },
 *     { name: 'delete', delete: { kind: 'WebApp', name: 'demo' } },
 *   ],
 * });
 * if (!report.passed) throw new Error(report.text);
 * ```
 *
 * @throws FaultsError where an option is wrong, and where the scenario does not get to its end without any fault: with the
 *   operator's last output
 */
export async function faults(options: FaultsOptions): Promise<FaultsReport> {
  checkOptions(options);
  const { cluster = {} } = options;
  // Before a control plane is started.
  const manifests = manifestsOf(options.crds ?? options.kinds.flatMap(crdOf), 'crds');
  if ('client' in cluster) {
    await cluster.install(manifests);
    return new Campaign(options, cluster).run();
  }
  await using own = await withCluster({ log: options.log ?? (() => undefined), ...cluster, install: manifests });
  return await new Campaign(options, own).run();
}

const crdOf = (kind: FaultsOptions['kinds'][number]) => ('type' in kind ? (kind.crd?.() ?? []) : []);

/** What says nothing of an operator, or what is counted in another way. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'controllerrevisions',
  'endpoints',
  'endpointslices',
  'events',
  'leases',
  'pods',
]);

let accounts = 0;

class Campaign {
  readonly #options: FaultsOptions;
  readonly #cluster: TestCluster;
  readonly #log: (line: string) => void;
  readonly #started = performance.now();

  constructor(options: FaultsOptions, cluster: TestCluster) {
    this.#options = options;
    this.#cluster = cluster;
    this.#log = options.log ?? (() => undefined);
  }

  async run(): Promise<FaultsReport> {
    const { plans: choice = 'all', minutes = DEFAULTS.minutes } = this.#options;
    const types = await Promise.all(this.#options.kinds.map((kind) => this.#cluster.objects.type(typeOf(kind))));
    const isWide = this.#isWide(types);
    const parallel = isWide ? 1 : (this.#options.parallel ?? DEFAULTS.parallel);
    const testbed = await this.#testbed();
    const { scenario, first, second } = await this.#learn(testbed, types, { isWide, isAlone: parallel === 1 });
    const known = referenceOf(first, second, scenario);
    const rereadsToken = testbed.operator.rereadsToken ?? false;
    const plans = mixed(allPlans({ scenario, run: known.run, rereadsToken }).filter((plan) => isChosen(choice, plan)));
    const writes = known.run.writes.at(-1) ?? 0;
    this.#log(
      `${scenario.title}: ${writes} writes in ${scenario.steps.length} steps, ${first.seconds} s without a fault; ${plans.length} plans, ${parallel} at once`,
    );
    const results: PlanResult[] = [withoutFault(scenario, first)];
    const tasks = plans.map((plan) => async () => {
      const result = await runPlan(plan, known, { testbed, scenario });
      results.push(result);
      this.#log(line(result));
    });
    const left = await pooled(tasks, { atOnce: parallel, milliseconds: minutes * 60_000 });
    const notRun = plans.slice(plans.length - left).map(({ id, name }) => fullName({ id, plan: name }));
    return this.#report(results, notRun);
  }

  #report(results: readonly PlanResult[], notRun: readonly string[]): FaultsReport {
    const failures = results.filter((result) => !isSurvived(result));
    const minutes = Math.round((performance.now() - this.#started) / 6_000) / 10;
    const passed = failures.length === 0 && notRun.length === 0;
    return { passed, failures, results, notRun, minutes, text: reportText({ results, notRun, minutes }) };
  }

  #isWide(types: readonly ServedType[]): boolean {
    const clusterScoped = types.find(({ namespaced }) => !namespaced);
    if (clusterScoped !== undefined && this.#options.scope === 'Namespaced') {
      throw new FaultsError(
        `scope is Namespaced, and ${clusterScoped.kind} is not in namespaces. Leave scope out, or set it to Cluster.`,
      );
    }
    return clusterScoped !== undefined || this.#options.scope === 'Cluster';
  }

  async #testbed(): Promise<Testbed> {
    const { url, ca, client, dir } = this.#cluster;
    const { rights } = this.#options;
    const rules =
      rights === undefined ? undefined : manifestsOf(rights, 'rights').flatMap(({ rules = [] }) => rules as []);
    const account = await makeAccount(client, `faults-operator-${process.pid}-${(accounts += 1)}`, rules);
    return {
      url,
      ca,
      client,
      servingKey: readFileSync(filesOf(dir).servingKey, 'utf8'),
      operator: programOf(this.#options.operator),
      issueToken: () => issueToken(client, account),
    };
  }

  /** Two runs without a fault: of what there is, what is compared, and what it is like. */
  async #learn(
    testbed: Testbed,
    types: readonly ServedType[],
    { isWide, isAlone }: { readonly isWide: boolean; readonly isAlone: boolean },
  ): Promise<{ readonly scenario: Scenario; readonly first: CleanRun; readonly second: CleanRun }> {
    const [type] = types as readonly [ServedType, ...ServedType[]];
    const possible = await this.#comparable(isWide);
    let region: Region = { types: possible, isWide };
    const { scenario: steps, ignore, precious, stepSeconds = DEFAULTS.stepSeconds } = this.#options;
    const all = steps.at(-1)?.delete === undefined ? [...steps, deletionOf(type)] : steps;
    const scenario: Scenario = {
      title: type.kind,
      subject: { type, name: '', namespaced: type.namespaced },
      steps: stepsOf(all, { types: this.#cluster.types, region: () => region }),
      region,
      patience: { stepMs: stepSeconds * 1_000, settleMs: stepSeconds * 500, idleMs: IDLE_MS },
      ...(ignore !== undefined && { varies: ignore }),
      ...(precious !== undefined && { precious }),
    };
    this.#log(`runs the scenario of ${type.kind} twice without a fault`);
    const run = () =>
      cleanRun({ testbed, scenario }, (world) => checkFit(world, { types, isAlone })).catch((error: unknown) => {
        throw error instanceof ScenarioError ? new FaultsError(unreached(type.kind, error)) : error;
      });
    const [first, second] = isAlone ? [await run(), await run()] : await Promise.all([run(), run()]);
    const seen = seenIn(possible, [first, second]);
    region = { types: seen, others: possible.filter((each) => !seen.includes(each)), isWide };
    return { scenario: { ...scenario, region, subject: this.#subject(type, first) }, first, second };
  }

  async #comparable(isWide: boolean): Promise<readonly ComparedType[]> {
    const { compare } = this.#options;
    if (compare !== undefined) return Promise.all(compare.map((type) => this.#cluster.objects.type(type)));
    const served = await this.#cluster.types.all();
    return served.filter(
      ({ plural, verbs, namespaced }) => verbs.includes('list') && !NOT_COMPARED.has(plural) && (namespaced || isWide),
    );
  }

  /** The resource that the scenario is about: the first of its kind that was there at the end of a step. */
  #subject(type: ServedType, { run }: CleanRun): Subject {
    const found = objectsIn(run).find(
      ({ apiVersion, kind }) => kind === type.kind && apiVersion === apiVersionOf(type),
    );
    const name = objectIn(found?.['metadata'])['name'];
    if (typeof name === 'string') return { type, name, namespaced: type.namespaced };
    throw new FaultsError(
      `no step of the scenario ends with a ${type.kind} that is there. The first of kinds must be what the scenario creates, changes and deletes.`,
    );
  }
}

/** How long a connection on which nothing is said stays open. Many clients wait for TCP to find out. */
const IDLE_MS = 60_000;

const unreached = (kind: string, { failures }: ScenarioError): string =>
  [`without any fault, the scenario of ${kind} does not get to its end:`, ...failures].join('\n');

/** What two runs without a fault show: what an operator does even then. */
const withoutFault = ({ title }: Scenario, { habits, seconds }: CleanRun): PlanResult => ({
  kind: title,
  id: 'N0',
  plan: 'no fault',
  struck: 0,
  kills: 0,
  seconds,
  failures: [
    ...[...new Set(habits.restless)].map((write) => `written at rest: ${write}`),
    ...habits.hotLoops,
    ...habits.complaints,
  ],
});

const objectsIn = ({ states }: CleanRun['run']) =>
  Object.values(states)
    .flatMap((state) => Object.values(state).flat())
    .map(objectIn);

/** The types that had objects at the end of a step. */
function seenIn<T extends ResourceType>(types: readonly T[], runs: readonly CleanRun[]): readonly T[] {
  const seen = new Set(
    runs.flatMap(({ run }) => objectsIn(run)).map(({ apiVersion, kind }) => `${apiVersion}/${kind}`),
  );
  return types.filter((type) => seen.has(`${apiVersionOf(type)}/${type.kind}`));
}
