import type { InstallFlags } from '../commands/install.ts';
import { install, installation } from '../install.ts';
import type { Io } from '../io.ts';
import { settingsOf, withClient } from '../kube/client.ts';
import { printManifests } from '../manifests.ts';

/** Puts onto the cluster what the operator needs, or prints it. */
export async function runInstall(io: Io, { print = false, ...options }: InstallFlags): Promise<void> {
  if (print) {
    io.out(printManifests(installation(options)));
  } else {
    await withClient(settingsOf(options), (client) => install(client, options, (line) => io.say(line)));
  }
}
