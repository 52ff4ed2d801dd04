import { describe, expect, it, test } from 'vitest';
import type { Fact, ObjectEvent } from '../../../../operator/engine/asks.ts';
import { nodeAsks, outlookOf } from '../../../../operator/kinds/shared/nodes.ts';
import {
  decide as serve,
  deployment,
  claim,
  job,
  resourceOf,
  said,
  sentence,
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

const told = (...events: readonly Partial<ObjectEvent>[]): Readonly<Record<string, Fact>> => ({
  [nodeAsks([lost()])[0]?.id ?? '']: {
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
    ['adds one, after GKE had none', 'coming', [outOfStock, adds]],
    ['takes back what it refused', 'coming', [refuses('1 max node group size reached'), adds]],
  ] as const)('it %s', (_what, nodes, events) => {
    expect(outlookOf({ facts: told(...events) }, [lost()], START + 600 * SECOND)?.nodes).toBe(nodes);
  });

  it('is open for half a minute of a pod, and then there is none', () => {
    const at = (seconds: number, facts: Readonly<Record<string, Fact>>) =>
      outlookOf({ facts }, [lost()], START + seconds * SECOND);
    expect(at(29, told(scheduler))).toEqual({ nodes: 'open', words: '', until: START + 30 * SECOND });
    expect(at(30, told(scheduler))).toEqual({ nodes: 'none', words: '' });
    expect(at(30, told())?.nodes).toBe('none');
  });

  it('is open as long as nobody could look, however old the pod is', () => {
    const unknown: Fact = { at: START, type: 'unknown', message: 'the API server did not answer' };
    const [id = ''] = nodeAsks([lost()]).map((ask) => ask.id);
    for (const facts of [{}, { [id]: unknown }]) {
      expect(outlookOf({ facts }, [lost()], START + 600 * SECOND)).toEqual({ nodes: 'open', words: '' });
    }
  });

  it('is told in the same words, in whatever order the causes come', () => {
    const words = (causes: string) => outlookOf({ facts: told(refuses(causes)) }, [lost()], START)?.words;
    expect(words('1 Insufficient cpu, 2 max node group size reached')).toBe(
      words('2 max node group size reached, 1 Insufficient cpu'),
    );
  });

  it('is asked of one pod, and of none that has a node', () => {
    expect(nodeAsks([server(shared), lost(), lost(NO_GPU, { name: 'other', uid: 'other' })])).toEqual([
      {
        id: 'events/uid-of-llama-server-1',
        type: 'events',
        kind: 'Pod',
        name: 'llama-server-1',
        uid: 'uid-of-llama-server-1',
        everySeconds: 20,
      },
    ]);
    expect(nodeAsks([server(shared)])).toEqual([]);
  });
});

describe('a service for whose GPU there is no node yet', () => {
  const decide = (seconds: number, facts: Readonly<Record<string, Fact>>, words = NO_GPU) =>
    serve(
      {
        resource: resourceOf(shared),
        children: [claim(URI), job(URI, 'Complete'), deployment({ ready: 0 }), service()],
        pods: [lost(words)],
        facts,
      },
      START + seconds * SECOND,
    );

  test.each([
    ['at first', 8, {}, 'Pending', 'True NoSuchGPU'],
    ['while an autoscaler adds one', 600, told(adds), 'Pending', 'True WaitingForNode'],
    [
      'while its limit is reached',
      600,
      told(refuses('1 max node group size reached')),
      'Pending',
      'True WaitingForNode',
    ],
    ['where none has such a GPU', 8, told(refuses('1 Insufficient nvidia.com/gpu')), 'Failed', 'False NoSuchGPU'],
    ['as long as nobody has looked', 600, {}, 'Pending', 'True NoSuchGPU'],
    ['where there is no autoscaler', 30, told(scheduler), 'Failed', 'False NoSuchGPU'],
  ] as const)('is %s', (_when, seconds, facts, phase, progressing) => {
    const { status } = decide(seconds, facts);
    expect([status.phase, said(status, 'Progressing')]).toEqual([phase, progressing]);
  });

  it('quotes the autoscaler, and asks and looks again by itself', () => {
    expect(sentence(decide(600, told(adds)).status, 'Progressing')).toMatch(
      /^No node has 1 × nvidia\.com\/gpu\. An autoscaler adds one.* The autoscaler says: pod triggered scale-up: \[\{gpu-pool 0->1/,
    );
    expect(decide(8, {}).asks).toContainEqual(
      expect.objectContaining({ type: 'events', kind: 'Pod', name: 'llama-server-1' }),
    );
    expect(decide(8, told(scheduler)).wakeAt).toBe(START + 30 * SECOND);
  });

  it('waits for CPUs and memory in the same way', () => {
    expect(said(decide(8, {}, NO_CPU).status, 'Progressing')).toBe('True Unschedulable');
    expect(said(decide(600, told(adds), NO_CPU).status, 'Progressing')).toBe('True WaitingForNode');
    expect(said(decide(600, told(scheduler), NO_CPU).status, 'Progressing')).toBe('False Unschedulable');
  });
});
