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
  hasTun: true,
  ...rest,
});

test('a machine that has all of it says where its network plug-ins are', () => {
  expect(requirements(host())).toEqual({ cniFolder: '/usr/lib/cni', missingForUplink: undefined });
});

test.for([
  ['slirp4netns', host(['slirp4netns']), 'slirp4netns: run apt-get install slirp4netns'],
  ['the device for tunnels', host([], { hasTun: false }), '/dev/net/tun: run modprobe tun'],
] as const)(
  'a node without %s is a node still, and says why its pods reach nothing outside',
  ([, machine, missing]) => {
    expect(requirements(machine)).toEqual({ cniFolder: '/usr/lib/cni', missingForUplink: missing });
  },
);

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
