import { agentService } from '../../constructs/agent-service/kind.ts';
import type { Reader } from './conversion.ts';
import type { Fields } from './fields.ts';
import { carried, containerParts, given, podFieldsOf, podTemplateOf, processingOf } from './pods.ts';

/** kagent's Agent: one of the user's own image has an equal; one that kagent's own image runs has only parts of it. */
export const kagentAgent: Reader = {
  group: 'kagent.dev',
  kind: 'Agent',
  hints: {
    'spec.declarative.systemMessage': "kagent's own image reads it: give yours what it needs by env",
    'spec.declarative.modelConfig': 'name the model by model, or by modelRef where a ModelServing serves it',
    'spec.declarative.tools': 'mcpServers needs the URL of the server',
    'spec.declarative.a2aConfig': 'the agent serves what its image serves',
    'spec.skills': 'put them into the image',
    'spec.description': 'put it into an annotation',
    'spec.allowedNamespaces': 'whoever reaches the Service may ask',
    ...deploymentHints('spec.byo.deployment'),
    ...deploymentHints('spec.declarative.deployment'),
  },
  read(fields) {
    const type = typeOf(fields);
    const deployment = fields.at(`spec.${type}.deployment`);
    const pod = podFieldsOf(deployment);
    const command = deployment.text('cmd');
    const container = {
      ...containerParts(deployment),
      ...(command !== undefined && { command: [command] }),
      ...given('args', deployment.take('args')),
    };
    const metadata = carried(deployment, ['labels', 'annotations']);
    if (type === 'byo') {
      fields.tell('spec.model', 'name it; an agent listens on port 8000 here, and on 8080 under kagent');
      fields.tell('spec.egress', 'say what it may reach: here that is nothing but names and the model of modelRef');
    } else {
      fields.tell('spec.image', "kagent's own image ran it: name one that does what the rest of it says");
    }
    return {
      kind: agentService,
      spec: {
        ...given('image', deployment.take('image')),
        ...given('tools', toolsOf(fields.items('spec.declarative.tools'))),
        ...given('replicas', deployment.number('replicas')),
        ...given('env', deployment.take('env')),
        resources: processingOf(deployment.at('resources')),
        ...pod.own,
        ...accountOf(deployment),
        ...podTemplateOf('agent', pod.template, container, metadata),
      },
    };
  },
};

/** One of another type is left to be told. */
function typeOf(fields: Fields): 'byo' | 'declarative' {
  const type = fields.peek('spec.type');
  if (type === 'BYO' || type === 'Declarative') fields.take('spec.type');
  return type === 'BYO' ? 'byo' : 'declarative';
}

/** All of them, each once; undefined where there are none. */
function toolsOf(tools: readonly Fields[]): readonly string[] | undefined {
  const names = new Set(tools.flatMap((tool) => tool.texts('mcpServer.toolNames') ?? []));
  return names.size === 0 ? undefined : [...names];
}

function accountOf(deployment: Fields): object {
  const annotations = carried(deployment.at('serviceAccountConfig'), ['annotations']);
  return Object.keys(annotations).length === 0 ? {} : { serviceAccount: annotations };
}

function deploymentHints(path: string): Readonly<Record<string, string>> {
  return {
    [`${path}.securityContext`]: 'security.level says how pods are locked in',
    [`${path}.podSecurityContext`]: 'security.level says how pods are locked in',
    [`${path}.serviceAccountName`]:
      'a ServiceAccount of its own is made; give it what it needs by serviceAccount.annotations',
    [`${path}.imageRegistry`]: 'image names its registry',
    [`${path}.resources.limits.cpu`]: 'CPUs are requested and not limited',
    [`${path}.resources.requests.memory`]: 'memory is requested as it is limited',
  };
}
