import { agentService } from '../../constructs/agent-service/kind.ts';
import type { Reader } from './conversion.ts';
import type { Fields } from './fields.ts';
import { containerParts, given, podFieldsOf, podTemplateOf, resourcesOf } from './pods.ts';

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
    const type = fields.take('spec.type') === 'BYO' ? 'byo' : 'declarative';
    const deployment = fields.at(`spec.${type}.deployment`);
    const pod = podFieldsOf(deployment);
    const command = deployment.take('cmd');
    const container = {
      ...containerParts(deployment),
      ...(command !== undefined && { command: [command] }),
      ...given('args', deployment.take('args')),
    };
    const metadata = {
      ...given('labels', deployment.take('labels')),
      ...given('annotations', deployment.take('annotations')),
    };
    if (type === 'byo') {
      fields.note(
        'spec.byo',
        'an agent listens on port 8000 here, and on 8080 under kagent: name the model, and what it may reach by egress',
      );
    } else {
      fields.note('spec.declarative', "kagent's own image ran it: name an image that does what it says");
    }
    return {
      kind: agentService,
      spec: {
        ...given('image', deployment.take('image')),
        ...given('tools', toolsOf(fields.items('spec.declarative.tools'))),
        ...given('replicas', deployment.number('replicas')),
        ...given('env', deployment.take('env')),
        resources: resourcesOf(deployment.at('resources'), false),
        ...pod.own,
        ...accountOf(deployment),
        ...podTemplateOf('agent', pod.template, container, metadata),
      },
    };
  },
};

const toolsOf = (tools: readonly Fields[]): readonly unknown[] => [
  ...new Set(tools.flatMap((tool) => (tool.take('mcpServer.toolNames') as readonly unknown[] | undefined) ?? [])),
];

function accountOf(deployment: Fields): object {
  const annotations = deployment.take('serviceAccountConfig.annotations');
  return annotations === undefined ? {} : { serviceAccount: { annotations } };
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
