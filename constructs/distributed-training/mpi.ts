import type { Container, EnvVar, Volume, VolumeMount } from '../parts/kube.ts';
import { SSH_PORT } from './frameworks.ts';
import { hostFilesName, hostOf, sshSecretName } from './names.ts';
import type { Named } from './names.ts';
import { HOSTS_VOLUME, SSH_VOLUME } from './parts.ts';
import { procsPerNodeOf } from './processes.ts';

const HOSTS_PATH = '/etc/trunnion/hosts';
const SSH_PATH = '/etc/trunnion/ssh';
const PRIVATE_KEY = `${SSH_PATH}/id`;

/** For Open MPI. */
const HOST_FILE = `${HOSTS_PATH}/hostfile`;
/** For MPICH and Intel MPI, which write the number of processes in another way. */
const MACHINE_FILE = `${HOSTS_PATH}/machinefile`;

/**
 * Arguments of ssh, instead of a file in the home: ssh looks for that in the home that the image's user has. Hosts are
 * new in each attempt, so there is nothing to check their keys against; that they hold the other key is checked.
 */
const SSH_ARGS = `-p ${SSH_PORT} -i ${PRIVATE_KEY} -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -o ConnectionAttempts=10`;

/** The variables by which each implementation of MPI finds the workers. */
export const LAUNCHER_ENV: readonly EnvVar[] = [
  { name: 'OMPI_MCA_orte_default_hostfile', value: HOST_FILE },
  { name: 'OMPI_MCA_orte_keep_fqdn_hostnames', value: 'true' },
  { name: 'OMPI_MCA_plm_rsh_args', value: SSH_ARGS },
  { name: 'PRTE_MCA_prte_default_hostfile', value: HOST_FILE },
  { name: 'PRTE_MCA_plm_ssh_args', value: SSH_ARGS },
  { name: 'HYDRA_HOST_FILE', value: MACHINE_FILE },
  { name: 'HYDRA_LAUNCHER_EXTRA_ARGS', value: SSH_ARGS },
  { name: 'I_MPI_HYDRA_HOST_FILE', value: MACHINE_FILE },
  { name: 'I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS', value: SSH_ARGS },
];

/** What workers run: an SSH server of an ordinary user, which lets in whoever has the key. */
export const WORKER_COMMAND: readonly string[] = [
  '/usr/sbin/sshd',
  '-D',
  '-e',
  '-p',
  String(SSH_PORT),
  '-h',
  PRIVATE_KEY,
  '-o',
  `AuthorizedKeysFile=${SSH_PATH}/authorized_keys`,
  '-o',
  'PidFile=none',
  '-o',
  'StrictModes=no',
  '-o',
  'UsePAM=no',
  '-o',
  'PasswordAuthentication=no',
];

/** What the launcher waits for: workers pull their image for as long as it takes, and mpirun gives up on the first that isn't there. */
export const waitCommand: readonly string[] = [
  'sh',
  '-ec',
  `cut -d' ' -f1 ${HOST_FILE} | while read -r host; do until ssh -n ${SSH_ARGS} "$host" true; do sleep 2; done; done`,
];

/** The lists of workers. */
export function hostFiles(training: Named): Readonly<Record<string, string>> {
  const slots = procsPerNodeOf(training.spec);
  const hosts = Array.from({ length: training.spec.replicas }, (_, index) => hostOf(training, 'worker', index));
  return {
    hostfile: hosts.map((host) => `${host} slots=${slots}\n`).join(''),
    machinefile: hosts.map((host) => `${host}:${slots}\n`).join(''),
  };
}

/** The volumes of the launcher and of workers. */
export const mpiVolumes = ({ name, spec }: Named): readonly Volume[] => [
  { name: HOSTS_VOLUME, configMap: { name: hostFilesName(name) } },
  {
    name: SSH_VOLUME,
    secret: {
      secretName: sshSecretName({ name, spec }),
      // Root's, and readable for the group of the pod: ssh minds the mode of keys only where they are the user's own.
      defaultMode: 0o440,
      items: [
        { key: 'ssh-privatekey', path: 'id' },
        { key: 'ssh-publickey', path: 'authorized_keys' },
      ],
    },
  },
];

export const MPI_MOUNTS: readonly VolumeMount[] = [
  { name: HOSTS_VOLUME, mountPath: HOSTS_PATH, readOnly: true },
  { name: SSH_VOLUME, mountPath: SSH_PATH, readOnly: true },
];

/** The port of the SSH server. */
export const sshPort: NonNullable<Container['ports']>[number] = {
  name: 'ssh',
  containerPort: SSH_PORT,
  protocol: 'TCP',
};
