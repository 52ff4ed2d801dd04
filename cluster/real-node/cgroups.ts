import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long the kernel may take to end what was killed. */
const LEAVE_MILLISECONDS = 20_000;
const PAUSE_MILLISECONDS = 50;

/** Where the hierarchies of cgroups are mounted: one of version 2, or one for each controller of version 1. */
export const hierarchiesIn = (mountinfo: string): readonly string[] =>
  mountinfo.split('\n').flatMap((line) => {
    // `36 35 98:0 / /sys/fs/cgroup/cpu rw,relatime shared:1 - cgroup cgroup rw,cpu`: proc_pid_mountinfo(5).
    const [before = '', after = ''] = line.split(' - ');
    const path = before.split(' ')[4];
    return path !== undefined && /^cgroup2? /.test(after) ? [path] : [];
  });

const hierarchies = (): readonly string[] => hierarchiesIn(readFileSync('/proc/self/mountinfo', 'utf8'));

/** Makes the cgroup below which a node has those of its pods. */
export function makeCgroup(name: string): void {
  for (const hierarchy of hierarchies()) mkdirSync(join(hierarchy, name), { recursive: true });
}

/**
 * Removes a cgroup with all below it. Its processes were killed, and may not have ended yet.
 *
 * @throws where one of them does not end
 */
export async function removeCgroup(name: string): Promise<void> {
  const deadline = performance.now() + LEAVE_MILLISECONDS;
  for (const hierarchy of hierarchies()) {
    while (!isRemoved(join(hierarchy, name))) {
      if (performance.now() > deadline) throw new Error(`processes in the cgroup ${join(hierarchy, name)} do not end`);
      await sleep(PAUSE_MILLISECONDS);
    }
  }
}

function isRemoved(folder: string): boolean {
  try {
    removeTree(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EBUSY') return false;
    throw error;
  }
}

/** The files of a cgroup go with it, and can't be removed. */
function removeTree(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeTree(join(folder, entry.name));
  }
  rmdirSync(folder);
}
