import { expect, it } from 'vitest';
import { ResourceMetrics } from '../../../operator/engine/telemetry/exposition.ts';
import type { Kind } from '../../../operator/engine/api/kind.ts';
import type { Resource } from '../../../operator/engine/api/resource.ts';
import { figuresOf } from '../../../operator/engine/api/figures.ts';
import { Metrics } from '../../../operator/engine/telemetry/metrics.ts';
import { allKinds } from '../../../compat/kinds/index.ts';

const kindOf = (name: string): Kind => {
  const kind = allKinds.find(({ type }) => type.kind === name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  return kind;
};

const resource = (kind: string, status: object = {}): Resource => ({
  apiVersion: 'test/v1',
  kind,
  metadata: { name: 'a', namespace: 'ns', uid: 'a', resourceVersion: '1', creationTimestamp: '' },
  spec: {},
  status,
});

/** What is told of a resource with this status, without the labels that name it. */
async function reported(kind: string, status: object): Promise<readonly string[]> {
  const figures = figuresOf(kindOf(kind));
  const metrics = new ResourceMetrics([{ kind, figures, resources: () => [resource(kind, status)] }], 'trunnion');
  const text = (await Array.fromAsync(metrics.text())).join('');
  return text
    .split('\n')
    .filter((line) => line.startsWith('trunnion_'))
    .map((line) => line.replace(/kind="\w+",namespace="ns",name="a",?/, '').replace('{}', ''));
}

/** What is counted on the way from one status to the next. */
async function counted(kind: string, before: object, after: object): Promise<readonly string[]> {
  const figures = figuresOf(kindOf(kind));
  const metrics = new Metrics('trunnion');
  metrics.controller(kind, figures);
  metrics.transition(kind, figures, resource(kind, before), after);
  const names = figures.counters.map(({ name }) => name);
  const lines = (await metrics.text({}, [])).split('\n');
  return lines.filter((line) => names.some((name) => line.startsWith(`${name}{`)) && !line.endsWith(' 0'));
}

it('tell how far a download is', async () => {
  const weights = { uri: 'hf://a/b', bytes: 30, totalBytes: 100 };
  expect(await reported('ModelServing', { phase: 'Downloading', weights })).toEqual(
    expect.arrayContaining([
      'trunnion_resource_phase{phase="Downloading"} 1',
      'trunnion_weights_fetched_bytes 30',
      'trunnion_weights_size_bytes 100',
    ]),
  );
});

it('tell what a drain waits for until it is over, and count what it then has cut', async () => {
  const startedAt = '2026-01-01T00:00:00Z';
  const under = { phase: 'Draining', drain: { startedAt, requestsInFlight: 3 } };
  const over = { phase: 'Retired', drain: { startedAt, requestsInFlight: 2, endedAt: '2026-01-01T00:01:00Z' } };
  expect(await reported('ModelServing', under)).toContain('trunnion_drain_requests_in_flight 3');
  expect((await reported('ModelServing', over)).join()).not.toContain('in_flight');
  expect(await counted('ModelServing', {}, under)).toEqual([]);
  expect(await counted('ModelServing', under, over)).toEqual([
    'trunnion_drains_total{controller="ModelServing"} 1',
    'trunnion_drain_requests_cut_total{controller="ModelServing"} 2',
  ]);
  expect(await counted('ModelServing', over, over)).toEqual([]);
});

const attempt = (number: number, charged: number) => ({ number, charged, reason: 'Test', finishedAt: '' });

it('count attempts that ended, charged or not, once each', async () => {
  const before = { attempts: [attempt(1, 1)] };
  const after = { attempts: [attempt(1, 1), attempt(2, 0), attempt(3, 2)], attempt: 4, failures: 3 };
  expect(await reported('DistributedTraining', after)).toEqual(
    expect.arrayContaining(['trunnion_training_attempt 4', 'trunnion_training_failures 3']),
  );
  expect(await counted('DistributedTraining', before, after)).toEqual([
    'trunnion_training_attempts_total{controller="DistributedTraining",charged="true"} 1',
    'trunnion_training_attempts_total{controller="DistributedTraining",charged="false"} 1',
  ]);
});

it('count attempts on when the status has room for the last of them only', async () => {
  const numbered = (from: number) => Array.from({ length: 32 }, (_, index) => attempt(from + index, 1));
  expect(await counted('DistributedTraining', { attempts: numbered(1) }, { attempts: numbered(2) })).toEqual([
    'trunnion_training_attempts_total{controller="DistributedTraining",charged="true"} 1',
  ]);
});

it('tell how the trials of a search stand', async () => {
  const tuning = { running: 2, succeeded: 5, failed: 1, trials: [], best: { trial: 3, value: 0.25, assignments: {} } };
  expect(await reported('DistributedTraining', { tuning })).toEqual(
    expect.arrayContaining([
      'trunnion_tuning_trials{state="running"} 2',
      'trunnion_tuning_trials{state="succeeded"} 5',
      'trunnion_tuning_trials{state="failed"} 1',
      'trunnion_tuning_best_value 0.25',
    ]),
  );
});

it('tell how many pods are ready', async () => {
  expect(await reported('AgentService', { phase: 'Scaling', replicas: 3, readyReplicas: 2 })).toEqual(
    expect.arrayContaining(['trunnion_resource_replicas 3', 'trunnion_resource_ready_replicas 2']),
  );
});

it('are those of our kinds where a resource is the equal of one, in our words', async () => {
  const status = { phase: 'Serving', workload: { phase: 'Running', replicas: 1, readyReplicas: 1 } };
  expect(await reported('MLModel', status)).toEqual(
    expect.arrayContaining(['trunnion_resource_phase{phase="Running"} 1', 'trunnion_resource_replicas 1']),
  );
  const attempts = { workload: { attempts: [attempt(1, 1)] } };
  expect(await counted('MLTrainingJob', {}, attempts)).toEqual([
    'trunnion_training_attempts_total{controller="MLTrainingJob",charged="true"} 1',
  ]);
});
