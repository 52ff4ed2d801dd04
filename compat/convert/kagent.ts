import { agentService } from '../../constructs/agent-service/kind.ts';
import { reportLevel } from './confinement.ts';
import type { Reader } from './conversion.ts';
import { below, changed, same, taken, reported } from './fates.ts';
import type { Fates } from './fates.ts';
import type { Fields } from './fields.ts';
import { besideFates, containerFates, OWN_FIELDS, podFates, TEMPLATE_FIELDS } from './pod-fates.ts';
import type { MainContainer } from './pod-fates.ts';
import { podMetadata } from './pod-metadata.ts';
import { besides, carried, containerParts, given, podFieldsOf, podTemplateOf } from './pods.ts';
import { processingOf } from './resources.ts';

const CONTAINER = 'spec.podTemplate.spec.containers';

/** Where the fields of the container that answers go. */
const AGENT: MainContainer = {
  name: 'agent',
  to: {
    image: taken('spec.image'),
    command: taken(`${CONTAINER}.command`),
    args: taken(`${CONTAINER}.args`),
    env: taken('spec.env'),
  },
};

const POD = podFates(AGENT);
/** A deployment has no name of a container. */
const { name: _, ...CONTAINER_FATES } = containerFates(AGENT);
const LOCKED = POD['securityContext']!;

/** What happens to `deployment`, which has the fields of a pod and of its container side by side. */
export const deploymentFates: Fates = {
  ...same(OWN_FIELDS, (name) => `spec.${name}`),
  ...same(TEMPLATE_FIELDS, (name) => `spec.podTemplate.spec.${name}`),
  ...Object.fromEntries(Object.entries(POD).filter(([name]) => name.startsWith('volumes.'))),
  ...CONTAINER_FATES,
  cmd: changed(`${CONTAINER}.command`, 'takes the place of the entry point, as one word'),
  replicas: taken('spec.replicas'),
  deploymentAnnotations: reported('annotations of the Deployment reach no pod, and are not carried over'),
  labels: taken('spec.podTemplate.metadata.labels'),
  annotations: taken('spec.podTemplate.metadata.annotations'),
  securityContext: LOCKED,
  podSecurityContext: LOCKED,
  serviceAccountName: POD['serviceAccountName']!,
  'serviceAccountConfig.annotations': taken('spec.serviceAccount.annotations'),
  'serviceAccountConfig.labels': reported('labels of the ServiceAccount are those of Trunnion'),
  imageRegistry: reported('image names its registry'),
  port: reported('an agent listens on port 8000 here'),
  ...below('extraContainers', besideFates),
};

const OWN_IMAGE = reported("kagent's own image reads it: give yours what it needs by env");
const SHOWN = reported('is shown by kagent alone: put it into an annotation');

/** Fields of v1alpha1, which has no types: all its agents are run by kagent's own image. */
const EARLY: Fates = {
  ...below('spec.deployment', deploymentFates),
  'spec.systemMessage': OWN_IMAGE,
  'spec.memory': OWN_IMAGE,
  'spec.stream': OWN_IMAGE,
  'spec.modelConfig': reported('name the model by model, or by modelRef where a ModelServing serves it'),
  'spec.tools': reported('mcpServers needs the URL of the server'),
  'spec.a2aConfig': reported('the agent serves what its image serves'),
};

/** What happens to what an agent says beside its deployment. */
export const agentFates: Fates = {
  'spec.type': changed('spec.image'),
  'spec.description': reported('put it into an annotation'),
  'spec.documentationUrl': SHOWN,
  'spec.iconUrl': SHOWN,
  'spec.provider': SHOWN,
  'spec.version': SHOWN,
  'spec.allowedNamespaces': reported('anyone who reaches the Service may ask'),
  'spec.sandbox': reported('egress says what an agent may reach, by addresses and not by names'),
  'spec.skills': reported('put them into the image'),
  'spec.declarative': OWN_IMAGE,
  'spec.declarative.modelConfig': reported('name the model by model, or by modelRef where a ModelServing serves it'),
  'spec.declarative.tools': reported('mcpServers needs the URL of the server'),
  'spec.declarative.tools.mcpServer.toolNames': taken('spec.tools'),
  'spec.declarative.a2aConfig': reported('the agent serves what its image serves'),
  ...EARLY,
  ...below('spec.byo.deployment', deploymentFates),
  ...below('spec.declarative.deployment', deploymentFates),
};

/**
 * kagent's Agent: one of the user's own image has an equivalent; one that kagent's own image runs has only parts of it. Its
 * fields are those of kagent-dev/kagent v0.10.0-rc3, go/api/config/crd/bases/kagent.dev_agents.yaml.
 */
export const kagentAgent: Reader = {
  group: 'kagent.dev',
  kind: 'Agent',
  fates: agentFates,
  ownKeys: { 'kagent.dev/': 'is read by kagent alone' },
  read: readAgent,
};

/**
 * Reads an Agent, or a kind of the same fields.
 *
 * @param at - where its container is described, below its type
 */
export function readAgent(fields: Fields, at: 'deployment' | '' = 'deployment') {
  const type = typeOf(fields);
  const isEarly = fields.peek('spec.deployment') !== undefined;
  const deployment = isEarly ? fields.at('spec.deployment') : fields.at(`spec.${type}`).at(at);
  const pod = podFieldsOf(deployment, agentService);
  const command = deployment.text('cmd');
  const resources = processingOf(deployment.at('resources'), agentService);
  const container = {
    ...containerParts(deployment, agentService),
    ...(command !== undefined && { command: [command] }),
    ...carried(deployment, agentService, CONTAINER, ['args']),
    ...resources.template,
  };
  const metadata = podMetadata(deployment, agentService, {
    labels: [{ path: 'labels' }],
    annotations: [{ path: 'annotations' }],
  });
  if (type === 'byo') {
    fields.report(
      'spec.model',
      `name it; an agent listens on port 8000 here, and on ${at === '' ? 80 : 8080} under kagent`,
    );
    fields.report('spec.egress', 'say what it may reach: here that is nothing but names and the model of modelRef');
    reportLevel(fields);
  } else {
    fields.report('spec.image', "kagent's own image ran it: name one that does what the rest of it says");
  }
  return {
    kind: agentService,
    spec: {
      ...carried(deployment, agentService, 'spec', ['image']),
      ...given('tools', toolsOf(fields.items('spec.declarative.tools'))),
      ...given('replicas', deployment.number('replicas')),
      ...carried(deployment, agentService, 'spec', ['env']),
      resources: resources.own,
      ...pod.own,
      ...accountOf(deployment),
      ...podTemplateOf('agent', pod.template, container, {
        metadata,
        more: besides(deployment, deployment, agentService, 'extraContainers'),
      }),
    },
  };
}

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
  const account = carried(deployment.at('serviceAccountConfig'), agentService, 'spec.serviceAccount', ['annotations']);
  return Object.keys(account).length === 0 ? {} : { serviceAccount: account };
}
