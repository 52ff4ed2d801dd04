import type { Container, PodSpec, SecurityContext, Volume } from '../../constructs/parts/objects/kube.ts';

/** The kinds of volumes that the standard allows, as the API server's own admission has them. */
const VOLUMES = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

/**
 * What in a pod the `restricted` Pod Security Standard refuses, in its own terms.
 * See https://kubernetes.io/docs/concepts/security/pod-security-standards/.
 */
export function restrictedViolations(pod: PodSpec): readonly string[] {
  const containers = [...(pod.initContainers ?? []), ...pod.containers];
  const checks: readonly (readonly [string, boolean])[] = [
    ['host namespaces', Boolean(pod.hostNetwork) || Boolean(pod.hostPid) || Boolean(pod.hostIpc)],
    ['sysctls', (pod.securityContext?.sysctls ?? []).length > 0],
    ['runAsUser 0', pod.securityContext?.runAsUser === 0],
    ['Windows host process', Boolean(pod.securityContext?.windowsOptions?.hostProcess)],
    ['SELinux options of the pod', pod.securityContext?.seLinuxOptions !== undefined],
    ...(pod.volumes ?? []).map((volume) => [`volume ${volume.name}`, !isAllowed(volume)] as const),
    ...containers.flatMap((container) =>
      containerChecks(pod, container).map(([what, bad]) => [`${what} of container ${container.name}`, bad] as const),
    ),
  ];
  return checks.filter(([, bad]) => bad).map(([what]) => what);
}

function containerChecks(pod: PodSpec, container: Container): readonly (readonly [string, boolean])[] {
  const context: SecurityContext = container.securityContext ?? {};
  const seccomp = (context.seccompProfile ?? pod.securityContext?.seccompProfile)?.type;
  return [
    ['privileged', Boolean(context.privileged)],
    ['allowPrivilegeEscalation', context.allowPrivilegeEscalation !== false],
    ['capabilities.drop', !(context.capabilities?.drop ?? []).includes('ALL')],
    ['capabilities.add', (context.capabilities?.add ?? []).some((name) => name !== 'NET_BIND_SERVICE')],
    ['runAsNonRoot', (context.runAsNonRoot ?? pod.securityContext?.runAsNonRoot) !== true],
    ['runAsUser', context.runAsUser === 0],
    ['seccompProfile', seccomp !== 'RuntimeDefault' && seccomp !== 'Localhost'],
    ['procMount', context.procMount !== undefined && context.procMount !== 'Default'],
    ['seLinuxOptions', context.seLinuxOptions !== undefined],
    ['hostPort', (container.ports ?? []).some(({ hostPort }) => hostPort !== undefined && hostPort !== 0)],
  ];
}

const isAllowed = (volume: Volume): boolean =>
  Object.keys(volume).every((source) => source === 'name' || VOLUMES.has(source));
