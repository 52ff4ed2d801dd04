import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that is installed, and the package of Debian and Ubuntu that has it. */
interface Installed {
  readonly program: string;
  readonly package: string;
}

const PROGRAMS: readonly Installed[] = [
  { program: 'bash', package: 'bash' },
  { program: 'unshare', package: 'util-linux' },
  { program: 'nsenter', package: 'util-linux' },
  { program: 'mount', package: 'mount' },
  { program: 'tar', package: 'tar' },
  { program: 'ip', package: 'iproute2' },
  { program: 'iptables', package: 'iptables' },
  { program: 'ipset', package: 'ipset' },
  { program: 'socat', package: 'socat' },
  { program: 'containerd', package: 'containerd' },
  { program: 'containerd-shim-runc-v2', package: 'containerd' },
  { program: 'ctr', package: 'containerd' },
  { program: 'runc', package: 'runc' },
];

/** Gives the node a way out. A node without one is a node still, whose images are loaded. */
const UPLINK_PROGRAM: Installed = { program: 'slirp4netns', package: 'slirp4netns' };

const CNI_PACKAGE = 'containernetworking-plugins';
/** Of the network plug-ins: the one that connects a pod to the node. */
const CNI_PLUGINS = ['bridge', 'host-local', 'portmap', 'loopback'];
/** Where Debian has the network plug-ins, and where their own releases are unpacked. */
const CNI_FOLDERS = ['/usr/lib/cni', '/opt/cni/bin'];

/** What a machine is, as far as a real node depends on it. */
export interface Host {
  readonly platform: NodeJS.Platform;
  /** Undefined where the platform has no users of this kind. */
  readonly uid: number | undefined;
  /** The value of PATH. */
  readonly path: string;
  readonly isExecutable: (file: string) => boolean;
  /** Whether programs can make network devices: `/dev/net/tun`. */
  readonly hasTun: boolean;
}

/** What a real node takes from its machine. */
export interface Requirements {
  readonly cniFolder: string;
  /** What is missing for pods to reach what this machine reaches; undefined where nothing is. */
  readonly missingForUplink: string | undefined;
}

/** Where a node's programs are looked for, and find each other. Administrators' own are there, whatever PATH a service gives. */
export const pathOfPrograms = (): string =>
  [process.env['PATH'] ?? '', '/usr/local/sbin', '/usr/sbin', '/sbin'].join(delimiter);

/** The machine that this process runs on. */
export const thisHost = (): Host => ({
  platform: process.platform,
  uid: process.getuid?.(),
  path: pathOfPrograms(),
  isExecutable: (file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  },
  hasTun: existsSync('/dev/net/tun'),
});

/** @throws one line that says what is missing, all of it, and how it is installed */
export function requirements(host: Host): Requirements {
  if (host.platform !== 'linux') throw new Error(`a real node needs Linux, and this is ${host.platform}`);
  if (host.uid !== 0) throw new Error(`a real node needs root, and this is user ${host.uid}: run it with sudo`);
  const folders = host.path.split(delimiter).filter((folder) => folder !== '');
  const isMissing = ({ program }: Installed) => !folders.some((folder) => host.isExecutable(join(folder, program)));
  const missing = PROGRAMS.filter(isMissing);
  const cniFolder = CNI_FOLDERS.find((folder) =>
    CNI_PLUGINS.every((plugin) => host.isExecutable(join(folder, plugin))),
  );
  const packages = new Set(missing.map((each) => each.package));
  if (cniFolder === undefined) packages.add(CNI_PACKAGE);
  if (packages.size === 0 && cniFolder !== undefined) {
    return { cniFolder, missingForUplink: missingForUplink(host, isMissing(UPLINK_PROGRAM)) };
  }
  const names = [
    ...missing.map(({ program }) => program),
    ...(cniFolder === undefined
      ? [`the network plug-ins ${CNI_PLUGINS.join(', ')} in ${CNI_FOLDERS.join(' or ')}`]
      : []),
  ];
  throw new Error(
    `a real node needs ${names.join(', ')}: on Debian and Ubuntu, run apt-get install ${[...packages].join(' ')}`,
  );
}

function missingForUplink({ hasTun }: Host, isProgramMissing: boolean): string | undefined {
  if (isProgramMissing) return `${UPLINK_PROGRAM.program}: run apt-get install ${UPLINK_PROGRAM.package}`;
  return hasTun ? undefined : '/dev/net/tun: run modprobe tun';
}

/** What this machine lacks for a real node whose pods reach a registry, in words; undefined where it has all. */
export function missingForNode(): string | undefined {
  try {
    const { missingForUplink: missing } = requirements(thisHost());
    return missing === undefined ? undefined : `a real node that reaches a registry needs ${missing}`;
  } catch (error) {
    return (error as Error).message;
  }
}
