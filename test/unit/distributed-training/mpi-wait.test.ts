import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { podOf } from './support/render.ts';

const mpi = {
  framework: 'mpi',
  image: 'mpi:1',
  command: ['mpirun', 'train'],
  replicas: 2,
  mpi: { sshSecretName: 'key' },
} as const;
const HOST_FILE = '/etc/trunnion/hosts/hostfile';
const SECRET_KEY = '/etc/trunnion/ssh/id';
const OWN_KEY = '/home/trunnion/.trunnion-ssh-key';

/** The refusal of OpenSSH 9.2p1, authfile.c, sshkey_perm_ok: of a key that its user owns and others may read. */
const REFUSES_OPEN_KEY =
  'case $(/usr/bin/stat -c %a "$key") in *00) ;; *) echo "Permissions are too open." >&2; exit 255 ;; esac';

/**
 * Runs what the launcher's init container runs, with a program of ours instead of ssh, or none; pauses take no time.
 * The fake ssh counts its calls and says what is given, with that exit code, until call number `until`.
 */
function wait(ssh?: { readonly message: string; readonly code: number; readonly until?: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'mpi-wait-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = (name: string, lines: readonly string[]) => {
    writeFileSync(join(folder, name), ['#!/bin/sh', ...lines, ''].join('\n'));
    chmodSync(join(folder, name), 0o755);
  };
  const calls = join(folder, 'calls');
  writeFileSync(calls, '');
  writeFileSync(join(folder, 'hostfile'), 'worker-0.mpi slots=1\nworker-1.mpi slots=1\n');
  program('sleep', []);
  program('cut', [`exec /usr/bin/cut "$@"`]);
  program('cat', [`exec /usr/bin/cat "$@"`]);
  const key = join(folder, 'own-key');
  writeFileSync(join(folder, 'secret-key'), 'key\n', { mode: 0o440 });
  if (ssh) {
    const { message, code, until = 1000 } = ssh;
    program('ssh', [
      `key=${key}`,
      REFUSES_OPEN_KEY,
      `echo x >> ${calls}`,
      `[ $(/usr/bin/wc -l < ${calls}) -ge ${until} ] && exit 0`,
      `echo '${message}' >&2`,
      `exit ${code}`,
    ]);
  }
  const [container] = podOf(mpi, 'launcher').initContainers ?? [];
  const [, flags = '', script = ''] = container?.command ?? [];
  const here = script
    .replaceAll(HOST_FILE, join(folder, 'hostfile'))
    .replaceAll(SECRET_KEY, join(folder, 'secret-key'))
    .replaceAll(OWN_KEY, key);
  const { status, stderr } = spawnSync('/bin/sh', [flags, here], {
    env: { PATH: folder },
    encoding: 'utf8',
  });
  return { container, status, stderr, calls: readFileSync(calls, 'utf8').length / 2 };
}

describe('the launcher of MPI waits for its workers', () => {
  it('as long as they only are not there yet, and says why once', () => {
    const { status, stderr, calls } = wait({
      message: 'Could not resolve hostname worker-0.mpi',
      code: 255,
      until: 40,
    });
    expect(status).toBe(0);
    expect(stderr).toBe('worker-0.mpi: Could not resolve hostname worker-0.mpi\n');
    expect(calls, 'the second worker is there at once').toBe(41);
  });

  // Words of OpenSSH 9.2p1: ssh.c, sshkey.c and readconf.c.
  it.each([
    ['its user has no entry in passwd', 'No user exists for uid 1000', 'no user with the number'],
    [
      'its key can not be read',
      'Load key "/home/trunnion/.trunnion-ssh-key": error in libcrypto',
      'ssh-keygen -t ed25519',
    ],
    ['its ssh knows no such option', 'command-line: line 0: Bad configuration option: logverbose', 'install one'],
  ])('and gives up where %s', (_, message, advice) => {
    const { status, stderr, calls } = wait({ message, code: 255 });
    expect(status).toBe(1);
    expect(calls).toBe(1);
    expect(stderr).toContain(`Gave up waiting for worker-0.mpi: ${message}. `);
    expect(stderr).toContain(advice);
  });

  it('and gives up where its image has no ssh', () => {
    const { status, stderr } = wait();
    expect(status).toBe(1);
    expect(stderr).toContain('install an OpenSSH client and server');
  });

  it('and gives up where a worker does not take its key, again and again', () => {
    const { status, calls } = wait({ message: 'trunnion@worker-0.mpi: Permission denied (publickey).', code: 255 });
    expect([status, calls]).toEqual([1, 15]);
  });

  it('but continues where a network refuses it for now', () => {
    const message = 'ssh: connect to host worker-0.mpi port 2222: Permission denied';
    expect(wait({ message, code: 255, until: 40 }).status).toBe(0);
  });

  it('and leaves its last words for the status', () => {
    expect(wait().container?.terminationMessagePolicy).toBe('FallbackToLogsOnError');
  });
});

test('a worker starts its SSH server with a copy of the key that OpenSSH takes from its owner, root too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mpi-worker-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [secret, own, sshd] = ['secret-key', 'own-key', 'sshd'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(secret, 'key\n', { mode: 0o440 });
  writeFileSync(sshd, `#!/bin/sh\nkey=${own}\n${REFUSES_OPEN_KEY}\necho "$@"; exec cat "$key"\n`, { mode: 0o755 });
  const [, flags = '', script = ''] = podOf(mpi, 'worker').containers[0]?.command ?? [];
  const here = script
    .replaceAll(SECRET_KEY, secret)
    .replaceAll(OWN_KEY, own)
    .replaceAll('/usr/sbin/sshd', sshd)
    .replaceAll('/run/sshd', join(folder, 'run'));
  const { status, stdout, stderr } = spawnSync('/bin/sh', [flags, here], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/ -h \S+own-key .*\nkey\n$/);
});
