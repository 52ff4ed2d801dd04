import { isLeftAlone, observeChild, observePod, pausedStatus } from '../../support/as-trunnion.ts';
import { describe, expect, test } from 'vitest';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { SpecError } from '../../../constructs/schema/error.ts';
import { parseSpec } from '../../../constructs/schema/parse.ts';
import { stampConditions } from '../../../operator/engine/api/conditions.ts';
import { ResourceMetrics } from '../../../operator/engine/telemetry/exposition.ts';
import type { Resource } from '../../../operator/engine/api/resource.ts';
import { pathsOf } from '../../../operator/engine/observe/slices.ts';
import { allKinds } from '../../../compat/kinds/index.ts';
import { diagnosePod } from '../../../operator/kinds/shared/diagnosis.ts';
import { quote } from '../../../operator/kinds/shared/diagnosis-text.ts';
import { ApiError, asTransportError, TransportError } from '../../../operator/kube/client/errors.ts';
import { EventRecorder, type ObjectBody } from '../../../operator/kube/index.ts';
import { readFrame } from '../../../operator/kube/cache/watch-frame.ts';
import { HOSTILE, unseenIn } from '../../support/hostile-text.ts';
import { run } from '../../support/run.ts';
import { live, pod } from '../cli/support/objects.ts';

const hostile = Object.entries(HOSTILE);

/** All texts in a value, names of fields included. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) => [key, ...textsIn(field)]);
}

const expectPlain = (value: unknown) => expect(textsIn(value).flatMap(unseenIn)).toEqual([]);

describe.each(hostile)('where it enters, %s is text alone', (_, words) => {
  test('in what the API server answers', () => {
    const cause = { reason: words, message: words, field: words };
    const body = {
      kind: 'Status',
      message: words,
      reason: words,
      details: { name: words, kind: words, causes: [cause] },
    };
    for (const error of [ApiError.from(422, JSON.stringify(body)), ApiError.fromStatus(body)]) {
      expectPlain([error.message, error.reason, error.details, error.stack]);
      expect(error.message).toContain('words');
      expect(error.message).not.toContain('\n');
    }
    expectPlain(ApiError.from(502, words).message);
    expectPlain(ApiError.from(502, `<html><h1>${words}</h1></html>`).message);
  });

  test('in what the network says', () => {
    expectPlain(new TransportError(words, 'X', true).message);
    const error = asTransportError(Object.assign(new Error(words), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }));
    expectPlain((error as Error).message);
    expect(() => readFrame({ type: words, object: {} })).toThrow(
      expect.toSatisfy(({ message }) => unseenIn(message).length === 0),
    );
  });

  test('in a pod and its containers', () => {
    const end = { exitCode: 1, reason: words, message: words, finishedAt: words };
    const container = {
      name: words,
      image: words,
      ready: false,
      restartCount: 1,
      state: { waiting: { reason: words, message: words } },
      lastState: { terminated: end },
    };
    const status = {
      phase: words,
      reason: words,
      conditions: [{ type: words, status: words, reason: words, message: words }],
      containerStatuses: [container, { ...container, state: { terminated: end } }],
      initContainerStatuses: [container],
    };
    const observed = observePod(pod('llama-a', status, { spec: { nodeName: words } }));
    expectPlain(observed);
    expect(observed.containers[2]?.terminated?.message).toContain('words');
  });

  test('in what happens to it in a condition', () => {
    const end = { exitCode: 1, reason: 'Error', message: words };
    const container = { name: 'server', image: 'a', ready: false, restartCount: 3, lastState: { terminated: end } };
    const observed = observePod(pod('llama-a', { phase: 'Running', containerStatuses: [container] }));
    const message = diagnosePod(observed, { gpu: 0, gpuResource: '' })?.message ?? '';
    expect(message).toContain('words');
    expectPlain(message);
    expect(message).not.toContain('\n');
    expectPlain(quote(words));
    const [condition] = stampConditions([{ type: 'Ready', status: 'False', reason: words, message: words }], [], 1, 0);
    expectPlain(condition);
  });

  test.each([
    ['batch/v1', 'Job', { conditions: [{ type: 'Failed', status: 'True', reason: words, message: words }] }],
    [
      'apps/v1',
      'Deployment',
      { conditions: [{ type: 'Progressing', status: 'False', reason: words, message: words }] },
    ],
    ['keda.sh/v1alpha1', 'ScaledObject', { hpaName: words, conditions: [{ type: 'Ready', message: words }] }],
    ['v1', 'PersistentVolumeClaim', { phase: words, conditions: [{ type: 'Resizing', message: words }] }],
    [
      'gateway.networking.k8s.io/v1',
      'HTTPRoute',
      { parents: [{ controllerName: words, conditions: [{ message: words }] }] },
    ],
    ['kueue.x-k8s.io/v1beta1', 'Workload', { conditions: [{ type: 'Admitted', reason: words, message: words }] }],
    ['v1', 'Service', { loadBalancer: { ingress: [{ hostname: words }] } }],
  ])('in the status of a child: %s %s', (apiVersion, kind, status) => {
    expectPlain(observeChild(live(apiVersion, kind, 'llama', { status })).slice);
    expectPlain(pathsOf({ status }, ['status']));
  });

  test('in an event', async () => {
    const created: ObjectBody[] = [];
    const client = {
      create: async (_type: unknown, body: ObjectBody) => {
        created.push(body);
        return live('v1', 'Event', 'x');
      },
      patch: async () => live('v1', 'Event', 'x'),
    };
    const recorder = new EventRecorder({ client, controller: 'trunnion.dev/operator', instance: 'pod' });
    recorder.record(live('v1', 'Pod', 'x'), { type: 'Warning', reason: 'Failed', action: 'Reconcile', message: words });
    await recorder.stop(1_000);
    expect(created).toHaveLength(1);
    expectPlain(created);
  });

  test('in a metric', async () => {
    const [kind] = allKinds;
    const figures = {
      gauges: [{ name: 'trunnion_x', help: 'x', of: () => [{ value: 1, labels: { reason: words } }] }],
      counters: [],
    };
    const resource = live('v1', 'Pod', 'x') as unknown as Resource;
    const counted = {
      kind: kind?.type.kind ?? '',
      figures: { ...kind?.figures, ...figures },
      resources: () => [resource],
    };
    const text = (await Array.fromAsync(new ResourceMetrics([counted as never], 'trunnion').text())).join('');
    expect(unseenIn(text)).toEqual([]);
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(# |trunnion_\w+(\{(\w+="([^"\\]|\\.)*",?)*\})? \S+$)/);
  });

  test('in what is told of a spec that is wrong', () => {
    const spec = {
      model: { uri: words },
      engine: { type: words, args: [words] },
      resources: { gpu: words },
      [words]: 1,
    };
    const reported = [];
    try {
      parseSpec(modelServing, { name: words, namespace: words, spec: spec as never });
    } catch (error) {
      expect(error).toBeInstanceOf(SpecError);
      reported.push((error as Error).message);
    }
    expect(reported).toHaveLength(1);
    expectPlain(reported);
    expect(reported[0]?.split('\n').filter((line) => line.startsWith('✓'))).toEqual([]);
  });

  test('in an annotation that asks to be left alone', () => {
    const { metadata } = live('v1', 'Pod', 'x', { metadata: { annotations: { 'trunnion.dev/paused': words } } });
    const status = pausedStatus({ metadata }, 0);
    expectPlain(status);
    expect(isLeftAlone({ metadata, status })).toBe(true);
  });
});

test('a line of the log has nothing in it that nobody sees, and is what was logged', async () => {
  const program = `
    import { createLogger } from './operator/engine/telemetry/log.ts';
    createLogger().error({ err: new Error(process.env.WORDS), words: process.env.WORDS }, process.env.WORDS);
    createLogger().child({ words: process.env.WORDS }).warn('again');
  `;
  for (const [, words] of hostile.filter(([, text]) => text.isWellFormed() && !text.includes('\0'))) {
    const env = { ...process.env, WORDS: words };
    const { stderr } = await run(process.execPath, ['--input-type=module', '-e', program], { env });
    expect(unseenIn(stderr)).toEqual([]);
    const [first, second] = stderr
      .trimEnd()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line));
    expect(first).toMatchObject({ words, msg: words, err: { message: words } });
    expect(second).toMatchObject({ words });
  }
});

describe('what is quoted has a bound', () => {
  const MEBIBYTE = 'x'.repeat(2 ** 20);

  test('in an answer of the API server, the webhook whose words it has included', () => {
    const causes = Array.from({ length: 10_000 }, () => ({ message: MEBIBYTE, field: MEBIBYTE }));
    const body = {
      kind: 'Status',
      message: `${MEBIBYTE}the end`,
      reason: MEBIBYTE,
      details: { name: MEBIBYTE, causes },
    };
    const error = ApiError.fromStatus(body);
    expect(JSON.stringify([error.message, error.reason, error.details]).length).toBeLessThan(2 ** 17);
    expect(ApiError.from(500, MEBIBYTE).message.length).toBeLessThanOrEqual(200);
  });

  test.each(['<', '<style>', '<script', '< ', '</style>'])('and a page of a MiB of %j takes no time', (tag) => {
    const startedAt = performance.now();
    ApiError.from(502, tag.repeat(2 ** 20 / tag.length));
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  test('in the last words of a container, whose end is kept', () => {
    const end = { exitCode: 1, message: `${MEBIBYTE}the end` };
    const container = { name: 'server', image: 'a', ready: false, restartCount: 0, state: { terminated: end } };
    const [observed] = observePod(pod('a', { containerStatuses: [container] })).containers;
    expect(observed?.terminated?.message).toHaveLength(4_096);
    expect(observed?.terminated?.message).toMatch(/the end$/);
  });

  test('in the message about a spec, however much of it is wrong', () => {
    const problems = Array.from({ length: 5_000 }, (_, i) => ({
      path: `spec.env[${i}].${MEBIBYTE.slice(0, 2_000)}`,
      message: 'must be short',
      got: MEBIBYTE,
    }));
    const { message } = new SpecError('ModelServing ns/a', problems);
    expect(message.length).toBeLessThan(2 ** 17);
    expect(message).toMatch(/… and 4900 more$/);
    const [condition] = stampConditions(
      [{ type: 'Accepted', status: 'False', reason: 'InvalidSpec', message }],
      [],
      1,
      0,
    );
    expect(condition?.message.length).toBeLessThanOrEqual(32_768);
  });
});
