import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { OPERATOR_NAMESPACE } from '../../cli/options.ts';
import { ENGINE_TABLE } from '../../constructs/model-serving/engine.table.ts';
import { FETCHER_IMAGE } from '../../constructs/parts/weights/image.ts';
import { chartFiles } from '../../stacks/operator/chart/trunnion.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient } from '../cluster/support/client.ts';
import { cluster } from '../cluster/support/cluster.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { testNamespace } from '../cluster/support/namespace.ts';
import { helm } from '../support/helm.ts';
import { chart } from './support/chart.ts';
import { Scenarios } from './support/scenarios.ts';
import { endPod, PROGRAM, startPod } from './support/pod.ts';
import { reset } from './support/reset.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-before-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const admin = adminClient();
beforeAll(() => reset(admin));
afterAll(() => admin.close());

/** The chart of an earlier version. */
function earlierChart(): string {
  for (const { path, text } of chartFiles({ version: '0.0.9', description: 'the version before' })) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return join(folder, 'charts/trunnion');
}

/** An operator of an earlier version: the images that it knows are older. */
function earlierProgram(): string {
  cpSync(join(inject('install').root, 'trunnion'), join(folder, 'trunnion'), { recursive: true });
  const program = join(folder, PROGRAM);
  const images = [FETCHER_IMAGE, ...Object.values(ENGINE_TABLE.vllm.images)];
  const older = (text: string, image: string) => text.replaceAll(image, image.replace(/:[^:@]+(?=@|$)/, ':older'));
  writeFileSync(program, images.reduce(older, readFileSync(program, 'utf8')));
  return program;
}

test('an upgrade restarts no workload, and a way back restarts none either', async () => {
  const where = ['--namespace', OPERATOR_NAMESPACE, '--kubeconfig', cluster().kubeconfig];
  const before = earlierChart();
  await helm('install', 'trunnion', before, '--create-namespace', ...where);
  const earlier = await startPod(admin, OPERATOR_NAMESPACE, earlierProgram());
  const scenarios = new Scenarios(admin, await testNamespace(admin));
  await scenarios.begin();
  const workloads = await scenarios.workloads();
  expect(await imagesOf()).toEqual([expect.stringMatching(/:0\.0\.9$/)]);
  await endPod(earlier);

  await helm('upgrade', 'trunnion', chart(), '--reuse-values', ...where);
  expect(await imagesOf()).toEqual([expect.not.stringMatching(/:0\.0\.9$/)]);
  const later = await startPod(admin, OPERATOR_NAMESPACE);
  await worked(later);
  await scenarios.goOn();
  expect(await scenarios.workloads()).toEqual(workloads);
  await endPod(later);

  await helm('rollback', 'trunnion', '1', ...where);
  const again = await startPod(admin, OPERATOR_NAMESPACE, join(folder, PROGRAM));
  await worked(again);
  expect(await scenarios.workloads()).toEqual(workloads);
  await scenarios.end();
  await endPod(again);
  await helm('uninstall', 'trunnion', ...where);
});

/** Waits until every resource was looked at. */
async function worked(pod: Awaited<ReturnType<typeof startPod>>): Promise<void> {
  await eventually(async () => {
    for (const kind of ['ModelServing', 'AgentService', 'DistributedTraining']) {
      expect(await pod.metric('controller_runtime_reconcile_total', `controller="${kind}"`)).toBeGreaterThan(0);
    }
  });
}

async function imagesOf(): Promise<readonly string[]> {
  const deployment = await admin.get(TYPES.deployment, { namespace: OPERATOR_NAMESPACE, name: 'trunnion-operator' });
  const { template } = deployment['spec'] as {
    readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
  };
  return template.spec.containers.map(({ image }) => image);
}
