import { expect, test } from 'vitest';
import { hierarchiesIn } from '../../../../cluster/real-node/cgroups.ts';

test('every hierarchy of version 1 is found', () => {
  const mountinfo = [
    '24 1 254:0 / / rw,relatime - ext4 /dev/root rw',
    '30 24 0:26 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755',
    '31 30 0:27 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu',
    '32 30 0:28 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory',
  ].join('\n');
  expect(hierarchiesIn(mountinfo)).toEqual(['/sys/fs/cgroup/cpu', '/sys/fs/cgroup/memory']);
});

test('the one hierarchy of version 2 is found', () => {
  const mountinfo = '35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate';
  expect(hierarchiesIn(mountinfo)).toEqual(['/sys/fs/cgroup']);
});
