import { describe, expect, it, test } from 'vitest';
import type { Answer, ObjectEvent } from '../../../../operator/engine/api/queries.ts';
import { nodeQueries, outlookOf } from '../../../../operator/kinds/shared/nodes.ts';
import {
  decide as serve,
  deployment,
  claim,
  job,
  resourceOf,
  conditionOf,
  messageOf,
  server,
  service,
  shared,
  START,
  unschedulable,
  URI,
} from '../model-serving/support.ts';

const SECOND = 1000;
const NO_GPU =
  '0/2 nodes are available: 2 Insufficient nvidia.com/gpu. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.';
const NO_CPU =
  '0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.';

/** A pod that was made at START, and finds no node. */
const lost = (words = NO_GPU, over = {}) => server(shared, { ...unschedulable(words), createdAt: START, ...over });

const reported = (...events: readonly Partial<ObjectEvent>[]): Readonly<Record<string, Answer>> => ({
  [nodeQueries([lost()])[0]?.id ?? '']: {
    at: START,
    type: 'events',
    events: events.map((event) => ({ reason: '', message: '', at: START, ...event })),
  },
});

// cluster-autoscaler/processors/status/eventing_scale_up_processor.go and core/scaleup/orchestrator/skippedreasons.go
const adds = {
  reason: 'TriggeredScaleUp',
  message: 'pod triggered scale-up: [{gpu-pool 0->1 (max: 4)}]',
};
const refuses = (causes: string) => ({
  reason: 'NotTriggerScaleUp',
  message: `pod didn't trigger scale-up: ${causes}`,
});
// Karpenter: pkg/controllers/provisioning/scheduling/events.go
const nominates = { reason: 'Nominated', message: 'Pod should schedule on: nodeclaim/gpu-x7' };
const karpenterRefuses = (why: string) => ({ reason: 'FailedScheduling', message: `Failed to schedule pod, ${why}` });
// GKE's Cluster Autoscaler, of a scale-up that the cloud refused.
const outOfStock = {
  reason: 'FailedScaleUp',
  message:
    'Node scale up in zones us-central1-c associated with this pod failed: GCE out of resources. Pod is at risk of not being scheduled.',
};
const NO_GROUP = refuses("2 node(s) didn't match Pod's node affinity/selector");
const NO_POOL = karpenterRefuses('incompatible with nodepool "cpu", no instance type met all requirements');
const scheduler = { reason: 'FailedScheduling', message: NO_GPU };

describe('whether an autoscaler may add a node', () => {
  test.each([
    ['adds one', 'coming', [adds]],
    ['adds one, by Karpenter', 'coming', [scheduler, nominates]],
    ['may, later: its group is full', 'later', [refuses('2 max node group size reached')]],
    ['may, later: it failed a moment ago', 'later', [adds, refuses('1 in backoff after failed scale-up')]],
    ['may, later: the cluster is full', 'later', [refuses('max total nodes in cluster reached')]],
    ['may, later: a limit of the cluster', 'later', [refuses('1 max cluster cpu, memory limit reached')]],
    [
      'may, later: a limit of Karpenter',
      'later',
      [karpenterRefuses('all available instance types exceed limits for nodepool')],
    ],
    [
      'may, though not all of its groups',
      'later',
      [refuses("1 max node group size reached, 3 node(s) didn't match Pod's node affinity/selector")],
    ],
    ['never', 'none', [refuses("2 node(s) didn't match Pod's node affinity/selector")]],
    // Karpenter, pkg/controllers/provisioning/scheduling/nodeclaim.go, InstanceTypeFilterError: an offering that the cloud
    // had no machine for is left out for minutes.
    [
      'may, later: the cloud has no such machine left',
      'later',
      [
        nominates,
        karpenterRefuses(
          'incompatible with nodepool "gpu", no instance type has the required offering, requirements=a',
        ),
      ],
    ],
    [
      'may, later: the cloud has none left of what fits',
      'later',
      [
        karpenterRefuses(
          'incompatible with nodepool "gpu", no instance type which met the scheduling requirements and had enough resources, had a required offering',
        ),
      ],
    ],
    [
      'never, by Karpenter: none is large enough',
      'none',
      [karpenterRefuses('incompatible with nodepool "gpu", no instance type has enough resources, requirements=a')],
    ],
    [
      'never, by Karpenter: none is of the kind',
      'none',
      [karpenterRefuses('incompatible with nodepool "gpu", no instance type met all requirements, requirements=a')],
    ],
    ['may, later: GKE has no such machine left', 'later', [adds, outOfStock]],
    // Words of the scheduler of Kubernetes 1.36, which the Cluster Autoscaler repeats.
    ['may, later: pods that run keep it away', 'later', [refuses("2 node(s) didn't match pod anti-affinity rules")]],
    ['may, later: pods must spread', 'later', [refuses("2 node(s) didn't match pod topology spread constraints")]],
    ['may, later: its volume', 'later', [refuses('1 pod has unbound immediate PersistentVolumeClaims')]],
    // Karpenter, pkg/controllers/provisioning/scheduling/scheduler.go, where the cloud offers nothing of its pools now.
    [
      'may, later: Karpenter has no machine left at all',
      'later',
      [karpenterRefuses('nodepool requirements filtered out all available instance types')],
    ],
    ['is not known: an autoscaler without any group says no cause', 'open', [refuses('')]],
    ['adds one by Karpenter, which the Cluster Autoscaler would not', 'coming', [nominates, NO_GROUP]],
    ['adds one by the Cluster Autoscaler, which Karpenter would not', 'coming', [adds, NO_POOL]],
    ['never, by either', 'none', [NO_POOL, NO_GROUP]],
    ['adds one, after GKE had none', 'coming', [outOfStock, adds]],
    ['takes back what it refused', 'coming', [refuses('1 max node group size reached'), adds]],
  ] as const)('it %s', (_what, nodes, events) => {
    expect(outlookOf({ answers: reported(...events) }, [lost()])?.nodes).toBe(nodes);
  });

  it('is open as long as no autoscaler has said anything, however old the pod is', () => {
    for (const events of [[], [scheduler]]) {
      expect(outlookOf({ answers: reported(...events) }, [lost()])).toEqual({ nodes: 'open', words: '' });
    }
  });

  it('is open as long as nobody could look', () => {
    const unknown: Answer = { at: START, type: 'unknown', message: 'the API server did not answer' };
    const [id = ''] = nodeQueries([lost()]).map((query) => query.id);
    for (const answers of [{}, { [id]: unknown }]) {
      expect(outlookOf({ answers }, [lost()])).toEqual({ nodes: 'open', words: '' });
    }
  });

  it('is reported in the same words, in whatever order the causes come', () => {
    const words = (causes: string) => outlookOf({ answers: reported(refuses(causes)) }, [lost()])?.words;
    expect(words('1 Insufficient cpu, 2 max node group size reached')).toBe(
      words('2 max node group size reached, 1 Insufficient cpu'),
    );
  });

  it('is asked of one pod, and of none that has a node', () => {
    expect(nodeQueries([server(shared), lost(), lost(NO_GPU, { name: 'other', uid: 'other' })])).toEqual([
      {
        id: 'events/uid-of-llama-server-1',
        type: 'events',
        kind: 'Pod',
        name: 'llama-server-1',
        uid: 'uid-of-llama-server-1',
        everySeconds: 20,
      },
    ]);
    expect(nodeQueries([server(shared)])).toEqual([]);
  });
});

describe('a service for whose GPU there is no node yet', () => {
  const decide = (seconds: number, answers: Readonly<Record<string, Answer>>, words = NO_GPU) =>
    serve(
      {
        resource: resourceOf(shared),
        children: [claim(URI), job(URI, 'Complete'), deployment({ ready: 0 }), service()],
        pods: [lost(words)],
        answers,
      },
      START + seconds * SECOND,
    );

  test.each([
    ['at first', 8, {}, 'Pending', 'True NoSuchGPU'],
    ['while an autoscaler adds one', 600, reported(adds), 'Pending', 'True WaitingForNode'],
    [
      'while its limit is reached',
      600,
      reported(refuses('1 max node group size reached')),
      'Pending',
      'True WaitingForNode',
    ],
    ['where none has such a GPU', 8, reported(refuses('1 Insufficient nvidia.com/gpu')), 'Failed', 'False NoSuchGPU'],
    ['as long as nobody has looked', 600, {}, 'Pending', 'True NoSuchGPU'],
    ['where no autoscaler says anything', 30, reported(scheduler), 'Pending', 'True NoSuchGPU'],
    ['where none has said anything for a day', 86_400, reported(scheduler), 'Pending', 'True NoSuchGPU'],
    ['where the autoscaler has no group of nodes', 600, reported(refuses('')), 'Pending', 'True NoSuchGPU'],
  ] as const)('is %s', (_when, seconds, answers, phase, progressing) => {
    const { status } = decide(seconds, answers);
    expect([status.phase, conditionOf(status, 'Progressing')]).toEqual([phase, progressing]);
  });

  it('quotes the autoscaler, and asks and looks again by itself', () => {
    expect(messageOf(decide(600, reported(adds)).status, 'Progressing')).toMatch(
      /^No node has 1 × nvidia\.com\/gpu\. An autoscaler adds one.* The autoscaler says: pod triggered scale-up: \[\{gpu-pool 0->1/,
    );
    expect(decide(8, {}).queries).toContainEqual(
      expect.objectContaining({ type: 'events', kind: 'Pod', name: 'llama-server-1' }),
    );
    expect(messageOf(decide(8, reported(scheduler)).status, 'Progressing')).toMatch(
      /^No node has 1 × nvidia\.com\/gpu\. .*Such a node may still come.*No autoscaler is known to have said anything/,
    );
  });

  it('waits for CPUs and memory in the same way', () => {
    expect(conditionOf(decide(8, {}, NO_CPU).status, 'Progressing')).toBe('True Unschedulable');
    expect(conditionOf(decide(600, reported(adds), NO_CPU).status, 'Progressing')).toBe('True WaitingForNode');
    expect(conditionOf(decide(600, reported(scheduler), NO_CPU).status, 'Progressing')).toBe('True Unschedulable');
    const never = reported(refuses('2 Insufficient cpu'));
    expect(conditionOf(decide(600, never, NO_CPU).status, 'Progressing')).toBe('False Unschedulable');
  });
});

describe('what no node can take is Failed only where no waiting fixes it', () => {
  const help = 'preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.';
  const words = (causes: string) => `0/2 nodes are available: ${causes}. ${help}`;
  const never = reported(refuses('2 Insufficient nvidia.com/gpu'));
  const silent = reported(scheduler);

  test.each([
    ['a GPU, and nobody says anything', NO_GPU, silent, 'Pending'],
    ['a GPU, and the autoscaler adds a node', NO_GPU, reported(adds), 'Pending'],
    [
      'a GPU, and the autoscaler has reached its limit',
      NO_GPU,
      reported(refuses('1 max node group size reached')),
      'Pending',
    ],
    ['a GPU, and the autoscaler backs off', NO_GPU, reported(refuses('1 in backoff after failed scale-up')), 'Pending'],
    ['a GPU, and the cloud has none', NO_GPU, reported(outOfStock), 'Pending'],
    ['a GPU, and the pod would fit no group', NO_GPU, never, 'Failed'],
    [
      'a label, and nobody says anything',
      words("2 node(s) didn't match Pod's node affinity/selector"),
      silent,
      'Pending',
    ],
    [
      'a label, and the pod would fit no group',
      words("2 node(s) didn't match Pod's node affinity/selector"),
      never,
      'Failed',
    ],
    ['nodes without a taint, and nobody says anything', words('2 node(s) had untolerated taint(s)'), silent, 'Pending'],
    ['nodes without a taint, and it would fit no group', words('2 node(s) had untolerated taint(s)'), never, 'Failed'],
    ['memory, and nobody says anything', words('2 Insufficient memory'), silent, 'Pending'],
    ['memory, and the pod would fit no group', words('2 Insufficient memory'), never, 'Failed'],
    ['nodes that are not cordoned, which ends by itself', words('2 node(s) were unschedulable'), never, 'Pending'],
    [
      'a node that is not cordoned, among others',
      words('1 Insufficient nvidia.com/gpu, 1 node(s) were unschedulable'),
      never,
      'Pending',
    ],
    ['nodes where its volume is', words("2 node(s) didn't match PersistentVolume's node affinity"), silent, 'Pending'],
    [
      'nodes where its volume is, up to 1.30',
      words('2 node(s) had volume node affinity conflict'),
      reported(adds),
      'Pending',
    ],
    ['nodes with room for a volume', words('2 node(s) exceed max volume count'), silent, 'Pending'],
    [
      'nodes where its volume is, and it would fit no group',
      words('2 node(s) exceed max volume count'),
      never,
      'Failed',
    ],
    ['a volume that no node is needed for', 'persistentvolumeclaim "shared" not found', silent, 'Failed'],
  ] as const)('it lacks %s', (_what, message, answers, phase) => {
    const children = [claim(URI), job(URI, 'Complete'), deployment({ ready: 0 }), service()];
    const { status } = serve(
      { resource: resourceOf(shared), children, pods: [lost(message)], answers },
      START + 600 * SECOND,
    );
    expect(status.phase).toBe(phase);
  });
});
