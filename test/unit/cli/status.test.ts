import { decorate, observeChild } from '../../support/as-trunnion.ts';
import { describe, expect, test } from 'vitest';
import type { Observation } from '../../../cli/status/observe.ts';
import { statusText } from '../../../cli/status/print.ts';
import { statusOf } from '../../../cli/status/tree.ts';
import type { Resource } from '../../../operator/engine/api/resource.ts';
import { makePlan } from '../../../operator/engine/plan/plan.ts';
import { snapshotFrom } from '../../../operator/engine/observe/snapshot.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';
import { widget, type WidgetSpec } from '../../support/widget.ts';
import { event, live, pod, READY_POD, uidOf, UNSCHEDULABLE_POD } from './support/objects.ts';

const OWNER = uidOf('Widget', 'llama');
const NOW = Date.parse('2026-01-01T00:05:00Z');

const condition = (type: string, status: 'True' | 'False', reason: string, message: string) => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

const resource = (spec: Partial<WidgetSpec> = {}): Resource<WidgetSpec> => ({
  ...live('test.trunnion.dev/v1', 'Widget', 'llama', { metadata: { generation: 1 } }),
  spec: { message: 'hello', ...spec },
  status: {
    phase: 'Deploying',
    observedGeneration: 1,
    conditions: [condition('Ready', 'False', 'Waiting', 'The servers start.')],
  },
});

/** A look at a Widget: its children that are there, and what these have made. */
function observe(
  of: Resource<WidgetSpec>,
  objects: readonly KubeObject[],
  events: readonly KubeObject[] = [],
): Observation {
  const children = objects
    .filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === OWNER)
    .map((object) => observeChild(object));
  const rendered = widget.render(of, { draining: false });
  const plan = makePlan({
    desired: rendered.map((child) => decorate(child, of)),
    observed: children,
    ownerUid: OWNER,
  });
  const snapshot = snapshotFrom({ resource: of, children, pods: [] });
  return { kind: widget, resource: of, snapshot, objects, events, wanted: { rendered, plan }, unseen: [], now: NOW };
}

const denied = (verb: string, of: string) => ({ user: 'ann', verb, resource: of, namespace: 'models' });

const text = (of: Observation, options: { all?: boolean; width?: number } = {}): string =>
  statusText(statusOf(of), {
    now: NOW,
    all: false,
    width: Infinity,
    paint: (_, words) => words,
    ...options,
  });

const deployment = live('apps/v1', 'Deployment', 'llama', {
  owner: OWNER,
  spec: { replicas: 2 },
  status: { replicas: 2, readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 },
});
const replicaSet = (name: string, replicas: number) =>
  live('apps/v1', 'ReplicaSet', name, {
    owner: deployment.metadata.uid,
    spec: { replicas },
    status: { readyReplicas: 1 },
  });
const config = live('v1', 'ConfigMap', 'llama', { owner: OWNER });
const service = live('v1', 'Service', 'llama', { owner: OWNER, spec: { clusterIP: '10.0.0.7' } });

describe('the result of a program', () => {
  const objective = { metric: 'val_accuracy', value: 0.93, line: 'epoch 9\u001B[2J val_accuracy=0.93' };
  const search = {
    best: { trial: 2, value: 0.9, assignments: {} },
    trials: [{ number: 2, value: 0.9, line: 'val_accuracy=0.9' }],
  };
  const reported = (status: object) => {
    const of = resource();
    return text(observe({ ...of, status: { ...of.status, ...status } }, [])).split('\n');
  };

  test.each<[string, object, string]>([
    ['a training', { objective }, '  Result: val_accuracy=0.93, read from the line "epoch 9␛[2J val_accuracy=0.93"'],
    ["an earlier operator's training", { workload: { objective: { metric: 'loss', value: 1 } } }, '  Result: loss=1'],
    ['a search', { tuning: search }, '  Result: the best is trial 2 with 0.9, read from the line "val_accuracy=0.9"'],
  ])('is reported with the line that it was read from: of %s', (_, status, line) => {
    expect(reported(status)).toContain(line);
  });

  test('is left out where there is none', () => {
    expect(reported({ tuning: { trials: [] } }).join('\n')).not.toContain('Result');
  });
});

describe('the tree of a resource', () => {
  test('goes down to the pods, and says of each what it waits for', () => {
    const current = replicaSet('llama-5c9', 2);
    const pods = [
      pod('llama-5c9-a', READY_POD, { owner: current.metadata.uid, spec: { nodeName: 'gpu-0' } }),
      pod('llama-5c9-b', UNSCHEDULABLE_POD, {
        owner: current.metadata.uid,
        spec: { containers: [{ name: 'server', resources: { limits: { 'nvidia.com/gpu': '4' } } }] },
      }),
    ];
    const objects = [config, service, deployment, replicaSet('llama-old', 0), current, ...pods];
    expect(text(observe(resource(), objects))).toMatchInlineSnapshot(`
      "Widget models/llama  Deploying  5m
        Ready  False    Waiting: The servers start.
      ├─ ✓ ConfigMap llama
      ├─ ◌ Deployment llama  1/2 ready
      │  └─ ◌ ReplicaSet llama-5c9  1/2 ready
      │     ├─ ✓ Pod llama-5c9-a  ready, on gpu-0
      │     └─ ◌ Pod llama-5c9-b  pending
      │           All nvidia.com/gpu are in use, and 4 × nvidia.com/gpu are needed on one node. Free some or add nodes; it continues by itself. The scheduler says: 0/3 nodes are available: 3 Insufficient nvidia.com/gpu. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.
      └─ ◌ Service llama  10.0.0.7, 0 pods answer
            No pod behind it is ready
      "
    `);
  });

  test('names what is not there yet, and what that waits for', () => {
    const job = live('batch/v1', 'Job', 'llama', {
      owner: OWNER,
      spec: { completions: 1 },
      status: { active: 1, ready: 1 },
    });
    expect(text(observe(resource({ job: true }), [config, service, job]))).toMatchInlineSnapshot(`
      "Widget models/llama  Deploying  5m
        Ready  False    Waiting: The servers start.
      ├─ ✓ ConfigMap llama
      ├─ ✓ Job llama  1 of 1 run
      ├─ · Deployment llama  is not there
      │     It is made once this is ready: Job llama
      └─ ◌ Service llama  10.0.0.7, 0 pods answer
            No pod behind it is ready
      "
    `);
  });

  test('shows pods that are well as one line where there are many, unless all are asked for', () => {
    const current = replicaSet('llama-5c9', 20);
    const pods = Array.from({ length: 20 }, (_, index) =>
      pod(`llama-5c9-${index}`, index === 10 ? { phase: 'Pending' } : READY_POD, { owner: current.metadata.uid }),
    );
    const crowd = observe(resource(), [config, service, deployment, current, ...pods]);
    expect(text(crowd)).toMatch(/─ ◌ Pod llama-5c9-10 {2}pending\n.*─ ✓ 19 other pods are well {2}--all shows them\n/);
    expect(text(crowd, { all: true }).match(/ Pod /g)).toHaveLength(20);
  });

  test('wraps what is too long for the terminal, inside its branch', () => {
    const long = event(deployment, 'Warning', 'FailedCreate', 'word '.repeat(30));
    const narrow = text(observe(resource(), [config, service, deployment], [long]), { width: 60 });
    expect(narrow).toMatch(/FailedCreate: (word )+word\n│ {5}word/);
    expect(Math.max(...narrow.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(60);
  });

  test('says that no operator has looked at a change, and what the caller may not see', () => {
    const changed = { ...resource(), metadata: { ...resource().metadata, generation: 2 } };
    const printed = text({ ...observe(changed, []), unseen: [denied('list', 'events')] });
    expect(printed).toContain('  ! No operator has looked at it as it is now. If that stays so: trunnion doctor\n');
    expect(printed).toContain('  ! You may not list events in models: not shown.\n');
  });

  test('says nothing of a child that the caller may not see, and gives no reason that needs all of them', () => {
    const partial = { ...observe(resource(), []), unseen: [denied('list', 'services'), denied('list', 'configmaps')] };
    const printed = text(partial);
    expect(printed).toContain('  ! You may not list configmaps, services in models: not shown.\n');
    expect(printed).toMatch(/· Deployment llama {2}is not there\n$/);
  });

  test('says of an object that is not its own that it has the name', () => {
    const foreign = { ...config, metadata: { ...config.metadata, ownerReferences: [] } };
    const taken = observe(resource(), [service]);
    const children = [observeChild({ ...foreign, metadata: { ...foreign.metadata, uid: 'another' } })];
    const plan = makePlan({
      desired: (taken.wanted?.rendered ?? []).map((child) => decorate(child, resource())),
      observed: children,
      ownerUid: OWNER,
    });
    const wanted = { rendered: taken.wanted?.rendered ?? [], plan };
    expect(text({ ...taken, wanted })).toMatch(/· ConfigMap llama {2}is not there\n│ {5}An object of that name exists/);
  });

  test('of a spec that is invalid, what is there is reported', () => {
    const { wanted: _, ...refused } = observe(resource(), [config]);
    expect(text(refused)).toMatch(/└─ ✓ ConfigMap llama\n$/);
  });
});
