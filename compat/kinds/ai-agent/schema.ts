import * as z from 'zod';
import { agentServiceSpec } from '../../../constructs/agent-service/spec.ts';
import { agentServiceStatus } from '../../../constructs/agent-service/status.ts';
import { count, time } from '../../../constructs/parts/objects/schema.ts';
import { AGE_COLUMN, PHASE_COLUMN } from '../../../constructs/schema/columns.ts';
import { defineSchema, SHIPPED } from '../../../constructs/schema/kind.ts';
import { withRules } from '../../../constructs/schema/rules.ts';
import type { Parsed } from '../../../constructs/schema/types.ts';
import { baseResources } from '../../../constructs/parts/pod/schema.ts';
import { compatStatus, openSpec, phase, text, texts } from '../schema.ts';
import { CPU_PERCENT } from '../serving.ts';
import { autoscalingRules, SCALED_CPU } from './rules.ts';

/** The phases that users of AIAgent know. */
export const PHASES = ['Running', 'Scaling', 'Error'] as const;

const replicas = z.int().min(1).max(100);

/** As in an AgentService: what to be scaled by, beside the use of CPUs, and how it is reached from outside. */
const { targets, queue } = agentServiceSpec.shape.autoscaling.unwrap().shape;
const { expose } = agentServiceSpec.shape;

const autoscaling = withRules(
  openSpec({
    enabled: z.boolean().describe('Whether it is scaled by its load.').default(false),
    minReplicas: z
      .int()
      .describe('The fewest replicas. 0, with targets.queueDepth alone to go by, stops all of them. Default: 1.')
      .optional(),
    maxReplicas: z.int().describe('The most replicas. Default: 10, or replicas where that is more.').optional(),
    targets: targets
      .describe(
        `What to hold; where there are both, the one that needs most replicas counts. Default: cpuPercent ${CPU_PERCENT}.`,
      )
      .optional(),
    queue,
  }),
  ...autoscalingRules,
);

const spec = openSpec({
  model: text.describe('The model, by the name that its provider knows.'),
  replicas: replicas.describe('Number of replicas, where it is not scaled by its load.'),
  temperature: z.number().describe('How freely the model answers.').default(0.7),
  maxTokens: z.int().describe('The most tokens of an answer.').default(4096),
  image: text.describe('The image of the agent, which listens on port 8000.').optional(),
  tools: texts('Name of a tool.').describe('The tools that the agent may use.').optional(),
  autoscaling: autoscaling
    .describe('Scales by the use of CPUs, by the depth of a queue, or by both: what targets names.')
    .optional(),
  resources: baseResources
    .describe(
      `What one replica gets. Default: ${SCALED_CPU} of a CPU where it is scaled by its load, else nothing is asked for.`,
    )
    .optional(),
  expose,
});

const status = compatStatus(
  {
    phase: phase(PHASES),
    readyReplicas: count.describe('Number of pods that take requests.').optional(),
    lastUpdated: time.describe('When anything else of this status last changed.').optional(),
  },
  agentServiceStatus,
);

/** The kind AIAgent. */
export const aiAgent = defineSchema({
  ...SHIPPED,
  group: 'ai.example.com',
  kind: 'AIAgent',
  plural: 'aiagents',
  shortNames: ['aia'],
  description: 'An AIAgent runs an agent. It runs as an AgentService.',
  spec,
  status,
  rules: [],
  staticRules: [],
  scalable: true,
  columns: [
    { name: 'Model', type: 'string', jsonPath: '.spec.model', description: 'The model.' },
    { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', description: 'Replicas that are wanted.' },
    PHASE_COLUMN,
    AGE_COLUMN,
  ],
});

export type AIAgentSpec = Parsed<z.output<typeof spec>>;
export type AIAgentStatus = Parsed<z.output<typeof status>>;
