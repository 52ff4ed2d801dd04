import { expect } from 'vitest';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { killContainer } from './processes.ts';
import type { Testbed } from './testbed.ts';
import { WeightsVolume } from './volumes.ts';

const PATIENCE = { timeout: 180_000 };

/** The volume of a model's weights, once it has one. */
export const volumeOf = ({ dir, client }: Testbed, namespace: string, name: string): Promise<WeightsVolume> =>
  eventually(() => WeightsVolume.of(dir, client, namespace, name), PATIENCE);

/**
 * Kills the program that fetches a model once so many bytes of a file are there, as nothing but a kill from its node does.
 *
 * @returns how many are there then
 */
export async function killFetch(
  testbed: Testbed,
  namespace: string,
  name: string,
  { file, bytes }: { readonly file: string; readonly bytes: number },
): Promise<number> {
  const { client } = testbed;
  const volume = await volumeOf(testbed, namespace, name);
  await eventually(() => expect(volume.staged(file)).toBeGreaterThan(bytes), PATIENCE);
  const { items } = await client.list(TYPES.pod, { namespace, labelSelector: `app.kubernetes.io/instance=${name}` });
  const fetcher =
    items.find(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'fetcher') ?? items[0];
  await killContainer(client, { namespace, name: fetcher?.metadata.name ?? '' }, 'fetch');
  return volume.staged(file);
}
