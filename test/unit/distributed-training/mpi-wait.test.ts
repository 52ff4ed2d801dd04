import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { podOf } from './support/render.ts';

const mpi = {
  framework: 'mpi',
  image: 'mpi:1',
  command: ['mpirun', 'train'],
  replicas: 2,
  mpi: { sshSecretName: 'key' },
} as const;
const HOST_FILE = '/etc/trunnion/hosts/hostfile';

/**
 * Runs what the launcher's init container runs, with a program of ours in the place of ssh, or none; pauses take no time.
 * The fake ssh counts its calls and says what is given, with that exit code, until call number `until`.
 */
function wait(ssh?: { readonly says: string; readonly code: number; readonly until?: number }) {
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
  if (ssh) {
    const { says, code, until = 1000 } = ssh;
    program('ssh', [
      `echo x >> ${calls}`,
      `[ $(/usr/bin/wc -l < ${calls}) -ge ${until} ] && exit 0`,
      `echo '${says}' >&2`,
      `exit ${code}`,
    ]);
  }
  const [container] = podOf(mpi, 'launcher').initContainers ?? [];
  const [, flags = '', script = ''] = container?.command ?? [];
  const { status, stderr } = spawnSync('/bin/sh', [flags, script.replaceAll(HOST_FILE, join(folder, 'hostfile'))], {
    env: { PATH: folder },
    encoding: 'utf8',
  });
  return { container, status, stderr, calls: readFileSync(calls, 'utf8').length / 2 };
}

describe('the launcher of MPI waits for its workers', () => {
  it('as long as they only are not there yet, and says why once', () => {
    const { status, stderr, calls } = wait({ says: 'Could not resolve hostname worker-0.mpi', code: 255, until: 40 });
    expect(status).toBe(0);
    expect(stderr).toBe('worker-0.mpi: Could not resolve hostname worker-0.mpi\n');
    expect(calls, 'the second worker is there at once').toBe(41);
  });

  // Words of OpenSSH 9.2p1: ssh.c, sshkey.c and readconf.c.
  it.each([
    ['its user has no entry in passwd', 'No user exists for uid 1000', 'no user with the number'],
    ['its key can not be read', 'Load key "/etc/trunnion/ssh/id": error in libcrypto', 'ssh-keygen -t ed25519'],
    ['its ssh knows no such option', 'command-line: line 0: Bad configuration option: logverbose', 'install one'],
  ])('and gives up where %s', (_, says, advice) => {
    const { status, stderr, calls } = wait({ says, code: 255 });
    expect(status).toBe(1);
    expect(calls).toBe(1);
    expect(stderr).toContain(`Gave up waiting for worker-0.mpi: ${says}. `);
    expect(stderr).toContain(advice);
  });

  it('and gives up where its image has no ssh', () => {
    const { status, stderr } = wait();
    expect(status).toBe(1);
    expect(stderr).toContain('install an OpenSSH client and server');
  });

  it('and gives up where a worker does not take its key, again and again', () => {
    const { status, calls } = wait({ says: 'trunnion@worker-0.mpi: Permission denied (publickey).', code: 255 });
    expect([status, calls]).toEqual([1, 15]);
  });

  it('but goes on where a network refuses it for now', () => {
    const says = 'ssh: connect to host worker-0.mpi port 2222: Permission denied';
    expect(wait({ says, code: 255, until: 40 }).status).toBe(0);
  });

  it('and leaves its last words for the status', () => {
    expect(wait().container?.terminationMessagePolicy).toBe('FallbackToLogsOnError');
  });
});
