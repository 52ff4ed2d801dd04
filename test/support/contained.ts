import { type ChildProcess, spawn } from 'node:child_process';

/** A container's process, without a container. */
export interface Contained {
  /** The folder of its root file system. */
  readonly root: string;
  /** User and group, as numbers: `65532:65532`. */
  readonly user: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts it with the means of the kernel alone: its root is the folder, read-only where this user may mount, its user the
 * one that is given where this user may be another.
 */
export function contained({ root, user, command, env }: Contained): ChildProcess {
  const isRoot = process.getuid?.() === 0;
  const script =
    'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"; root=$1; user=$2; shift 2; exec chroot $user "$root" "$@"';
  const unshare = [...(isRoot ? [] : ['--map-root-user']), '--mount'];
  return spawn(
    'unshare',
    [...unshare, 'sh', '-c', script, 'sh', root, isRoot ? `--userspec=${user}` : '--groups=', ...command],
    // Where chroot is, which not every user has on the path.
    { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: `${process.env['PATH']}:/usr/sbin:/sbin`, ...env } },
  );
}
