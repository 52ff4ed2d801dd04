import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { builtFolder, versionOf } from '../../../cluster/binaries.ts';
import { build } from '../../../cluster/build.ts';

/** A program that is built from a module of Pulumi. */
export interface Program {
  readonly name: string;
  /** The folder of its go.mod. */
  readonly modules: string;
  readonly package: string;
  readonly takes: string;
  /**
   * Where it keeps its version, and the module whose version that is.
   *
   * @default - the SDK's, and the SDK
   */
  readonly version?: { readonly variable: string; readonly module: string };
  /**
   * A file of our own that it is built from.
   *
   * @default - none: it is built from modules alone
   */
  readonly source?: string;
}

const SDK = {
  variable: 'github.com/pulumi/pulumi/sdk/v3/go/common/version.Version',
  module: 'github.com/pulumi/pulumi/sdk/v3',
};

/** What tells a file from others, as the name of a folder. */
const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);

/** Where on `PATH` a program is; undefined where it is not. */
export const onPath = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(existsSync);

/**
 * The folder that has a program, which is built once.
 *
 * @throws where it has to be built and there is no Go
 */
export async function builtFrom(program: Program, log: (line: string) => void): Promise<string> {
  const { name, modules, package: path, takes, version = SDK, source } = program;
  const built = builtFolder(name, modules);
  const target = source === undefined ? built : join(built, hashOf(source));
  if (existsSync(join(target, name))) return target;
  await build({
    what: name,
    takes,
    otherwise: 'install Pulumi 3 (https://www.pulumi.com/docs/install)',
    modules,
    target,
    tools: [{ name, package: path }],
    variables: { [version.variable]: versionOf(readFileSync(join(modules, 'go.mod'), 'utf8'), version.module) },
    log,
  });
  return target;
}
