import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A folder with a program for Pulumi. */
export interface Project {
  readonly folder: string;
  readonly remove: () => void;
}

/** Ours: the program of `stacks/platform`, in a copy that tests may change. */
export function platformProject(): Project {
  const project = emptyProject();
  for (const path of ['Pulumi.yaml', 'Pulumi.dev.yaml', 'Pulumi.prod.yaml', 'package.json', 'stacks']) {
    cpSync(path, join(project.folder, path), { recursive: true });
  }
  for (const path of ['constructs', 'node_modules']) link(path, join(project.folder, path));
  return project;
}

/**
 * A user's: a program of TypeScript in a folder that has the package and Pulumi's SDK installed.
 *
 * @param program - the text of `index.ts`
 * @param name - of the project
 */
export function userProject(program: string, name = 'user'): Project {
  const project = emptyProject();
  const { folder } = project;
  writeFileSync(
    join(folder, 'Pulumi.yaml'),
    `name: ${name}\nruntime: {name: nodejs, options: {typescript: false}}\nmain: index.ts\n`,
  );
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }));
  writeFileSync(join(folder, 'index.ts'), program);
  mkdirSync(join(folder, 'node_modules'));
  link('node_modules/@pulumi', join(folder, 'node_modules', '@pulumi'));
  // As it is published, but from source: the part `package` has the compiled form.
  const installed = join(folder, 'node_modules', 'trunnion');
  mkdirSync(installed);
  const exports = { './pulumi': './stacks/pulumi/index.ts' };
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ name: 'trunnion', type: 'module', exports }));
  link('stacks', join(installed, 'stacks'));
  return project;
}

function emptyProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-project-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const link = (from: string, to: string): void => symlinkSync(resolve(from), to);

/** Changes a text of a file that must be there. */
export function edit({ folder }: Project, file: string, from: string, to: string): void {
  const text = readFileSync(join(folder, file), 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(join(folder, file), text.replace(from, to));
}

/** Gives a file or a folder another place. */
export const move = ({ folder }: Project, from: string, to: string): void =>
  renameSync(join(folder, from), join(folder, to));

/**
 * The project of a user of another language, who has the plugin installed with npm.
 *
 * @param files - by their names; `Pulumi.yaml` is one of them
 */
export function otherProject(files: Readonly<Record<string, string>>): Project {
  const project = emptyProject();
  const bin = join(project.folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  // From source; the part `package` starts what npm installs.
  const plugin = resolve('stacks/pulumi/provider/main.ts');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${plugin}' "$@"\n`;
  writeFileSync(join(bin, 'pulumi-resource-trunnion'), script, { mode: 0o755 });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project.folder, name), text);
  return project;
}

/** Puts the classes of Python into a project, as pip installs them. */
export function installSdk({ folder }: Project, sdk: string): void {
  cpSync(join(sdk, 'pulumi_trunnion'), join(folder, 'pulumi_trunnion'), { recursive: true });
  const about = join(folder, 'pulumi_trunnion-0.1.0.dist-info');
  mkdirSync(about);
  writeFileSync(join(about, 'METADATA'), 'Metadata-Version: 2.1\nName: pulumi_trunnion\nVersion: 0.1.0\n');
}
