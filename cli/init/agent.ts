import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { withAnswers } from './missing.ts';
import { writeResource, type OutputOptions } from './output.ts';

/** The options of `trunnion init agent`. */
export interface AgentOptions extends OutputOptions {
  readonly image?: string;
  readonly modelRef?: string;
  readonly model?: string;
}

/** Writes an AgentService. */
export async function initAgent(io: Io, name: string, options: AgentOptions): Promise<void> {
  const { model } = options;
  if (model !== undefined && options.modelRef !== undefined) {
    throw new UsageError('--model and --model-ref exclude each other: a ModelServing says by itself what it serves');
  }
  const [image = '', modelRef = ''] = await withAnswers(io, [
    {
      option: '--image',
      value: options.image,
      what: 'image with your agent, for instance registry.example.com/agent:1',
    },
    ...(model === undefined
      ? [{ option: '--model-ref', value: options.modelRef, what: 'name of the ModelServing that it asks (or --model)' }]
      : []),
  ]);
  const asked =
    model === undefined
      ? ['  modelRef:', `    name: ${JSON.stringify(modelRef)}`]
      : [
          `  model: ${JSON.stringify(model)}`,
          '  # What its host asks for, as variables from Secrets; and where it is: the agent may reach nothing else.',
          '  # credentials: [{env: OPENAI_API_KEY, secretName: openai, key: token}]',
          '  # egress: [{cidr: 203.0.113.0/24, ports: [443]}]',
        ];
  const all = [
    `# ${name}: it listens on port 8000, and ends its runs after SIGTERM.`,
    'apiVersion: trunnion.dev/v1alpha1',
    'kind: AgentService',
    'metadata:',
    `  name: ${JSON.stringify(name)}`,
    'spec:',
    `  image: ${JSON.stringify(image)}`,
    ...asked,
    '  resources:',
    '    # An agent waits for its model most of the time.',
    '    cpu: 500m',
    '    memory: 1Gi',
    '  replicas: 1',
  ];
  await writeResource(io, `${all.join('\n')}\n`, options);
}
