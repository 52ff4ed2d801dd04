/** One program in three languages: a model, an agent that asks it, and a secret. */
import { randomBytes } from 'node:crypto';
import { kubectl } from '../../cluster/support/client.ts';
import type { Step } from './events.ts';
import { installSdk, otherProject, userProject, type Project } from './project.ts';

/** A program of a language, in a namespace. */
export type Program = (namespace: string) => Project;

const manifest = (runtime: string): string => `
name: user
runtime: ${runtime}
plugins:
  providers:
    - name: trunnion
      path: node_modules/.bin
`;

/** The program of YAML; `more` are lines of the model's spec. */
export const yamlProgram =
  (more = ''): Program =>
  (namespace) =>
    otherProject({
      'Pulumi.yaml': `${manifest('yaml')}
resources:
  llama:
    type: trunnion:ModelServing
    properties:
      namespace: ${namespace}
      spec:
        model: { uri: hf://Qwen/Qwen2.5-0.5B-Instruct@main }
        storage: { size: 4Gi, accessMode: ReadWriteMany }
        engine: { type: vllm, args: [--max-model-len=4096] }
        resources: { gpu: 1, cpu: 1, memory: 1Gi }
        replicas: 1
        env:
          - { name: CANARY, value: { fn::secret: hush-hush } }
${more}
  agent:
    type: trunnion:AgentService
    properties:
      namespace: ${namespace}
      spec:
        image: agent:1
        model: \${llama.source}
        resources: { cpu: 100m, memory: 64Mi }
        replicas: 1
outputs:
  endpoint: \${llama.endpoint}
  agent: \${agent.endpoint}
`,
    });

/** The program of Python; `more` are lines of the model's spec, and `sdk` is the folder of its classes. */
export const pythonProgram =
  (sdk: string, more = ''): Program =>
  (namespace) => {
    const project = otherProject({
      'Pulumi.yaml': manifest('python'),
      '__main__.py': `
import pulumi
import pulumi_trunnion as trunnion

llama = trunnion.ModelServing(
    "llama",
    namespace="${namespace}",
    spec={
        "model": {"uri": "hf://Qwen/Qwen2.5-0.5B-Instruct@main"},
        "storage": {"size": "4Gi", "access_mode": "ReadWriteMany"},
        "engine": trunnion.ModelServingEngineArgs(
            type=trunnion.ModelServingEngineType.VLLM, args=["--max-model-len=4096"]
        ),
        "resources": {"gpu": 1, "cpu": 1, "memory": "1Gi"},
        "replicas": 1,
        "env": [{"name": "CANARY", "value": pulumi.Output.secret("hush-hush")}],
        ${more}
    },
)
agent = trunnion.AgentService(
    "agent",
    namespace="${namespace}",
    spec={
        "image": "agent:1",
        "model": llama.source,
        "resources": {"cpu": "100m", "memory": "64Mi"},
        "replicas": 1,
    },
)
pulumi.export("endpoint", llama.endpoint)
pulumi.export("agent", agent.endpoint)
`,
    });
    installSdk(project, sdk);
    return project;
  };

/** The program of TypeScript, with which the others are compared. */
export const typescriptProgram: Program = (namespace) =>
  userProject(`
import * as pulumi from '@pulumi/pulumi';
import { AgentService, ModelServing } from 'trunnion/pulumi';

const llama = new ModelServing('llama', {
  namespace: '${namespace}',
  spec: {
    model: { uri: 'hf://Qwen/Qwen2.5-0.5B-Instruct@main' },
    storage: { size: '4Gi', accessMode: 'ReadWriteMany' },
    engine: { type: 'vllm', args: ['--max-model-len=4096'] },
    resources: { gpu: 1, cpu: 1, memory: '1Gi' },
    replicas: 1,
    env: [{ name: 'CANARY', value: pulumi.secret('hush-hush') }],
  },
});
const agent = new AgentService('agent', {
  namespace: '${namespace}',
  spec: { image: 'agent:1', model: llama, resources: { cpu: '100m', memory: '64Mi' }, replicas: 1 },
});
export const endpoint = llama.endpoint;
const agentEndpoint = agent.endpoint;
export { agentEndpoint as agent };
`);

/** A namespace that no other test has. */
export async function freshNamespace(language: string): Promise<string> {
  const namespace = `in-${language}-${randomBytes(4).toString('hex')}`;
  await kubectl('create', 'namespace', namespace);
  return namespace;
}

/** What an operation does with the objects of Kubernetes and with components, by their logical names. */
export const objectsOf = (steps: readonly Step[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    steps
      .filter(({ type }) => type.startsWith('kubernetes:') || type.startsWith('trunnion:'))
      // Only the program of another language tells the engine the inputs of a component.
      .map(({ op, name, type, inputs }) => [name, { op, type, ...(type.startsWith('kubernetes:') && { inputs }) }]),
  );
