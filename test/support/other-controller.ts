import { get } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from '../../cluster/process.ts';
import type { Manifest } from '../../constructs/workload.ts';

const READY_MS = 60_000;
const PAUSE_MS = 200;

/** A webhook as its project publishes it: behind a Service. */
export interface PublishedWebhook {
  readonly clientConfig: { readonly service: { readonly path: string } };
}

/** Where a controller of others answers, that runs as a program beside the control plane. */
export interface Loopback {
  readonly port: number;
  /** PEM: what its certificate is checked with. */
  readonly ca: string;
}

/** The webhooks of a configuration as its project publishes it. */
export const webhooksOf = (configuration: Manifest): readonly PublishedWebhook[] =>
  (configuration as unknown as { readonly webhooks: readonly PublishedWebhook[] }).webhooks;

/**
 * A configuration of webhooks for a controller that is no pod.
 *
 * @param adapt - what is different for a webhook here; undefined leaves it out
 */
export function atLoopback(
  configuration: Manifest,
  { port, ca }: Loopback,
  adapt: (path: string) => object | undefined,
): Manifest {
  const webhooks = webhooksOf(configuration).flatMap((webhook) => {
    const { path } = webhook.clientConfig.service;
    const other = adapt(path);
    const clientConfig = { url: urlOf(port, path), caBundle: Buffer.from(ca).toString('base64') };
    return other === undefined ? [] : [{ ...webhook, ...other, clientConfig }];
  });
  return { ...configuration, metadata: { name: `${configuration.metadata.name}-at-loopback` }, webhooks };
}

/** Whether a controller answers at a path; what it answers matters not, as long as it knows the path. */
export const answersAt = ({ port, ca }: Loopback, path: string): Promise<boolean> =>
  new Promise((resolve) => {
    get(urlOf(port, path), { ca }, (response) => {
      response.resume();
      resolve(response.statusCode !== 404);
    }).on('error', () => resolve(false));
  });

const urlOf = (port: number, path: string): string => `https://127.0.0.1:${port}${path}`;

/**
 * Waits until a program that was started is ready.
 *
 * @throws with its last words where it ends, or isn't ready within a minute
 */
export async function untilReady(program: Program, isReady: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (!(await isReady())) {
    if (!program.running || performance.now() > deadline)
      throw new Error(`${program.name} did not start:\n${program.lastWords()}`);
    await sleep(PAUSE_MS);
  }
}
