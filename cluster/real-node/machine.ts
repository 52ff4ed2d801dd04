import { existsSync, readFileSync } from 'node:fs';
import type { NodeFiles } from './layout.ts';

/**
 * The command that holds the node's namespaces, of processes, mounts and the network. When it ends, by whatever signal, the
 * kernel ends all processes in them, and with the last one their mounts, addresses and rules are gone.
 */
export const machineCommand = ({ setup }: NodeFiles): readonly string[] => [
  'unshare',
  '--net',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child=KILL',
  '--mount-proc',
  '--propagation',
  'private',
  'bash',
  setup,
];

/**
 * The first process in the namespaces, as this machine counts them, once the namespaces are set up.
 *
 * @param holder - the process id of the command that holds them
 */
export function initOf(holder: number): number | undefined {
  // The other child is what ends it with us: see process.ts.
  const children = readOrEmpty(`/proc/${holder}/task/${holder}/children`).trim().split(' ').map(Number);
  return children.find((child) => child > 0 && existsSync(`/proc/${child}/root/run/ready`));
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** A command in the node's network, with this machine's files and processes. */
export const inNetwork = (init: number, command: readonly string[]): readonly string[] => [
  'nsenter',
  `--net=/proc/${init}/ns/net`,
  '--',
  ...command,
];

/** A command in all of the node's namespaces. */
export const inNode = (init: number, command: readonly string[]): readonly string[] => [
  'nsenter',
  `--target=${init}`,
  '--net',
  '--mount',
  '--pid',
  '--',
  ...command,
];
