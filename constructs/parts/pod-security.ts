import type { Container, EnvVar, PodSecurityContext, PodSpec, SecurityContext, Volume, VolumeMount } from './kube.ts';
import { withoutGpus } from './no-gpu.ts';

/** The Pod Security Standard that pods keep to. */
export type SecurityLevel = 'restricted' | 'baseline';

/**
 * The user and group that pods run as. The `restricted` standard needs a number where an image names none; 1000 is the
 * first ordinary user in Debian's and Ubuntu's images, so that most of them have a name for it.
 */
export const RUN_AS_ID = 1000;

/** Where a pod may write, whoever it runs as. */
const HOME = '/home/trunnion';

/**
 * The variables that lead caches to the home: Triton kernels, torch.compile, FlashInfer, matplotlib. Python's
 * `getpass.getuser()`, which torch calls, fails for a numeric user without a name, unless `USER` is set.
 */
export const HOME_ENV: readonly EnvVar[] = [
  { name: 'HOME', value: HOME },
  { name: 'XDG_CACHE_HOME', value: `${HOME}/.cache` },
  { name: 'USER', value: 'trunnion' },
];

/** What is mounted so that a pod may write whoever it runs as. */
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

/** The fields of a pod that its user has no say in. Put on last, over all that was merged. */
export function secure(spec: PodSpec, level: SecurityLevel, serviceAccountName: string): PodSpec {
  return {
    ...spec,
    serviceAccountName,
    automountServiceAccountToken: false,
    // The variables of a Service named vllm set VLLM_PORT to a URL, on which every vLLM after it ends (vLLM 0.30.0, envs.py,
    // get_vllm_port); those of one named master do so to TGI and torchrun by MASTER_PORT. Pods find Services by DNS.
    enableServiceLinks: false,
    securityContext: podContexts[level],
    containers: spec.containers.map((container) => secureContainer(container, level)),
    ...(spec.initContainers && {
      initContainers: spec.initContainers.map((container) => secureContainer(container, level)),
    }),
  };
}

const secureContainer = (container: Container, level: SecurityLevel): Container => ({
  ...withoutGpus(container),
  securityContext: containerContexts[level],
});

const seccompProfile = { type: 'RuntimeDefault' };

const podContexts: Readonly<Record<SecurityLevel, PodSecurityContext>> = {
  restricted: {
    runAsNonRoot: true,
    runAsUser: RUN_AS_ID,
    runAsGroup: RUN_AS_ID,
    fsGroup: RUN_AS_ID,
    // Without it, each mount of a volume with a large model walks through all of its files first.
    fsGroupChangePolicy: 'OnRootMismatch',
    seccompProfile,
  },
  baseline: { fsGroup: RUN_AS_ID, fsGroupChangePolicy: 'OnRootMismatch', seccompProfile },
};

const containerContexts: Readonly<Record<SecurityLevel, SecurityContext>> = {
  restricted: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    // nvidia-cdi-hook writes into the root of a container that gets a GPU; a read-only root stops the pod.
    readOnlyRootFilesystem: false,
  },
  // Root of an image needs its capabilities to become another user or to own files.
  baseline: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: false },
};
