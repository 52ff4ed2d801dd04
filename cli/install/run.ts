import type { SettingsInput } from '../../stacks/operator/settings.ts';
import { UsageError } from '../errors.ts';
import { readText } from '../file-text.ts';
import { install, installation, type InstallOptions } from '../install.ts';
import type { Io } from '../io.ts';
import { settingsOf, withClient } from '../kube/client.ts';
import { parseYaml, printManifests } from '../manifests.ts';
import type { ClusterOptions } from '../options.ts';

/** The options of `trunnion install`. */
export interface InstallFlags extends ClusterOptions, Omit<InstallOptions, 'settings'> {
  readonly values?: string;
  readonly print?: boolean;
}

/** Puts the operator and what it needs onto the cluster, or prints it. */
export async function runInstall(io: Io, { print = false, values, ...flags }: InstallFlags): Promise<void> {
  const options = { ...flags, ...(values !== undefined && { settings: await readSettings(values) }) };
  if (print) io.out(printManifests(installation(options)));
  else await withClient(settingsOf(flags), (client) => install(client, options, (line) => io.log(line)));
}

/** What is wrong with a value is told when all of them are put together. */
async function readSettings(file: string): Promise<SettingsInput> {
  const [settings, another] = parseYaml(await readText(file), file);
  if (another !== undefined) throw new UsageError(`${file} has more than one document: put all values into one`);
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw new UsageError(`${file} has no values: write KEY: VALUE`);
  return settings;
}
