import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { agentService } from '../../constructs/agent-service/kind.ts';
import { distributedTraining } from '../../constructs/distributed-training/kind.ts';
import { modelServing } from '../../constructs/model-serving/kind.ts';
import { apiVersionOf } from '../../operator/kube/client/types.ts';
import * as agentServices from '../examples/agent-service/accepted.ts';
import * as trainings from '../examples/distributed-training/accepted.ts';
import * as modelServings from '../examples/model-serving/accepted.ts';
import { minimal } from '../examples/model-serving/example.ts';
import { agentServiceArbitrary } from '../support/arbitrary-agent-service.ts';
import { distributedTrainingArbitrary } from '../support/arbitrary-distributed-training.ts';
import { modelServingArbitrary } from '../support/arbitrary-model-serving.ts';
import { adminClient, kubectl } from './support/client.ts';
import { testNamespace } from './support/namespace.ts';
import { installTrunnion } from './support/operator.ts';
import { ours } from './support/resource.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

/** Applies specs as `kubectl apply -f` does; gives a line for each. */
async function applied(kind: string, plural: string, namespace: string, specs: readonly unknown[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-apply-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const items = specs.map((spec, at) => ({
    apiVersion: apiVersionOf(ours(kind, plural)),
    kind,
    metadata: { name: `a${at}`, namespace },
    spec,
  }));
  const file = join(folder, 'all.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  return (await kubectl('apply', '-f', file)).trim().split('\n');
}

const ports = [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' as const }, { containerPort: 8443 }];
const withPorts = {
  ...minimal,
  podTemplate: { spec: { containers: [{ name: 'side', image: 'side:1', ports }] } },
};

test.each([
  [modelServing, [...modelServings.accepted.map(({ spec }) => spec), withPorts], modelServingArbitrary],
  [agentService, agentServices.accepted.map(({ spec }) => spec), agentServiceArbitrary],
  [distributedTraining, trainings.accepted.map(({ spec }) => spec), distributedTrainingArbitrary],
])('kubectl calls a second apply of the same $kind unchanged', async ({ kind, plural }, examples, arbitrary) => {
  const namespace = await testNamespace(admin);
  const specs = [...examples, ...fc.sample<unknown>(arbitrary, { numRuns: 30, seed: 1 })];
  expect(await applied(kind, plural, namespace, specs)).toHaveLength(specs.length);
  const second = await applied(kind, plural, namespace, specs);
  expect(second.filter((line) => !line.endsWith(' unchanged'))).toEqual([]);
});
