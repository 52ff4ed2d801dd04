import type {
  Container,
  EnvVar,
  PodSecurityContext,
  PodSpec,
  SecurityContext,
  Volume,
  VolumeMount,
} from '../objects/index.ts';

/**
 * Hides the GPUs of a node from a container that asks for none. NVIDIA's runtime gives a container those that this variable
 * names, and its images have `all` in it: on a node without a taint a pod would see GPUs that other pods compute on. `void`
 * stands for a container that the runtime leaves as it is (nvidia-container-toolkit, internal/config/image/devices.go).
 *
 * It stands above a variable of `envFrom`, whose keys nobody knows here: a Secret of tokens is no word about GPUs, and without
 * ours its container would see all of a node's. Who wants GPUs beside other pods' says so by `env`.
 *
 * What asks for an extended resource may get its GPUs by it; its device plugin sets the variable.
 */
export function withoutGpus(container: Container): Container {
  const { env = [], resources } = container;
  const asked = Object.keys({ ...resources?.requests, ...resources?.limits });
  const isSet = env.some(({ name }) => name === NVIDIA_DEVICES);
  if (isSet || asked.some((name) => name.includes('/'))) return container;
  return { ...container, env: [...env, { name: NVIDIA_DEVICES, value: 'void' }] };
}

/** The variable by which NVIDIA's runtime is told the GPUs of a container. */
export const NVIDIA_DEVICES = 'NVIDIA_VISIBLE_DEVICES';

/** How far pods are locked in: see `security.level` of the schema. */
export type SecurityLevel = 'restricted' | 'baseline' | 'rdma';

/** How far pods are locked in, and as whom they run: `spec.security` of every kind. */
export interface Security {
  readonly level: SecurityLevel;
  /** Who chooses the numbers: the fields below with their defaults, or the cluster. */
  readonly ids?: 'fixed' | 'cluster' | undefined;
  readonly runAsUser?: number | undefined;
  readonly runAsGroup?: number | undefined;
  readonly fsGroup?: number | undefined;
  readonly supplementalGroups?: readonly number[] | undefined;
}

/**
 * The user and group that pods run as. The `restricted` standard needs a number where an image names none; 1000 is the
 * first ordinary user in Debian's and Ubuntu's images, so that most of them have a name for it.
 */
const RUN_AS_ID = 1000;

/** Where a pod may write as any user. */
export const HOME = '/home/trunnion';

/**
 * The variables that lead caches to the home: Triton kernels, torch.compile, FlashInfer, matplotlib. Python's
 * `getpass.getuser()`, which torch calls, fails for a numeric user without a name, unless `USER` is set.
 */
export const HOME_ENV: readonly EnvVar[] = [
  { name: 'HOME', value: HOME },
  { name: 'XDG_CACHE_HOME', value: `${HOME}/.cache` },
  { name: 'USER', value: 'trunnion' },
];

/** What is mounted so that a pod may write as any user. */
export const HOME_MOUNTS: readonly VolumeMount[] = [
  { name: 'home', mountPath: HOME },
  { name: 'tmp', mountPath: '/tmp' },
];

export const HOME_VOLUMES: readonly Volume[] = [
  { name: 'home', emptyDir: {} },
  { name: 'tmp', emptyDir: {} },
];

/** Processes that share tensors do so in /dev/shm, of which a container gets 64 MiB by default. */
export const SHARED_MEMORY_MOUNT: VolumeMount = { name: 'shm', mountPath: '/dev/shm' };

/** Counted against the memory limit of the pod, as far as it is used. */
export const SHARED_MEMORY_VOLUME: Volume = { name: 'shm', emptyDir: { medium: 'Memory' } };

/** The fields of a pod that its user has no say in but by `security`. Put on last, over all that was merged. */
export function secure(spec: PodSpec, security: Security, serviceAccountName: string): PodSpec {
  return {
    ...spec,
    serviceAccountName,
    automountServiceAccountToken: false,
    // The variables of a Service named vllm set VLLM_PORT to a URL, on which every vLLM after it ends (vLLM 0.30.0, envs.py,
    // get_vllm_port); those of one named master do so to TGI and torchrun by MASTER_PORT. Pods find Services by DNS.
    enableServiceLinks: false,
    securityContext: podContext(security),
    containers: spec.containers.map((container) => secureContainer(container, security.level)),
    ...(spec.initContainers && {
      initContainers: spec.initContainers.map((container) => secureContainer(container, security.level)),
    }),
  };
}

const secureContainer = (container: Container, level: SecurityLevel): Container => ({
  ...withoutGpus(container),
  securityContext: containerContexts[level],
});

function podContext(security: Security): PodSecurityContext {
  return {
    ...(security.level === 'restricted' && { runAsNonRoot: true }),
    ...(security.ids !== 'cluster' && idsOf(security)),
    // Without it, each mount of a volume with a large model walks through all of its files first.
    fsGroupChangePolicy: 'OnRootMismatch',
    seccompProfile: { type: 'RuntimeDefault' },
  };
}

function idsOf({ level, supplementalGroups, ...given }: Security): PodSecurityContext {
  const ordinary = level === 'restricted' ? RUN_AS_ID : undefined;
  const { runAsUser = ordinary, runAsGroup = ordinary, fsGroup = RUN_AS_ID } = given;
  return {
    ...(runAsUser !== undefined && { runAsUser }),
    ...(runAsGroup !== undefined && { runAsGroup }),
    fsGroup,
    ...(supplementalGroups !== undefined && { supplementalGroups }),
  };
}

const baseline: SecurityContext = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: false };

const containerContexts: Readonly<Record<SecurityLevel, SecurityContext>> = {
  restricted: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    // nvidia-cdi-hook writes into the root of a container that gets a GPU; a read-only root stops the pod.
    readOnlyRootFilesystem: false,
  },
  // Root of an image needs its capabilities to become another user or to own files.
  baseline,
  // NCCL and UCX register memory with the network card, which the limit of locked memory counts; IPC_LOCK lifts the limit.
  rdma: { ...baseline, capabilities: { add: ['IPC_LOCK'] } },
};
