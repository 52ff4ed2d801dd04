import type { AgentServiceStatus } from '../../../constructs/index.ts';
import { agentService } from '../../../operator/kinds/agent-service/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { Step } from '../../../testing/faults/scenario.ts';
import type { World } from '../../../testing/faults/world.ts';
import { apply, deleted, reports, scenarioOf } from './steps.ts';

const { type } = agentService;

const SECRET = 'openai';

const spec = {
  image: 'registry.example.com/support-agent:2.0.0',
  model: 'gpt-4o',
  resources: { cpu: '100m', memory: '64Mi' },
  credentials: [{ env: 'OPENAI_API_KEY', secretName: SECRET, key: 'key' }],
  drain: { timeoutSeconds: 1 },
  healthPath: '/healthz',
};

const isIn = (phase: string, readyReplicas: number, holds: (status: AgentServiceStatus) => boolean = () => true) =>
  reports<AgentServiceStatus>(
    type,
    (status) => status.phase === phase && status.readyReplicas === readyReplicas && holds(status),
  );

const step = (name: string, change: object, phase: string, readyReplicas: number): Step => ({
  name,
  act: apply(type, { ...spec, ...change }),
  reached: isIn(phase, readyReplicas),
});

const putSecret = ({ client, namespace }: World, key: string): Promise<unknown> => {
  const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: SECRET, namespace }, stringData: { key } };
  return client.apply(TYPES.secret, body, { fieldManager: 'user', force: true });
};

/** Each step keeps what the one before changed. */
const warmer = { temperature: 0.5, tools: ['search', 'tickets'] };
const autoscaling = { minReplicas: 1, maxReplicas: 3, targets: { cpuPercent: 70 } };

/** The name of the step that takes a minute. */
export const NEW_SECRET = 'another key';

/** A Secret is looked at about once a minute. */
const newSecret: Step = {
  name: NEW_SECRET,
  act: (world) => putSecret(world, 'two'),
  reached: isIn('Running', 2, ({ references = {} }) =>
    Object.values(references).some(({ current }) => current !== undefined),
  ),
};

/** The autoscaler looks every 15 seconds, and what it says then is told. */
const autoscale: Step = {
  ...step('autoscale', { ...warmer, autoscaling }, 'Running', 1),
  reached: isIn('Running', 1, ({ conditions = [] }) =>
    conditions.some((condition) => condition.type === 'ScalingActive' && condition.reason !== 'NotReported'),
  ),
};

/** Create, change its configuration, scale, change its Secret, stop, start, autoscale, scale by hand, delete. */
export const agentServiceScenario = scenarioOf(type, [
  {
    ...step('create', { replicas: 1 }, 'Running', 1),
    act: async (world) => {
      await putSecret(world, 'one');
      await apply(type, { ...spec, replicas: 1 })(world);
    },
  },
  step('configuration', { ...warmer, replicas: 1 }, 'Running', 1),
  step('scale', { ...warmer, replicas: 2 }, 'Running', 2),
  newSecret,
  step('stop', { ...warmer, replicas: 0 }, 'Stopped', 0),
  step('start', { ...warmer, replicas: 1 }, 'Running', 1),
  autoscale,
  step('scale by hand', { ...warmer, replicas: 2 }, 'Running', 2),
  deleted(type),
]);
