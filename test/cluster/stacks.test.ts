import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { AgentService, DistributedTraining, ModelServing } from '../../constructs/index.ts';
import type { Manifest } from '../../constructs/index.ts';
import type { Kind } from '../../operator/engine/api/kind.ts';
import { agentService } from '../../operator/kinds/agent-service/index.ts';
import { distributedTraining } from '../../operator/kinds/distributed-training/index.ts';
import { modelServing } from '../../operator/kinds/model-serving/index.ts';
import { apiVersionOf } from '../../operator/kube/client/types.ts';
import { exampleApp } from '../../stacks/cdk8s/app.ts';
import { adminClient } from './support/client.ts';
import { enduringPods } from './support/enduring.ts';
import { eventually } from './support/eventually.ts';
import { namedNamespace } from './support/namespace.ts';
import { installTrunnion, startOperator } from './support/operator.ts';
import { installExtensions } from './support/other-crds.ts';
import { appliedFor, byIdentity } from './support/parity.ts';
import { installPodGroups } from './support/volcano.ts';

const admin = adminClient();
let remove: readonly (() => Promise<void>)[] = [];

beforeAll(async () => {
  await installTrunnion(admin);
  remove = [await installExtensions(admin), await installPodGroups(admin)];
});
afterAll(async () => {
  for (const each of remove) await each();
});

type Workload = AgentService | DistributedTraining | ModelServing;

const app = exampleApp();
const charts = app.charts.map((chart) => chart.toJson() as Manifest[]);
const workloads = app.node
  .findAll()
  .filter(
    (node): node is Workload =>
      node instanceof AgentService || node instanceof DistributedTraining || node instanceof ModelServing,
  );

function kindOf(workload: Workload): Pick<Kind, 'type' | 'childTypes' | 'label'> {
  if (workload instanceof AgentService) return agentService;
  return workload instanceof DistributedTraining ? distributedTraining : modelServing;
}

it('what the example app of cdk8s prints is, object by object, what the operator makes of the same specs', async () => {
  for (const { metadata } of charts.flat().filter(({ kind }) => kind === 'Namespace')) {
    await namedNamespace(admin, metadata.name, metadata.labels);
  }
  await enduringPods(admin, 'training');
  await startOperator(admin, undefined);
  // While there is an operator that lets go of them.
  onTestFinished(async () => {
    for (const workload of workloads) await admin.delete(kindOf(workload).type, workload);
    await eventually(
      async () => {
        for (const workload of workloads) expect(await admin.find(kindOf(workload).type, workload)).toBeUndefined();
      },
      { timeout: 60_000 },
    );
  });
  for (const workload of workloads) {
    const { type } = kindOf(workload);
    const { name, namespace, spec } = workload;
    const resource = { apiVersion: apiVersionOf(type), kind: type.kind, metadata: { name, namespace }, spec };
    await admin.apply(type, resource, { fieldManager: 'kubectl', force: true });
  }
  await eventually(
    async () => {
      const applied = await Promise.all(workloads.map((workload) => appliedFor(admin, kindOf(workload), workload)));
      const printed = charts.flat().filter(({ kind }) => kind !== 'Namespace');
      expect(Object.assign({}, ...applied)).toEqual(byIdentity(printed));
    },
    { timeout: 60_000 },
  );
});
