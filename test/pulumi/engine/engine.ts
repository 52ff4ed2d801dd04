import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { builtFrom, onPath, type Program } from './programs.ts';

/** Pulumi's engine, with what runs programs of Node.js for it. */
export interface Engine {
  /** Folders with `pulumi` and `pulumi-language-nodejs`, for PATH. */
  readonly folders: readonly string[];
  /** Where the real provider of Kubernetes is installed: the folder of plugins that has it. */
  readonly plugins: string | undefined;
}

const PROGRAMS: readonly Program[] = [
  {
    name: 'pulumi',
    modules: join(import.meta.dirname, 'cli'),
    package: 'github.com/pulumi/pulumi/pkg/v3/cmd/pulumi',
    takes: 'about 5 minutes on two cores',
  },
  {
    name: 'pulumi-language-nodejs',
    modules: join(import.meta.dirname, 'language-host'),
    package: 'github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs',
    takes: 'about a minute on two cores',
  },
];

/**
 * The engine: the installed one where `PATH` has Pulumi 3, else one that is built with Go, once.
 *
 * @param say - receives the progress of the build, line by line
 * @throws where it has to be built and there is no Go
 */
export async function findEngine(log: (line: string) => void): Promise<Engine> {
  const folders = (await installedFolders()) ?? (await builtFolders(log));
  return { folders, plugins: await pluginsWithKubernetes(folders) };
}

async function builtFolders(log: (line: string) => void): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const program of PROGRAMS) folders.push(await builtFrom(program, log));
  return folders;
}

/** @returns undefined where not all programs are on `PATH`, in the right version */
async function installedFolders(): Promise<readonly string[] | undefined> {
  const files = PROGRAMS.map(({ name }) => onPath(name));
  const [cli] = files;
  if (cli === undefined || files.includes(undefined)) return undefined;
  const { stdout } = await promisify(execFile)(cli, ['version']).catch(() => ({ stdout: '' }));
  return stdout.startsWith('v3.') ? files.flatMap((file) => (file === undefined ? [] : [dirname(file)])) : undefined;
}

/** An entry of `pulumi plugin ls --json`. */
interface Plugin {
  readonly name: string;
  readonly kind: string;
  readonly path?: string;
}

async function pluginsWithKubernetes([folder = '']: readonly string[]): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)(join(folder, 'pulumi'), ['plugin', 'ls', '--json']);
  const plugins = JSON.parse(stdout) as readonly Plugin[];
  const plugin = plugins.find(({ name, kind }) => name === 'kubernetes' && kind === 'resource');
  return plugin && join(process.env['PULUMI_HOME'] ?? join(process.env['HOME'] ?? '', '.pulumi'), 'plugins');
}
