import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../api.ts';
import { type Claim, type Volume, volumesToMake, volumesToRemove } from './volumes.ts';

/** Between two looks. A look is two lists, of one small cluster. */
const PAUSE_MILLISECONDS = 300;
const VOLUMES = '/api/v1/persistentvolumes';

/**
 * Makes and removes the volumes of the class `local`, until it is told to stop. A look that fails, while the API server is
 * away, is followed by the next one.
 *
 * @param folder - the folder of all volumes
 * @returns once it has stopped
 */
export async function provision(client: Api, folder: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await look(client, folder).catch(() => undefined);
    await sleep(PAUSE_MILLISECONDS, undefined, { signal }).catch(() => undefined);
  }
}

async function look(client: Api, folder: string): Promise<void> {
  const claims = (await client.get('/api/v1/persistentvolumeclaims')) as { readonly items: readonly Claim[] };
  for (const { name, folder: path, manifest } of volumesToMake(claims.items, folder)) {
    if (path !== undefined) mkdirSync(path, { recursive: true, mode: 0o755 });
    await client.apply(`${VOLUMES}/${name}`, manifest);
  }
  const volumes = (await client.get(VOLUMES)) as { readonly items: readonly Volume[] };
  for (const { metadata } of volumesToRemove(volumes.items)) {
    await client.delete(`${VOLUMES}/${metadata.name}`);
    // By the volume's name: what a path of a manifest says is not trusted.
    rmSync(join(folder, basename(metadata.name)), { recursive: true, force: true });
  }
}
