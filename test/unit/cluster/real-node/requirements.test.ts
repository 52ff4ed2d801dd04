import { expect, test } from 'vitest';
import { type Host, requirements } from '../../../../cluster/real-node/requirements.ts';

/** A machine that has all, but for what is left out. */
const host = (without: readonly string[] = [], rest: Partial<Host> = {}): Host => ({
  platform: 'linux',
  uid: 0,
  path: '/usr/bin:/usr/sbin',
  isExecutable: (file) =>
    (file.startsWith('/usr/sbin/') || file.startsWith('/usr/lib/cni/')) &&
    !without.some((name) => file.endsWith(`/${name}`)),
  ...rest,
});

test('a machine that has all of it says where its network plug-ins are', () => {
  expect(requirements(host())).toEqual({ cniFolder: '/usr/lib/cni' });
});

test.for([
  ['no Linux', host([], { platform: 'darwin' }), 'a real node needs Linux, and this is darwin'],
  ['no root', host([], { uid: 1000 }), 'a real node needs root, and this is user 1000: run it with sudo'],
  ['one program', host(['socat']), 'a real node needs socat: on Debian and Ubuntu, run apt-get install socat'],
  [
    'two programs of one package, and the network plug-ins',
    host(['ctr', 'containerd', 'portmap']),
    'a real node needs containerd, ctr, the network plug-ins bridge, host-local, portmap, loopback in /usr/lib/cni or ' +
      '/opt/cni/bin: on Debian and Ubuntu, run apt-get install containerd containernetworking-plugins',
  ],
] as const)('%s is told in one line, with what to do', ([, machine, message]) => {
  expect(() => requirements(machine)).toThrow(new Error(message));
});
