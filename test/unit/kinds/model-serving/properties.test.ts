import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelServingStatus } from '../../../../constructs/model-serving/status.ts';
import type { ModelServingSpec } from '../../../../constructs/model-serving/spec.ts';
import type { Query, Answer } from '../../../../operator/engine/api/queries.ts';
import type { ObservedContainer } from '../../../../operator/engine/api/observed.ts';
import {
  MINUTE,
  OTHER_URI,
  START,
  URI,
  claim,
  container,
  decide,
  deployment,
  ends,
  fetcher,
  job,
  resourceOf,
  server,
  service,
  shared,
  single,
  unschedulable,
  withUri,
} from './support.ts';

const uri = fc.constantFrom(
  URI,
  OTHER_URI,
  'hf://owner/model@main',
  'pvc://claim/path',
  'oci://registry.example.com/a:1',
  'nonsense',
);

const spec: fc.Arbitrary<ModelServingSpec> = fc
  .record({
    base: fc.constantFrom(shared, single),
    uri,
    type: fc.constantFrom('vllm', 'sglang', 'triton', 'tensorflow-serving'),
    replicas: fc.constantFrom(0, 1, 3),
    retired: fc.boolean(),
    secretName: fc.constantFrom('hf', undefined),
    maxSurge: fc.constantFrom(0, 1),
    timeoutSeconds: fc.constantFrom(0, 30),
  })
  .map(({ base, uri: from, type, replicas, retired, secretName, maxSurge, timeoutSeconds }) => ({
    ...base,
    model: { uri: from, ...(secretName !== undefined && { credentials: { secretName } }) },
    engine: { type, env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'api', key: 'token' } } }] },
    imagePullSecrets: [{ name: 'registry' }],
    replicas,
    retired,
    rollout: { maxSurge },
    drain: { timeoutSeconds },
  }));

const end = fc.constantFrom(
  ends(0),
  ends(0, '{"revision":"1","bytes":5,"totalBytes":5}'),
  ends(1, 'words'),
  ends(67),
  ends(137, '', 'OOMKilled'),
);

const containerState: fc.Arbitrary<Partial<ObservedContainer>> = fc.record(
  {
    ready: fc.boolean(),
    started: fc.boolean(),
    restarts: fc.constantFrom(0, 1, 7),
    running: fc.constant({ startedAt: '2026-01-01T00:00:00Z' }),
    waiting: fc.record({
      reason: fc.constantFrom(
        'CrashLoopBackOff',
        'ImagePullBackOff',
        'CreateContainerConfigError',
        'PodInitializing',
        'XError',
      ),
      message: fc.string(),
    }),
    terminated: end,
    lastTerminated: end,
  },
  { requiredKeys: [] },
);

const createdAt = fc.constantFrom(START - MINUTE, START, START + MINUTE);

const pods = fc
  .array(
    fc.oneof(
      fc
        .record({
          uri,
          state: containerState,
          fetch: containerState,
          createdAt,
          deleting: fc.boolean(),
          waits: fc.option(fc.string()),
        })
        .map(({ uri: from, state, fetch, waits, ...over }) =>
          server(withUri(shared, from), {
            ...over,
            containers: [container('fetch', { init: true, ...fetch }), container('server', state)],
            ...(waits !== null && unschedulable(waits)),
          }),
        ),
      fc
        .record({ uri, state: containerState, createdAt })
        .map(({ uri: from, state, ...over }) => fetcher(from, state, over)),
    ),
    { maxLength: 4 },
  )
  .map((all) => all.map((pod, index) => ({ ...pod, name: `${pod.name}-${index}` })));

const junk = fc.dictionary(fc.constantFrom('spec', 'status', 'generation'), fc.anything());
const count = fc.constantFrom(0, 1, 2);

const children = fc.array(
  fc.oneof(
    fc
      .tuple(uri, fc.constantFrom('Bound', 'Pending'), createdAt)
      .map(([from, phase, at]) => claim(from, phase, { createdAt: at })),
    fc
      .tuple(uri, fc.constantFrom('running', 'Complete', 'Failed'), createdAt)
      .map(([from, state, at]) => job(from, state, { createdAt: at })),
    fc.record({ desired: count, replicas: count, updated: count, ready: count }).map((counts) => deployment(counts)),
    fc.boolean().map((deleting) => service({ deleting })),
    fc.tuple(uri, junk).map(([from, slice]) => claim(from, '', { slice })),
    fc.tuple(uri, junk).map(([from, slice]) => job(from, 'running', { slice })),
    junk.map((slice) => deployment({}, { slice })),
  ),
  { maxLength: 6 },
);

const problems = fc.array(
  fc.record(
    {
      child: fc.constantFrom('deployment', 'autoscaler', 'route', 'service'),
      reason: fc.constantFrom('NameTaken', 'Forbidden', 'NotServed', 'ApiError'),
      message: fc.string(),
    },
    { requiredKeys: ['reason', 'message'] },
  ),
  { maxLength: 2 },
);

/** Answers of the right type, of another, or none. */
const answers = fc.array(fc.option(fc.nat(3)), { minLength: 8, maxLength: 8 });

function answer(query: Query, choice: number): Answer {
  const at = START + choice * MINUTE;
  if (choice === 3) return { at, type: 'unknown', message: 'away' };
  switch (query.type) {
    case 'ask':
      return { at, type: 'ask', value: choice };
    case 'secret':
    case 'configMap':
      return {
        at,
        type: query.type,
        exists: choice > 0,
        hash: `hash-${choice}`,
        missingKeys: choice === 1 ? ['token'] : [],
      };
    case 'podLog':
      return { at, type: 'podLog', text: `{"bytes":${choice},"totalBytes":9}\n{"by` };
    case 'reported':
      return { at, type: 'reported' };
    case 'events':
      return {
        at,
        type: 'events',
        events: choice === 0 ? [] : [{ reason: 'NotTriggerScaleUp', message: "pod didn't trigger scale-up: ", at }],
      };
    case 'podMetrics':
      return {
        at,
        type: 'podMetrics',
        values: choice === 2 ? {} : { 'vllm:num_requests_running': choice },
        closed: false,
      };
    case 'served':
      return { at, type: 'served', served: choice > 0 };
    case 'object':
      return { at, type: 'object', ...(choice > 0 && { uid: `uid-${choice}` }) };
    case 'objects':
      return { at, type: 'objects', objects: [] };
    case 'computation':
      throw new Error('a ModelServing asks for no computation');
  }
}

const observedInput = fc.record({
  spec,
  children,
  pods,
  problems,
  answers,
  generation: fc.constantFrom(1, 2),
  deleting: fc.boolean(),
});

type ObservedInput = typeof observedInput extends fc.Arbitrary<infer T> ? T : never;

function observe(input: ObservedInput, status?: ReturnType<typeof decide>['status']) {
  const { generation, deleting } = input;
  const resource = resourceOf(input.spec, { generation, deleting, ...(status && { status }) });
  const observed = { resource, children: input.children, pods: input.pods, problems: input.problems };
  const answers = Object.fromEntries(
    decide(observed).queries.flatMap((query, index) => {
      const choice = input.answers[index % input.answers.length];
      return choice === null || choice === undefined ? [] : [[query.id, answer(query, choice)] as const];
    }),
  );
  return { ...observed, answers };
}

describe('the reconcile, whatever it observes', () => {
  it('says the same of the same, in a status that the schema allows, and says nothing new when it hears itself', () => {
    fc.assert(
      fc.property(observedInput, observedInput, fc.nat(20 * MINUTE), (earlier, later, elapsed) => {
        const before = decide(observe(earlier), START).status;
        const now = START + elapsed;
        const observed = observe(later, before);
        const result = decide(observed, now);
        expect(decide(observed, now)).toEqual(result);
        expect(modelServingStatus.safeParse(result.status).error).toBeUndefined();
        const again = decide({ ...observed, resource: { ...observed.resource, status: result.status } }, now);
        expect(again.status).toEqual(result.status);
        if (result.requeueAt !== undefined) expect(result.requeueAt).toBeGreaterThan(now);
      }),
      { numRuns: 500 },
    );
  });

  it('does not depend on the order of what it observes', () => {
    fc.assert(
      fc.property(observedInput, (input) => {
        const observed = observe(input);
        const reversed = { ...observed, children: observed.children.toReversed(), pods: observed.pods.toReversed() };
        // Two of one name can't be observed at once.
        fc.pre(new Set(observed.children.map(({ kind, name }) => `${kind}/${name}`)).size === observed.children.length);
        expect(decide(reversed)).toEqual(decide(observed));
      }),
    );
  });
});
