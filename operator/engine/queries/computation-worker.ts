/** Computes in a thread of its own, one call after the other, what would keep the main loop from its work. */
import { parentPort } from 'node:worker_threads';
import type { ComputationCall, ComputationReply } from './computation-thread.ts';

type Functions = Readonly<Record<string, unknown>>;

parentPort?.on('message', (call: ComputationCall) => void answer(call));

async function answer({ module, name, input }: ComputationCall): Promise<void> {
  try {
    const functions = (await import(module)) as Functions;
    const compute = functions[name];
    if (typeof compute !== 'function') throw new Error(`${module} exports no function ${name}`);
    reply({ value: (compute as (of: unknown) => unknown)(input) });
  } catch (error) {
    reply({ error: error instanceof Error ? error.message : String(error) });
  }
}

const reply = (message: ComputationReply): void => parentPort?.postMessage(message);
