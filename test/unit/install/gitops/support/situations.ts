import type { PHASES as AGENT_PHASES } from '../../../../../constructs/agent-service/status.ts';
import type { PHASES as TRAINING_PHASES } from '../../../../../constructs/distributed-training/status.ts';
import type { PHASES as SERVING_PHASES } from '../../../../../constructs/model-serving/status.ts';
import type { Resource } from '../../../../../operator/engine/api/index.ts';
import { agentService } from '../../../../../operator/kinds/agent-service/index.ts';
import { distributedTraining } from '../../../../../operator/kinds/distributed-training/index.ts';
import { modelServing } from '../../../../../operator/kinds/model-serving/index.ts';
import type { Health } from '../../../../../stacks/operator/gitops/rules.ts';
import { refused } from '../../../../support/decided.ts';
import * as agents from '../../../kinds/agent-service/support.ts';
import * as trainings from '../../../kinds/distributed-training/support.ts';
import * as servings from '../../../kinds/model-serving/support.ts';

/** What a phase may look like, with the health that it has then. */
type Situations<Phases extends readonly string[]> = Readonly<
  Record<Phases[number], readonly (readonly [what: string, health: Health, resource: () => Resource])[]>
>;

const { shared, single } = servings;

/** A ModelServing as the operator reports it. */
function serving(
  observed: Partial<Parameters<typeof servings.decide>[0]>,
  spec = shared,
  more: { readonly deleting?: boolean; readonly wasRunning?: boolean } = {},
): Resource {
  const { deleting = false, wasRunning = false } = more;
  const status = wasRunning ? { status: servings.runningStatus(shared) } : {};
  const resource = servings.resourceOf(spec, { ...status, deleting });
  return { ...resource, status: servings.decide({ resource, ...observed }).status };
}

const crashing = [
  servings.server(shared, {
    containers: [
      servings.container('server', {
        waiting: { reason: 'CrashLoopBackOff', message: '' },
        lastTerminated: servings.ends(1, 'no such model'),
      }),
    ],
  }),
];
const fetched = servings.runningChildren(shared);
const rolling = (counts: Parameters<typeof servings.deployment>[0]) => [
  ...fetched.filter(({ kind }) => kind !== 'Deployment'),
  servings.deployment(counts),
];
const changed = { ...shared, engine: { type: 'vllm' as const, args: ['--max-model-len=100'] } };
const retired = { ...shared, retired: true };
const { claim, job, URI, fetcher } = servings;

export const SERVING: Situations<typeof SERVING_PHASES> = {
  Pending: [
    ['nothing is made yet', 'Progressing', () => serving({})],
    ['its volume waits', 'Progressing', () => serving({ children: [claim(URI, 'Pending'), job(URI)] })],
  ],
  Downloading: [
    ['its weights come', 'Progressing', () => serving({ children: [claim(URI), job(URI)], pods: [fetcher(URI)] })],
  ],
  Deploying: [['no server answers yet', 'Progressing', () => serving({ children: rolling({ ready: 0 }) })]],
  Running: [
    ['all servers answer', 'Healthy', () => serving({ children: fetched, pods: [servings.server(shared)] })],
    [
      'a server fetches by itself',
      'Healthy',
      () => serving({ children: servings.runningChildren(single), pods: [servings.server(single)] }, single),
    ],
    [
      'it is scaled to none, as asked',
      'Healthy',
      () => serving({ children: rolling({ desired: 0 }) }, { ...shared, replicas: 0 }),
    ],
    [
      'a replica that was added does not answer yet',
      'Progressing',
      () => serving({ children: rolling({ desired: 2, ready: 1 }) }, { ...shared, replicas: 2 }),
    ],
    [
      'a part that it can serve without was refused',
      'Degraded',
      () =>
        serving({
          children: fetched,
          pods: [servings.server(shared)],
          problems: [{ child: 'disruption-budget', reason: 'Forbidden', message: 'no right' }],
        }),
    ],
  ],
  Updating: [
    [
      'servers of the earlier template answer',
      'Progressing',
      () => serving({ children: rolling({ replicas: 2, updated: 1, ready: 1 }) }, changed, { wasRunning: true }),
    ],
    [
      'servers of the new template crash',
      'Degraded',
      () =>
        serving({ children: rolling({ replicas: 2, updated: 1, ready: 1 }), pods: crashing }, changed, {
          wasRunning: true,
        }),
    ],
  ],
  Draining: [
    [
      'it is retired, and has requests in flight',
      'Progressing',
      () => serving({ children: fetched, pods: [servings.server(shared)] }, retired, { wasRunning: true }),
    ],
  ],
  Retired: [['it is out of service', 'Suspended', () => serving({}, retired)]],
  Failed: [
    ['its servers crash', 'Degraded', () => serving({ children: rolling({ ready: 0 }), pods: crashing })],
    [
      'its spec is refused',
      'Degraded',
      () => {
        const resource = servings.resourceOf(shared);
        return { ...resource, status: refused(modelServing, resource, 'spec.x: no', { now: servings.START }) };
      },
    ],
  ],
};

/** An AgentService as the operator reports it. */
function agent(observed: Partial<agents.Observed>, spec = agents.minimal, wasRunning = false): Resource {
  const status = wasRunning ? { status: agents.runningStatus(agents.minimal) } : {};
  const resource = agents.resourceOf(spec, status);
  return { ...resource, status: agents.decide({ resource, ...observed }).status };
}

const crashingAgent = agents.pod('agent-1', {
  containers: [
    servings.container('agent', {
      waiting: { reason: 'CrashLoopBackOff', message: '' },
      lastTerminated: servings.ends(1, 'no key'),
    }),
  ],
});
const stopped = { ...agents.minimal, replicas: 0 };

export const AGENT: Situations<typeof AGENT_PHASES> = {
  Pending: [
    ['nothing is made yet', 'Progressing', () => agent({})],
    ['no pod is ready yet', 'Progressing', () => agent({ children: agents.running({ ready: 0 }) })],
    ['its model is not there yet', 'Progressing', () => agent({}, agents.referring)],
  ],
  Running: [
    ['all pods are ready', 'Healthy', () => agent({ children: agents.running() })],
    [
      'it has lost its model',
      'Degraded',
      () => {
        const before = agents.runningStatus(agents.referring, { related: agents.serving() });
        const resource = agents.resourceOf(agents.referring, { status: before });
        return { ...resource, status: agents.decide({ resource, children: agents.running() }).status };
      },
    ],
  ],
  Scaling: [
    [
      'pods are added',
      'Progressing',
      () => agent({ children: agents.running({ desired: 3, ready: 2 }) }, undefined, true),
    ],
  ],
  Updating: [
    [
      'pods of the earlier template are there',
      'Progressing',
      () => agent({ children: agents.running({ updated: 1, ready: 2 }) }, undefined, true),
    ],
    [
      'pods of the new template crash',
      'Degraded',
      () =>
        agent(
          { children: agents.running({ replicas: 3, updated: 1, ready: 2 }), pods: [crashingAgent] },
          undefined,
          true,
        ),
    ],
  ],
  Stopped: [['no pods are wanted', 'Healthy', () => agent({ children: agents.running({ desired: 0 }) }, stopped)]],
  Error: [
    ['its pods crash', 'Degraded', () => agent({ children: agents.running({ ready: 0 }), pods: [crashingAgent] })],
    [
      'its spec is refused',
      'Degraded',
      () => {
        const resource = agents.resourceOf(agents.minimal);
        return { ...resource, status: refused(agentService, resource, 'spec.x: no', { now: agents.START }) };
      },
    ],
  ],
};

/** A DistributedTraining as the operator reports it. */
function training(
  observed: Partial<Parameters<typeof trainings.decide>[0]>,
  spec = trainings.specOf(),
  before?: ReturnType<typeof trainings.statusOf>,
): Resource {
  const resource = trainings.resourceOf(spec, before ? { status: before } : {});
  return { ...resource, status: trainings.decide({ resource, ...observed }).status };
}

const spec = trainings.specOf();
const first = trainings.job(spec);
const queued = trainings.specOf({ queue: 'team-a' });
const exhausted = trainings.specOf({ retry: { limit: 0 } });

export const TRAINING: Situations<typeof TRAINING_PHASES> = {
  Pending: [
    ['nothing is made yet', 'Progressing', () => training({})],
    [
      'its ranks start',
      'Progressing',
      () => training({ children: [first], pods: trainings.pods(first, 4, { phase: 'Pending' }) }),
    ],
  ],
  Queued: [
    [
      'Kueue holds it',
      'Progressing',
      () => training({ children: [trainings.job(queued, 1, 'worker', { suspended: true })] }, queued),
    ],
  ],
  Running: [['all ranks run', 'Progressing', () => training({ children: [first], pods: trainings.pods(first) })]],
  Restarting: [
    [
      'the next attempt is about to start',
      'Progressing',
      () => training({ answers: trainings.firstIsGone }, spec, trainings.failedOnce),
    ],
  ],
  Suspended: [
    ['it is suspended', 'Suspended', () => training({}, trainings.specOf({ suspend: true }))],
    [
      'its pods are being stopped',
      'Suspended',
      () => training({ children: [first], pods: trainings.pods(first) }, trainings.specOf({ suspend: true })),
    ],
  ],
  Completed: [
    [
      'it has succeeded',
      'Healthy',
      () =>
        training({
          children: [trainings.job(spec, 1, 'worker', { condition: { type: 'Complete' } })],
          pods: trainings.pods(first, 4, trainings.ended(0)),
        }),
    ],
  ],
  Failed: [
    [
      'it failed, and may not be tried again',
      'Degraded',
      () => {
        const worker = trainings.job(exhausted);
        const failed = trainings.butFor(trainings.pods(worker), 1, trainings.ended(1));
        return training({ children: [worker], pods: failed }, exhausted);
      },
    ],
    [
      'its spec is refused',
      'Degraded',
      () => {
        const resource = trainings.resourceOf(spec);
        return {
          ...resource,
          status: refused(distributedTraining, resource, 'spec.x: no', { now: trainings.START }),
        };
      },
    ],
  ],
};

/** Every situation of our kinds, with its phase. */
export const SITUATIONS = [SERVING, AGENT, TRAINING].flatMap((phases) =>
  Object.entries(phases).flatMap(([phase, rows]) =>
    rows.map(([what, health, resource]) => ({ kind: resource().kind, phase, what, health, resource: resource() })),
  ),
);
