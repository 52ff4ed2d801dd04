import { readFileSync } from 'node:fs';
import { filesOf } from '../../cluster/index.ts';
import type { Manifest } from '../../constructs/workload.ts';
import { manifestsOf, type ServedType, type TestCluster, withCluster } from '../cluster/index.ts';
import { type CleanRun, type PlanResult, referenceOf, runPlan } from './campaign.ts';
import { isChosen, mixed } from './choice.ts';
import { learned } from './learn.ts';
import type { FaultsKind, FaultsOptions, FaultsReport, PlanName } from './options.ts';
import { allPlans } from './plans/index.ts';
import { pooled } from './pool.ts';
import { fullName, isSurvived, line } from './report.ts';
import type { Scenario } from './scenario.ts';
import { FaultsError } from './error.ts';
import { checkOptions, DEFAULTS, programOf, typeOf } from './settings.ts';
import { reportText } from './summary.ts';
import { type Account, issueToken, makeAccount } from './testbed.ts';
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
  const { cluster = {}, log = () => undefined } = options;
  // Before a control plane is started.
  const manifests = manifestsOf(options.crds ?? options.kinds.flatMap(crdOf), 'crds');
  if ('client' in cluster) {
    await cluster.install(manifests);
    return new Campaign(options, cluster).run();
  }
  await using own = await withCluster({ log, ...cluster, install: manifests });
  return await new Campaign(options, own).run();
}

const crdOf = (kind: FaultsKind): readonly Manifest[] => ('crd' in kind ? [kind.crd()] : []);

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
    const types = await this.#types();
    const isWide = this.#isWide(types);
    const parallel = isWide ? 1 : (this.#options.parallel ?? DEFAULTS.parallel);
    const account = await this.#account();
    const testbed = this.#testbed(account);
    this.#log(`the scenario of ${types[0].kind} runs twice without a fault`);
    const { scenario, first, second } = await learned({
      options: this.#options,
      cluster: this.#cluster,
      testbed,
      types,
      isWide,
      isAlone: parallel === 1,
      hidden: account.namespace,
    });
    const known = referenceOf(first, second, scenario);
    const rereadsToken = testbed.operator.rereadsToken ?? false;
    const all = allPlans({ scenario, run: known.run, rereadsToken });
    const plans = mixed(all.filter((plan) => isChosen(choice, plan)));
    if (plans.length === 0) throw new FaultsError(nothingChosen(choice, all));
    this.#log(
      `${known.run.writes.at(-1)} writes in ${scenario.steps.length} steps, ${first.seconds} s without a fault: ${plans.length} plans, ${parallel} at once`,
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

  async #types(): Promise<readonly [ServedType, ...ServedType[]]> {
    const types = await Promise.all(this.#options.kinds.map((kind) => this.#cluster.objects.type(typeOf(kind))));
    return types as [ServedType, ...ServedType[]];
  }

  #isWide(types: readonly ServedType[]): boolean {
    const { scope } = this.#options;
    const clusterScoped = types.find(({ namespaced }) => !namespaced);
    if (clusterScoped !== undefined && scope === 'Namespaced') {
      throw new FaultsError(
        `scope is Namespaced, and ${clusterScoped.kind} is not in namespaces. Leave scope out, or set it to Cluster.`,
      );
    }
    return clusterScoped !== undefined || scope === 'Cluster';
  }

  async #account(): Promise<Account> {
    const { rights } = this.#options;
    const rules =
      rights === undefined ? undefined : manifestsOf(rights, 'rights').flatMap((role) => role['rules'] ?? []);
    return makeAccount(
      this.#cluster.client,
      `faults-operator-${process.pid}-${(accounts += 1)}`,
      rules as [] | undefined,
    );
  }

  #testbed(account: Account): Testbed {
    const { url, ca, client, dir } = this.#cluster;
    return {
      url,
      ca,
      client,
      servingKey: readFileSync(filesOf(dir).servingKey, 'utf8'),
      operator: programOf(this.#options.operator),
      issueToken: () => issueToken(client, account),
    };
  }
}

function nothingChosen(choice: FaultsOptions['plans'], all: readonly PlanName[]): string {
  const given = typeof choice === 'string' || Array.isArray(choice) ? JSON.stringify(choice) : String(choice);
  const some = mixed(all)
    .slice(0, SOME)
    .map(({ id, name }) => fullName({ id, plan: name }));
  return `plans is ${given}, which is in the name of none of the ${all.length} plans. Some of these: ${some.join('; ')}.`;
}

/** So many plans are named, one of each class. */
const SOME = 6;

/** What a run without a fault shows. */
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
