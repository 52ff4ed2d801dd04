/**
 * A program that looks at an operator from outside, as a kubelet and another tenant do: it asks /healthz again and again,
 * and edits a resource of another namespace. It is a process of its own, so that the campaign's work does not count.
 * Its parent says where everything is, and is told each measurement.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { clientOf } from '../../support/client.ts';
import { Fleet } from '../../scale/support/fleet.ts';

/** What a probe is told. */
export interface ProbeOrder {
  readonly cluster: { readonly url: string; readonly ca: string; readonly token: string };
  /** Of the operator's probes. */
  readonly port: number;
  readonly namespace: string;
  readonly name: string;
}

/** What it found, in milliseconds; what did not come in {@link PATIENCE_MS} took as long. */
export interface Measurement {
  readonly what: 'healthz' | 'change' | 'api';
  readonly ms: number;
}

/** After so long a look is given up. */
export const PATIENCE_MS = 15_000;
const HEALTH_EVERY_MS = 200;
const CHANGE_EVERY_MS = 500;

/** Sends back what it takes to do something. */
async function timed(what: Measurement['what'], task: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  const ok = await task().then(
    () => true,
    () => false,
  );
  const ms = ok ? performance.now() - began : Math.max(PATIENCE_MS, performance.now() - began);
  process.send?.({ what, ms } satisfies Measurement);
}

async function health(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`/healthz answers ${response.status}`);
}

async function forEver(everyMs: number, task: () => Promise<void>): Promise<void> {
  for (;;) {
    await task();
    await sleep(everyMs);
  }
}

/** How long a change takes, and how long the API server takes for as much: a read, beside which it can be judged. */
async function observe({ cluster, port, namespace, name }: ProbeOrder): Promise<void> {
  const admin: KubeClient = clientOf(cluster);
  const fleet = new Fleet(admin, namespace);
  await Promise.all([
    forEver(HEALTH_EVERY_MS, () => timed('healthz', () => health(port))),
    forEver(CHANGE_EVERY_MS, async () => {
      await timed('api', () => fleet.count());
      await timed('change', () => fleet.edit(name, PATIENCE_MS));
    }),
  ]);
}

process.once('message', (order: ProbeOrder) => void observe(order));
process.on('disconnect', () => process.exit());
