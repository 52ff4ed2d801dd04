import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { largest } from '../../constructs/parts/values/index.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { packageFile, packageVersion } from '../package.ts';
import { namesOf, type ProjectOptions } from './names.ts';
import { COMMANDS, projectFiles } from './project.ts';
import type { Versions } from './types.ts';

/** The options of `trunnion new`. */
export type NewOptions = ProjectOptions;

/** Writes a project, and says what to do next. */
export async function runNew(io: Io, folder: string, options: NewOptions): Promise<void> {
  const names = namesOf(options);
  const problems = [...(await folderProblems(folder)), ...('problems' in names ? names.problems : [])];
  if ('problems' in names || problems.length > 0) throw new UsageError(problems.join('\n'));
  const files = projectFiles(names, await versions());
  for (const { path, text } of files) {
    const file = join(folder, path);
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text, { flag: 'wx' });
    } catch (error) {
      throw new UsageError(`${file} can't be written`, { cause: error });
    }
  }
  io.log(`wrote ${files.length} files to ${folder}. Next:`);
  const width = largest(
    COMMANDS.map(({ command }) => command.length),
    0,
  );
  io.out(
    [`cd ${folder}`, ...COMMANDS.map(({ command, does }) => `${command.padEnd(width)}  # ${does}`)]
      .join('\n')
      .concat('\n'),
  );
}

/** Why nothing is written to a folder. One that git alone has made is empty. */
async function folderProblems(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => error);
  if (entries instanceof Error) {
    if (entries.code === 'ENOENT') return [];
    return [entries.code === 'ENOTDIR' ? `${folder} is a file: name a folder` : `${folder}: ${entries.message}`];
  }
  const first = entries.find((name) => name !== '.git');
  return first === undefined ? [] : [`${folder} is not empty (it has ${first}): name a folder that is, or a new one`];
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** What this package itself depends on, so that a project shares it. */
async function versions(): Promise<Versions> {
  const { dependencies, peerDependencies }: Manifest = JSON.parse(await readFile(packageFile('package.json'), 'utf8'));
  const { cdk8s = '*', constructs = '*', zod = '*' } = { ...dependencies, ...peerDependencies };
  return { cdk8s, constructs, zod, operator: `^${packageVersion()}` };
}
