import { observeChild, observePod } from '../../support/as-trunnion.ts';
import { describe, expect, test } from 'vitest';
import type { Observation } from '../../../cli/status/observe.ts';
import { statusOf } from '../../../cli/status/tree.ts';
import type { StatusNode } from '../../../cli/status/types.ts';
import type { Resource } from '../../../operator/engine/api/resource.ts';
import { snapshotFrom } from '../../../operator/engine/observe/snapshot.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';
import { widget, type WidgetSpec } from '../../support/widget.ts';
import { event, live, pod, READY_POD, uidOf } from './support/objects.ts';

/** When the pods were made. */
const MADE = Date.parse('2026-01-01T00:00:00Z');
const OWNER = uidOf('Widget', 'llama');

const resource: Resource<WidgetSpec> = {
  ...live('test.trunnion.dev/v1', 'Widget', 'llama'),
  spec: { message: 'hello' },
};
const replicaSet = live('apps/v1', 'ReplicaSet', 'llama', { owner: OWNER, spec: { replicas: 2 } });

/** What the scheduler says of a pod that no node there is could ever hold. */
const LOST = {
  phase: 'Pending',
  conditions: [
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message:
        '0/2 nodes are available: 2 Insufficient nvidia.com/gpu. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    },
  ],
};
const server = (name: string, status: object = LOST, metadata: object = {}) =>
  pod(name, status, {
    owner: replicaSet.metadata.uid,
    metadata,
    spec: { containers: [{ name: 'server', resources: { limits: { 'nvidia.com/gpu': '4' } } }] },
  });

/** What status says of the pods of a resource, so many seconds after they were made. */
function reported(
  pods: readonly KubeObject[],
  events: readonly KubeObject[],
  seconds = 600,
  unseen: Observation['unseen'] = [],
) {
  const snapshot = snapshotFrom({ resource, children: [observeChild(replicaSet)], pods: pods.map(observePod) });
  const objects = [replicaSet, ...pods];
  const observe: Observation = {
    kind: widget,
    resource,
    snapshot,
    objects,
    events,
    unseen,
    now: MADE + seconds * 1000,
  };
  const below = ({ kind, children, ...node }: StatusNode): readonly Omit<StatusNode, 'kind' | 'children'>[] =>
    kind === 'Pod' ? [node] : children.flatMap(below);
  return statusOf(observe).children.flatMap(below);
}

const lost = server('llama-a');
// cluster-autoscaler 1.34, processors/status/eventing_scale_up_processor.go; Karpenter 1.8,
// pkg/controllers/provisioning/scheduling/events.go
const adds = event(lost, 'Normal', 'TriggeredScaleUp', 'pod triggered scale-up: [{gpu-pool 0->1 (max: 4)}]');
const refuses = (causes: string) =>
  event(lost, 'Normal', 'NotTriggerScaleUp', `pod didn't trigger scale-up: ${causes}`);
const nominates = event(lost, 'Normal', 'Nominated', 'Pod should schedule on: nodeclaim/gpu-x7');
const scheduler = event(lost, 'Warning', 'FailedScheduling', '0/2 nodes are available: 2 Insufficient nvidia.com/gpu.');

describe('status calls a pod without a node failed only where an autoscaler refuses', () => {
  test.each([
    ['an autoscaler adds a node', [scheduler, adds], 600, 'waiting', 'An autoscaler adds one'],
    ['Karpenter adds a node', [scheduler, nominates], 600, 'waiting', 'An autoscaler adds one'],
    ['a limit is reached', [refuses('1 max node group size reached')], 600, 'waiting', 'adds none for now'],
    ['an autoscaler refuses', [refuses("2 node(s) didn't match selector")], 600, 'failed', 'The autoscaler says'],
    ['an autoscaler refuses at once', [refuses("2 node(s) didn't match selector")], 1, 'failed', 'The autoscaler says'],
    ['none has said anything', [scheduler], 600, 'waiting', 'No node has 4 × nvidia.com/gpu'],
    ['none has said anything for a day', [scheduler], 86_400, 'waiting', 'Such a node may still come'],
    [
      'another pod was told of',
      [event(server('x'), 'Normal', 'TriggeredScaleUp', '')],
      600,
      'waiting',
      'No autoscaler is known',
    ],
  ])('%s', (_, events, seconds, state, words) => {
    const [node] = reported([lost], events, seconds);
    expect(node?.state).toBe(state);
    expect(node?.because.join(' ')).toContain(words);
  });

  test('and not where the caller may not see what an autoscaler says', () => {
    expect(
      reported([lost], [], 600, [{ user: 'ann', verb: 'list', resource: 'events', namespace: 'models' }]),
    ).toMatchObject([{ state: 'waiting' }]);
  });

  test('of pods of one owner what an autoscaler says of the first holds for all', () => {
    expect(reported([lost, server('llama-b')], [adds])).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }]);
  });

  test('but not what it said of a pod that goes', () => {
    const going = server('llama-a', LOST, { deletionTimestamp: '2026-01-01T00:09:00Z' });
    const refused = refuses("2 node(s) didn't match selector");
    expect(reported([going, server('llama-b')], [refused])).toMatchObject([{ state: 'leaving' }, { state: 'waiting' }]);
  });

  test('and a pod that has its node is reported as before', () => {
    expect(reported([lost, server('llama-b', READY_POD)], [adds])).toMatchObject([
      { state: 'waiting' },
      { state: 'ok' },
    ]);
  });
});

describe('status says what of a pod fits no node', () => {
  const notes = (nodes: readonly KubeObject[] | undefined, pods = [lost, server('llama-b')]) => {
    const snapshot = snapshotFrom({ resource, children: [observeChild(replicaSet)], pods: pods.map(observePod) });
    const observe: Observation = {
      kind: widget,
      resource,
      snapshot,
      objects: [replicaSet, ...pods],
      events: [],
      unseen: [],
      now: MADE,
    };
    return statusOf({ ...observe, ...(nodes && { nodes }) }).notes.filter((note) => /node/.test(note));
  };
  const gpuNode = live('v1', 'Node', 'gpu-0', { status: { allocatable: { 'nvidia.com/gpu': '2' } } });

  test('once for all pods of one owner, with how much the largest node has', () => {
    expect(notes([gpuNode])).toEqual([
      'pod llama-a: nvidia.com/gpu 4 fits no node: the largest has 2 × nvidia.com/gpu',
    ]);
  });

  test('and nothing where the caller may not list nodes, or the pods have theirs', () => {
    expect(notes(undefined)).toEqual([]);
    expect(notes([gpuNode], [server('llama-a', READY_POD)])).toEqual([]);
  });
});
