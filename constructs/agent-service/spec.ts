import * as z from 'zod';
import { boundsInOrder, cpuPercent, replicaBounds, replicas } from '../parts/scaling/schema.ts';
import { image, notReserved, RESERVED_ENV, variableName, podFields, baseResources } from '../parts/pod/schema.ts';
import { expose } from '../parts/network/schema.ts';
import { httpPath, labelName, objectName, port } from '../parts/objects/schema.ts';
import { withRules } from '../schema/rules.ts';
import type { Parsed } from '../schema/types.ts';
import { hostNotes } from './hosts.ts';
import { queue } from './queue.schema.ts';
import { autoscalingRules, specRules, targetsRules } from './rules.ts';
import { VARIABLES } from './variables.ts';

const modelName = withRules(z.string().min(1).max(256), {
  rule: "self.matches('^[!-~]+$')",
  message: 'must be the name of a model, without spaces: gpt-4o, meta-llama/Llama-3.1-8B-Instruct',
});

const tool = withRules(z.string().min(1).max(128), {
  rule: "self.matches('^[-A-Za-z0-9._/:@]+$')",
  message: 'must be the name of a tool: letters, digits, "-", ".", "_", "/", ":" and "@"; commas separate tools',
});

const mcpServer = z.strictObject({
  name: labelName.describe('Its name among the servers of this agent.'),
  url: withRules(z.string().min(1).max(1024), {
    rule: "self.matches('^https?://[^/@ ?#]+(/[^ #]*)?$')",
    message: 'must be an http or https URL without user and fragment: http://tickets.agents.svc:8080/mcp',
  }).describe(
    'Where it answers. A Service (NAME.NAMESPACE.svc, or NAME alone for the same namespace) may be reached without more; other hosts need spec.egress.',
  ),
  targetPort: port
    .describe(
      "The port that the pods behind a Service listen on: it is pods' ports that a NetworkPolicy sees. Default: the port of the URL; any port where the URL names none.",
    )
    .optional(),
});

const credential = withRules(
  z.strictObject({
    env: variableName.describe('Name of the variable.'),
    secretName: objectName.describe('Name of a Secret of the same namespace.'),
    key: z.string().min(1).max(253).describe('The key whose value to take.'),
  }),
  notReserved('env', [...new Set([...RESERVED_ENV, ...Object.keys(VARIABLES)])]),
);

const targets = withRules(
  z.strictObject({
    cpuPercent: cpuPercent.optional(),
    queueDepth: z
      .int()
      .min(1)
      .max(100_000)
      .describe('Tasks that wait in the queue, on average for each replica. Needs queue, and KEDA in the cluster.')
      .optional(),
  }),
  ...targetsRules,
);

const autoscaling = withRules(
  z.strictObject({
    minReplicas: z
      .int()
      .min(0)
      .max(1000)
      .describe('The fewest replicas. 0, with queueDepth alone to go by, stops all of them while the queue is empty.')
      .default(1),
    maxReplicas: replicaBounds.maxReplicas,
    targets: targets.describe('What to hold; where there are both, the one that needs most replicas counts.'),
    queue: queue.describe('What queueDepth counts.').optional(),
  }),
  boundsInOrder,
  ...autoscalingRules,
);

/** The schema of `spec`. */
export const agentServiceSpec = withRules(
  z.strictObject({
    image: image.describe('The image of the agent. It listens on port 8000, and ends its runs after SIGTERM.'),
    model: modelName.describe('The model, by the name that its provider knows, as MODEL_NAME.').optional(),
    modelRef: z
      .strictObject({ name: objectName.describe('Name of a ModelServing of the same namespace.') })
      .describe(
        'The model, where a ModelServing serves it: the name that it is served under as MODEL_NAME, its address as OPENAI_BASE_URL, and leave to reach it.',
      )
      .meta({ hosts: hostNotes.modelRef })
      .optional(),
    temperature: z
      .number()
      .min(0)
      .max(2)
      .describe("How freely the model answers, as TEMPERATURE. Default: the agent's own.")
      .optional(),
    maxTokens: z
      .int()
      .min(1)
      .max(10_000_000)
      .describe("The most tokens of an answer, as MAX_TOKENS. Default: the agent's own.")
      .optional(),
    tools: z
      .array(tool.describe('Name of a tool.'))
      .max(64)
      .describe('The tools that the agent may use, as TOOLS, separated by commas.')
      .meta({ 'x-kubernetes-list-type': 'set' })
      .optional(),
    mcpServers: z
      .array(mcpServer)
      .max(32)
      .describe('The MCP servers that the agent may use, as MCP_SERVERS: a JSON list of objects with name and url.')
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
      .optional(),
    credentials: z
      .array(credential)
      .max(32)
      .describe('Keys of Secrets that the agent gets as environment variables.')
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['env'], hosts: hostNotes.secret })
      .optional(),
    resources: baseResources.describe('What one replica gets.').prefault({}),
    replicas: replicas.optional(),
    autoscaling: autoscaling.describe('Scales by itself; never with replicas.').optional(),
    healthPath: httpPath
      .describe('The HTTP path that answers 200 when the agent can work. Default: its port must accept connections.')
      .optional(),
    drain: z
      .strictObject({
        timeoutSeconds: z
          .int()
          .min(0)
          .max(3600)
          .describe(
            'Seconds that the longest run of the agent takes. A replica that stops has as long to end its runs, and no replica is given up before the load has been low for as long, at least five minutes.',
          )
          .default(600),
      })
      .describe('How a replica stops.')
      .prefault({}),
    expose: expose.describe('How it is reached from outside of the cluster. Default: not at all.').optional(),
    ...podFields,
    env: podFields.env.unwrap().describe('Environment variables of the agent.').optional(),
    nodeSelector: podFields.nodeSelector.unwrap().describe('Labels that a node must have.').optional(),
    tolerations: podFields.tolerations.unwrap().describe('Taints to tolerate.').optional(),
    egress: podFields.egress
      .unwrap()
      .describe(
        'What the pods may reach beside DNS, the model of modelRef, and the MCP servers and the queue of the cluster.',
      )
      .optional(),
  }),
  ...specRules,
);

/** What a user writes: what has a default may be left out. */
export type AgentServiceSpecInput = Parsed<z.input<typeof agentServiceSpec>>;

/** What `parseSpec` gives: valid, with defaults. */
export type AgentServiceSpec = Parsed<z.output<typeof agentServiceSpec>>;
