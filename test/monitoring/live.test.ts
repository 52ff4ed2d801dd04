import { beforeAll, expect, it } from 'vitest';
import { monitoring } from '../../stacks/operator/monitoring/index.ts';
import { ruleFile } from '../../stacks/operator/monitoring/alerts/rules.ts';
import { operatorDashboard } from '../../stacks/operator/monitoring/dashboards/operator.ts';
import { workloadsDashboard } from '../../stacks/operator/monitoring/dashboards/workloads.ts';
import { panelsOf } from '../../stacks/operator/monitoring/grafana/dashboard.ts';
import type { Panel } from '../../stacks/operator/monitoring/grafana/dashboard.ts';
import { OPERATOR_NAMESPACE } from '../../cli/options.ts';
import { OPERATOR_NAME } from '../../operator/rbac.ts';
import { adminClient, serviceAccountToken } from '../cluster/support/client.ts';
import { cluster } from '../cluster/support/cluster.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { OperatorProcess } from '../support/operator-process.ts';
import { Prometheus } from './support/prometheus.ts';
import { jobOfOperator, jobsOfPods } from './support/scrape.ts';
import { liveAll } from './support/world.ts';

const admin = adminClient();

/** Those whose expression holds in the world that `liveAll` makes, however long it has to. */
const PROVOKED = [
  'TrunnionDownloadStalled',
  'TrunnionRequestsCut',
  'TrunnionResourceFailed',
  'TrunnionStepsRefused',
  'TrunnionTrainingFailing',
];

beforeAll(() => installTrunnion(admin));

async function startOperator(): Promise<OperatorProcess> {
  const { url, ca } = cluster();
  const token = await serviceAccountToken(admin, OPERATOR_NAMESPACE, OPERATOR_NAME);
  const args = ['--leader-elect', '--lease-namespace', OPERATOR_NAMESPACE, '--simulated-pods'];
  return OperatorProcess.start({ url, ca, token, args });
}

/** A Prometheus that is told what our monitors tell. */
async function startPrometheus(operator: OperatorProcess): Promise<Prometheus> {
  const monitors = monitoring({ namespace: OPERATOR_NAMESPACE });
  const jobs = monitors.flatMap((manifest) => {
    if (manifest.kind === 'ServiceMonitor') return jobOfOperator(manifest, operator.port);
    return manifest.kind === 'PodMonitor' ? jobsOfPods(manifest, cluster().kubeconfig) : [];
  });
  return Prometheus.start(jobs, ruleFile(OPERATOR_NAME));
}

/** An expression as Grafana sends it, with all chosen. */
const chosen = (expr: string): string =>
  expr
    .replaceAll('$__rate_interval', '20s')
    .replaceAll('$__range', '10m')
    .replaceAll(/\$(job|kind|namespace|name)\b/g, '.*');

/** The queries of a panel that have not answered with a number so far. */
async function withoutData(prometheus: Prometheus, { queries }: Panel): Promise<readonly string[]> {
  const answered = await Promise.all(
    queries.map(async ({ expr }) => {
      const series = await prometheus.sinceStart(chosen(expr));
      return series.some(({ values }) => values.some(Number.isFinite));
    }),
  );
  return queries.flatMap(({ expr }, index) => (answered[index] === true ? [] : [expr]));
}

it('a real Prometheus that scrapes the running operator has data for every panel, and what goes wrong for alerts', async () => {
  await using operator = await startOperator();
  await operator.ready();
  await using prometheus = await startPrometheus(operator);
  // An increase is seen only where what was before it has been.
  const scraped = `trunnion_build_info{job="${OPERATOR_NAME}"}`;
  await eventually(async () => expect(await prometheus.now(scraped)).toHaveLength(1), { timeout: 60_000 });
  await liveAll(admin);

  const panels = [operatorDashboard, workloadsDashboard].flatMap(panelsOf);
  expect(panels.length).toBeGreaterThan(30);
  await eventually(
    async () => {
      const empty = await Promise.all(panels.map((panel) => withoutData(prometheus, panel)));
      expect(empty.flat()).toEqual([]);
    },
    { timeout: 120_000 },
  );

  const up = await prometheus.now('up');
  expect(up.flatMap(({ metric, values }) => (values[0] === 1 ? metric['job'] : []))).toEqual(
    expect.arrayContaining([OPERATOR_NAME, 'trunnion-engines/0']),
  );
  await eventually(async () => {
    const rules = await prometheus.rules();
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    const active = rules.filter(({ state }) => state !== 'inactive').map(({ name }) => name);
    expect(active).toEqual(expect.arrayContaining(PROVOKED));
  });

  // With nobody left to scrape, the one that matters most is about to fire.
  operator.signal('SIGKILL');
  await eventually(async () => {
    const down = (await prometheus.rules()).find(({ name }) => name === 'TrunnionOperatorDown');
    expect(down?.state).toBe('pending');
  });
});
