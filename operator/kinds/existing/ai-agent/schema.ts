import { z } from 'zod';
import { agentServiceStatus } from '../../../../constructs/agent-service/status.ts';
import { count, time } from '../../../../constructs/parts/status.schema.ts';
import { AGE_COLUMN, PHASE_COLUMN } from '../../../../constructs/schema/columns.ts';
import { defineKind } from '../../../../constructs/schema/kind.ts';
import type { Parsed } from '../../../../constructs/schema/types.ts';
import { existingStatus, openSpec, phase, text, texts } from '../schema.ts';

/** The phases that users of AIAgent know. */
export const PHASES = ['Running', 'Scaling', 'Error'] as const;

const replicas = z.int().min(1).max(100);

const spec = openSpec({
  model: text.describe('The model, by the name that its provider knows.'),
  replicas: replicas.describe('Number of replicas, where it is not scaled by its load.'),
  temperature: z.number().describe('How freely the model answers.').default(0.7),
  maxTokens: z.int().describe('The most tokens of an answer.').default(4096),
  image: text.describe('The image of the agent, which listens on port 8000.').optional(),
  tools: texts('Name of a tool.').describe('The tools that the agent may use.').optional(),
  autoscaling: openSpec({
    enabled: z.boolean().describe('Whether it is scaled by its load.').default(false),
    minReplicas: z.int().describe('The fewest replicas. Default: 1.').optional(),
    maxReplicas: z.int().describe('The most replicas. Default: 10, or replicas where that is more.').optional(),
  })
    .describe('Scales by the use of CPUs.')
    .optional(),
});

const status = existingStatus(
  {
    phase: phase(PHASES),
    readyReplicas: count.describe('Number of pods that take requests.').optional(),
    lastUpdated: time.describe('When anything else of this status last changed.').optional(),
  },
  agentServiceStatus,
);

/** The kind AIAgent. */
export const aiAgent = defineKind({
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
