import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { nodeFilesOf } from '../../../cluster/real-node/layout.ts';

/** What the cluster of a folder could leave on this machine: one line for each thing. Those of other folders may run beside it. */
export const traces = (dir: string): readonly string[] =>
  [...processes(dir), ...lines('/proc/self/mountinfo').map(mountPoint), ...lines('/proc/net/dev').map(nameOf)]
    .concat(cgroups(nodeFilesOf(dir).cgroup), rules(), ['vm/overcommit_memory', 'kernel/panic'].map(sysctl))
    .toSorted();

/** Those that name the cluster's folder, or write into it: all of its own do one of both. */
const processes = (dir: string): readonly string[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .flatMap((id) => {
      const command = textOf(join('/proc', id, 'cmdline'))
        .replaceAll('\0', ' ')
        .trim();
      return command.includes(dir) || output(id).startsWith(dir) ? [`process ${command}`] : [];
    });

function output(id: string): string {
  try {
    return readlinkSync(join('/proc', id, 'fd/1'));
  } catch {
    return '';
  }
}

const mountPoint = (line: string): string => `mount ${line.split(' ')[4]}`;
const nameOf = (line: string): string => `network ${line.split(':')[0]?.trim()}`;

const cgroups = (name: string): readonly string[] =>
  readdirSync('/sys/fs/cgroup').flatMap((folder) =>
    entriesOf(join('/sys/fs/cgroup', folder)).flatMap((entry) => (entry === name ? [`cgroup ${folder}/${entry}`] : [])),
  );

const rules = (): readonly string[] =>
  execFileSync('iptables-save', { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.startsWith('-A'))
    .map((line) => `rule ${line}`);

const sysctl = (name: string): string => `sysctl ${name} ${textOf(join('/proc/sys', name)).trim()}`;

const lines = (file: string): readonly string[] => textOf(file).trim().split('\n');

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
