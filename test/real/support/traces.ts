import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a cluster could leave on this machine: one line for each thing. */
export const traces = (dir: string): readonly string[] =>
  [...processes(dir), ...lines('/proc/self/mountinfo').map(mountPoint), ...lines('/proc/net/dev').map(nameOf)]
    .concat(cgroups(), rules(), ['vm/overcommit_memory', 'kernel/panic'].map(sysctl))
    .toSorted();

/** Those that name the cluster's folder, which all of its own do. */
const processes = (dir: string): readonly string[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .flatMap((id) => {
      const command = textOf(join('/proc', id, 'cmdline'))
        .replaceAll('\0', ' ')
        .trim();
      return command.includes(dir) || command.includes('containerd') ? [`process ${command}`] : [];
    });

const mountPoint = (line: string): string => `mount ${line.split(' ')[4]}`;
const nameOf = (line: string): string => `network ${line.split(':')[0]?.trim()}`;

const cgroups = (): readonly string[] =>
  readdirSync('/sys/fs/cgroup').flatMap((folder) =>
    entriesOf(join('/sys/fs/cgroup', folder)).flatMap((entry) =>
      entry.startsWith('trunnion-') ? [`cgroup ${folder}/${entry}`] : [],
    ),
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
