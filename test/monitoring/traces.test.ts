import { beforeAll, expect, it } from 'vitest';
import { OPERATOR_NAMESPACE } from '../../cli/options.ts';
import { OPERATOR_NAME } from '../../operator/rbac.ts';
import { AgentUnderTest, agentSpec } from '../cluster/support/agent.ts';
import { adminClient, serviceAccountToken } from '../cluster/support/client.ts';
import { cluster } from '../cluster/support/cluster.ts';
import { testNamespace } from '../cluster/support/namespace.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { Collector } from '../support/collector.ts';
import { OperatorProcess } from '../support/operator-process.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

/** Of a pass that writes something, before it looks again. */
const STEPS = ['observe', 'decide', 'render', 'plan', 'execute'];

/** An operator that has seen an agent to its end, and has ended itself. */
async function runOnce(namespace: string, env: Readonly<Record<string, string>>): Promise<OperatorProcess> {
  const { url, ca } = cluster();
  const token = await serviceAccountToken(admin, OPERATOR_NAMESPACE, OPERATOR_NAME);
  const args = ['--namespace', namespace, '--simulated-pods'];
  await using operator = await OperatorProcess.start({ url, ca, token, args, env });
  await operator.ready();
  const agent = new AgentUnderTest(admin, namespace);
  await agent.apply(agentSpec);
  await agent.reaches('Running');
  operator.signal('SIGTERM');
  await operator.ended;
  return operator;
}

it('an operator that is told a collector sends it a trace of each pass, down to its requests, and names it in its log', async () => {
  const collector = await Collector.start();
  const namespace = await testNamespace(admin);
  const operator = await runOnce(namespace, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });

  const passes = collector.named('reconcile');
  const first = passes.find((pass) => collector.below(pass).includes('execute'));
  if (first === undefined) throw new Error(`no pass was traced:\n${operator.words()}`);
  expect(first.attributes).toMatchObject({
    'trunnion.kind': 'AgentService',
    'k8s.namespace.name': namespace,
    'trunnion.name': 'support-agent',
  });
  const steps = collector.below(first).filter((name) => STEPS.includes(name));
  expect(steps).toEqual([...STEPS, 'observe', 'decide']);
  const execution = collector.spans.find((span) => span.name === 'execute' && span.parentSpanId === first.spanId);
  expect(execution && collector.below(execution)).toEqual(
    expect.arrayContaining(['apply serviceaccounts', 'apply deployments', 'apply services']),
  );
  // The first status comes a while after what was made, in a pass of its own.
  const reported = collector.named('apply agentservices/status').map(({ parentSpanId }) => parentSpanId);
  expect(reported.length).toBeGreaterThan(0);
  expect(passes.map(({ spanId }) => spanId)).toEqual(expect.arrayContaining(reported));

  const lines = operator.log.filter(({ msg }) => msg === 'reconciled');
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    expect(line).toMatchObject({ kind: 'AgentService', namespace, name: 'support-agent' });
    expect(passes.map(({ traceId }) => traceId)).toContain(line['trace_id']);
  }
});

it('an operator that is told none sends none', async () => {
  const collector = await Collector.start();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'true' };
  const operator = await runOnce(await testNamespace(admin), env);
  expect(operator.log.filter((line) => 'trace_id' in line)).toEqual([]);
  expect(collector.spans).toEqual([]);
});
