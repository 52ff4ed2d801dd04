import {
  resourceRequirements,
  HOME_ENV,
  HOME_MOUNTS,
  HOME_VOLUMES,
  secure,
  mergePodTemplate,
  probes,
  PULL_SECONDS,
  drainBySleep,
  gracePeriodSeconds,
  SETTLE_SECONDS,
} from '../parts/pod/index.ts';
import type { ProbeAction } from '../parts/pod/index.ts';
import { identityLabels } from '../parts/objects/index.ts';
import type { Container, PodSpec, PodTemplate } from '../parts/objects/index.ts';
import { agentLabels, CONTAINER_PORT } from './render-input.ts';
import type { RenderInput } from './render-input.ts';
import { CONFIG_ANNOTATION, configHash, configOf, environmentOf } from './config.ts';
import { AGENT } from './rules.ts';
import type { AgentServiceSpec } from './spec.ts';

/** Seconds that an agent has to start: it loads a framework and connects, but no model. */
const STARTUP_SECONDS = 300;

/** Seconds without progress after which a rollout counts as stuck. */
export const ROLLOUT_SECONDS = PULL_SECONDS + STARTUP_SECONDS;

/** The template of the pods. */
export function podTemplate(input: RenderInput): PodTemplate {
  const { name, spec, referencesHash } = input;
  const annotations = {
    [CONFIG_ANNOTATION]: configHash(configOf(input)),
    ...(referencesHash !== undefined && { 'trunnion.dev/references': referencesHash }),
  };
  const labels = { ...agentLabels(input), ...identityLabels(spec.serviceAccount?.identity) };
  const template: PodTemplate = { metadata: { labels, annotations }, spec: podSpec(input) };
  const merged = mergePodTemplate(template, spec.podTemplate ?? {});
  return { ...merged, spec: secure(merged.spec, spec.security, name) };
}

function podSpec(input: RenderInput): PodSpec {
  const { spec } = input;
  const { nodeSelector = {}, tolerations = [] } = spec;
  return {
    containers: [container(input)],
    volumes: HOME_VOLUMES,
    terminationGracePeriodSeconds: gracePeriodSeconds(spec.drain.timeoutSeconds),
    ...(spec.imagePullSecrets && { imagePullSecrets: spec.imagePullSecrets }),
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerations.length > 0 && { tolerations }),
    ...(spec.priorityClassName !== undefined && { priorityClassName: spec.priorityClassName }),
    ...(spec.runtimeClassName !== undefined && { runtimeClassName: spec.runtimeClassName }),
  };
}

function container(input: RenderInput): Container {
  const { spec } = input;
  const seconds = Math.min(SETTLE_SECONDS, spec.drain.timeoutSeconds);
  const health = healthOf(spec);
  return {
    name: AGENT,
    image: spec.image,
    env: environmentOf(input, HOME_ENV),
    ports: [{ name: 'http', containerPort: CONTAINER_PORT, protocol: 'TCP' }],
    resources: resourceRequirements(spec.resources),
    ...probes(health, health, STARTUP_SECONDS),
    // The agent itself ends its runs after SIGTERM; before that, proxies must have learnt that it leaves.
    ...(seconds > 0 && { lifecycle: drainBySleep(seconds) }),
    volumeMounts: HOME_MOUNTS,
    // The last words of an agent that crashes, where an operator finds them.
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}

const healthOf = ({ healthPath }: AgentServiceSpec): ProbeAction =>
  healthPath === undefined ? { tcpSocket: { port: 'http' } } : { httpGet: { path: healthPath, port: 'http' } };
