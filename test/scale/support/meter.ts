/**
 * Loaded into an operator first. At SIGUSR2 it collects all garbage, where Node exposes that, so that what is left is
 * alive; and it says how long the longest turn of the event loop since the last time has used the processor.
 */
import { meterSync } from '../../../operator/engine/telemetry/sync-meter.ts';

let metered = meterSync();

process.on('SIGUSR2', () => {
  process.stderr.write(`${JSON.stringify({ msg: 'longest turn', longestMs: metered().longestTurnSeconds * 1_000 })}\n`);
  globalThis.gc?.();
  metered = meterSync();
});
