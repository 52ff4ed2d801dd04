import type { Container, EnvVar, Volume, VolumeMount } from '../parts/objects/index.ts';
import { HOME } from '../parts/pod/index.ts';
import { SSH_PORT } from './frameworks.ts';
import { hostFilesName, hostOf, sshSecretName } from './names.ts';
import type { Named } from './names.ts';
import { HOSTS_VOLUME, SSH_VOLUME } from './parts.ts';
import { procsPerNodeOf } from './processes.ts';

const HOSTS_PATH = '/etc/trunnion/hosts';
const SSH_PATH = '/etc/trunnion/ssh';
/**
 * A copy of the key that is the user's own, in a volume that the launcher's init container and its program share. OpenSSH
 * refuses a key that others may read where the user owns it (authfile.c, sshkey_perm_ok), which root does that of the Secret.
 */
const PRIVATE_KEY = `${HOME}/.trunnion-ssh-key`;
const COPY_KEY = `(umask 077; cat ${SSH_PATH}/id > ${PRIVATE_KEY})`;

/** For Open MPI. */
export const HOST_FILE = `${HOSTS_PATH}/hostfile`;
/** For MPICH and Intel MPI, which write the number of processes in another way. */
export const MACHINE_FILE = `${HOSTS_PATH}/machinefile`;

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

/** What the SSH server of workers is started with: it lets in anyone who has the key. */
const SSHD: readonly string[] = [
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

/**
 * What workers run: an SSH server of the pod's user. That of root needs a folder of its own, which images of Debian and
 * Ubuntu lack until their init system makes it.
 */
export const WORKER_COMMAND: readonly string[] = [
  'sh',
  '-ec',
  `if [ "$(id -u)" = 0 ]; then mkdir -p /run/sshd; fi
${COPY_KEY}
exec ${SSHD.join(' ')}`,
];

/**
 * What ssh says, behind its exit code, that no waiting fixes, as patterns of the shell, and what to do (run with OpenSSH 9.2p1 and
 * dash 0.5.12): ssh looks for its own user before anything else.
 */
const HOPELESS: readonly (readonly [pattern: string, advice: string])[] = [
  ['"127 "*|"126 "*', 'The image has no ssh that the launcher can run: install an OpenSSH client and server in it.'],
  [
    '*"No user exists for uid"*',
    'The image has no user with the number that the pod runs as, and ssh needs one: add it to the image, for instance RUN useradd --create-home --uid "$(id -u)" mpi, or set security.level to baseline, where the image says who runs it.',
  ],
  [
    '*"Load key "*',
    'The key ssh-privatekey of the Secret that mpi.sshSecretName names can not be used: make a key pair without a passphrase, for instance ssh-keygen -t ed25519 -N "".',
  ],
  ['*"Bad configuration option"*', 'The ssh of the image is no OpenSSH, or too old: install one.'],
];

/** How often a worker may refuse the launcher before it counts as its last word: its server may be starting. */
const MOST_REFUSALS = 15;

const hopelessCases = HOPELESS.map(
  ([pattern, advice]) => `    ${pattern}) give_up '${advice.replaceAll('"$(id -u)"', `'"$(id -u)"'`)}' ;;`,
).join('\n');

/**
 * What the launcher waits for: workers pull their image for as long as it takes, and mpirun gives up on the first that
 * isn't there. It gives up where no waiting fixes what is wrong; what ssh says is printed once.
 */
export const waitCommand: readonly string[] = [
  'sh',
  '-ec',
  `give_up() { echo "Gave up waiting for $host: $said. $1" >&2; exit 1; }
${COPY_KEY}
cut -d' ' -f1 ${HOST_FILE} | while read -r host; do
  last= refusals=0
  until said=$(ssh -n ${SSH_ARGS} "$host" true 2>&1); do
    code=$?
    if [ "$said" != "$last" ]; then echo "$host: $said" >&2; last=$said; fi
    case "$code $said" in
${hopelessCases}
    *"Permission denied ("*)
      refusals=$((refusals + 1))
      if [ $refusals -ge ${MOST_REFUSALS} ]; then give_up 'The worker does not take the key: its image must let the user of the pod log in with a key, and not lock it.'; fi ;;
    esac
    sleep 2
  done
done`,
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
      // Root's, and readable for the group of the pod, so that each user can copy it.
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
