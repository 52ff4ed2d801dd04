import {
  acceleratorNodeSelector,
  resourceRequirements,
  HOME_MOUNTS,
  HOME_VOLUMES,
  SHARED_MEMORY_MOUNT,
  SHARED_MEMORY_VOLUME,
  secure,
  mergePodTemplate,
} from '../parts/pod/index.ts';
import type { PodTemplatePatch } from '../parts/pod/index.ts';
import { identityLabels, labelsOf, namedLabels } from '../parts/objects/index.ts';
import type { Container, PodSpec, PodTemplate } from '../parts/objects/index.ts';
import { checkpointMount } from './checkpoint.ts';
import type { CheckpointMount } from './checkpoint.ts';
import { environmentOf } from './environment.ts';
import { MASTER_PORT } from './frameworks.ts';
import { gangOfPods } from './gang.ts';
import { MPI_MOUNTS, WORKER_COMMAND, mpiVolumes, sshPort, waitCommand } from './mpi.ts';
import { hasAliases } from './names.ts';
import type { Named } from './names.ts';
import { ATTEMPT, KIND_LABEL, ROLE_GATE, TRAINER, WAIT } from './parts.ts';
import type { Role } from './roles.ts';
import { tolerationsOf } from './tolerations.ts';

/** Seconds from the stop signal to the kill where there is nothing to save: Kubernetes' own default. */
const GRACE_SECONDS = 30;

/** The template of the pods of a role. */
export function podTemplateOf(training: Named, role: Role): PodTemplate {
  const { name, spec, attempt, naming } = training;
  const gang = gangOfPods(training);
  const template: PodTemplate = {
    metadata: {
      labels: {
        ...namedLabels(labelsOf({ kind: KIND_LABEL, name, component: role.name }), naming),
        ...gang.labels,
        ...identityLabels(spec.serviceAccount?.identity),
        [ATTEMPT]: String(attempt),
      },
      ...(gang.annotations && { annotations: gang.annotations }),
    },
    spec: podSpec(training, role, gang.schedulerName),
  };
  const merged = mergePodTemplate(template, patchFor(training, role));
  return { ...merged, spec: secure(merged.spec, spec.security, name) };
}

/** What the user says of the container that waits is about the launcher, which alone has it. */
function patchFor({ spec: { framework, podTemplate = {} } }: Named, role: Role): PodTemplatePatch {
  const { initContainers = [], ...rest } = podTemplate.spec ?? {};
  if (framework !== 'mpi' || role.name === 'launcher') return podTemplate;
  const others = initContainers.filter(({ name }) => name !== WAIT);
  return { ...podTemplate, spec: { ...rest, ...(others.length > 0 && { initContainers: others }) } };
}

function podSpec(training: Named, role: Role, schedulerName: string | undefined): PodSpec {
  const { name, spec } = training;
  const checkpoint = checkpointMount(training);
  const isMpi = spec.framework === 'mpi';
  const nodeSelector = { ...(role.computes && acceleratorNodeSelector(spec.resources)), ...spec.nodeSelector };
  return {
    restartPolicy: 'Never',
    ...(hasAliases(training) && { schedulingGates: [{ name: ROLE_GATE }] }),
    subdomain: name,
    ...(role.name === 'launcher' && { initContainers: [waitContainer(training)] }),
    containers: [trainer(training, role, checkpoint)],
    volumes: [...HOME_VOLUMES, SHARED_MEMORY_VOLUME, ...checkpoint.volumes, ...(isMpi ? mpiVolumes(training) : [])],
    terminationGracePeriodSeconds: spec.checkpoint?.graceSeconds ?? GRACE_SECONDS,
    tolerations: tolerationsOf(spec, role),
    ...(schedulerName !== undefined && { schedulerName }),
    ...(spec.imagePullSecrets && { imagePullSecrets: spec.imagePullSecrets }),
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(spec.priorityClassName !== undefined && { priorityClassName: spec.priorityClassName }),
    ...(spec.runtimeClassName !== undefined && { runtimeClassName: spec.runtimeClassName }),
  };
}

function trainer(training: Named, role: Role, checkpoint: CheckpointMount): Container {
  const { spec } = training;
  const isMpi = spec.framework === 'mpi';
  return {
    name: TRAINER,
    image: spec.image,
    ...commandOf(training, role),
    env: environmentOf(training, role.name, checkpoint.env),
    ports: [
      isMpi && role.name === 'worker' ? sshPort : { name: 'rendezvous', containerPort: MASTER_PORT, protocol: 'TCP' },
    ],
    resources: resourceRequirements(role.computes ? spec.resources : { ...spec.resources, gpu: 0 }),
    volumeMounts: [...HOME_MOUNTS, SHARED_MEMORY_MOUNT, ...checkpoint.mounts, ...(isMpi ? MPI_MOUNTS : [])],
    // The last words of a rank that fails, where an operator finds them.
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}

/** The user's command; MPI's workers only wait for what the launcher starts in them. */
function commandOf({ spec }: Named, role: Role): Pick<Container, 'command' | 'args'> {
  if (spec.framework === 'mpi' && role.name === 'worker') return { command: WORKER_COMMAND };
  return { ...(spec.command && { command: spec.command }), ...(spec.args && { args: spec.args }) };
}

const waitContainer = ({ spec }: Named): Container => ({
  name: WAIT,
  image: spec.image,
  command: waitCommand,
  volumeMounts: [...HOME_MOUNTS, ...MPI_MOUNTS],
  terminationMessagePolicy: 'FallbackToLogsOnError',
});
