import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseServe, type Serve, USAGE_ERROR, UsageError } from './command-line.ts';
import { type Knobs, readKnobs } from './knobs.ts';
import { complaintAbout } from './model.ts';
import { Engine, VLLM_VERSION } from './server.ts';
import { shutDown } from './shutdown.ts';

const log = (line: string): void => console.error(`INFO ${new Date().toISOString()} ${line}`);

/** What was allocated, so that it is kept. */
const allocated: Buffer[] = [];

/** Memory that counts: each page is written to. */
function allocate(mib: number): void {
  allocated.push(Buffer.alloc(mib * 2 ** 20, 1));
  log(`light engine: allocated ${mib} MiB`);
}

/** The last words of a server that crashes. */
function crash(code: number): never {
  log(`light engine: it ends with exit code ${code}, as it was told`);
  process.exit(code);
}

/** As a deadlock does: connections are accepted by the kernel, and nobody answers. */
function hang(): void {
  log('light engine: it hangs, as it was told');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function readCommandLine(): Serve {
  try {
    return parseServe(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`usage: vllm serve [model_tag] [options]\nvllm: error: ${error.message}`);
    process.exit(USAGE_ERROR);
  }
}

async function start(engine: Engine, serve: Serve, knobs: Knobs): Promise<void> {
  log(`light engine with the HTTP of vLLM ${VLLM_VERSION}, model ${serve.model}`);
  if (knobs.startSeconds > 0) await sleep(knobs.startSeconds * 1_000);
  if (knobs.allocateMib > 0) allocate(knobs.allocateMib);
  if (knobs.exitCode !== undefined) crash(knobs.exitCode);
  engine.server.listen(serve.port, serve.host);
  await once(engine.server, 'listening');
  const address = engine.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  log(`Starting vLLM server on http://${serve.host.includes(':') ? `[${serve.host}]` : serve.host}:${port}`);
}

/**
 * Until vLLM listens, SIGTERM does not end it: while its modules are imported, it has no handler, and the kernel keeps such
 * signals from the first process of a container; while its engine starts, it starts on (0.30.0, seen twice; its handler,
 * entrypoints/launchers/api_server/entry.py, _interrupt_init, means to end it). The kubelet kills it after the grace period.
 */
const ignored = (): void => log('light engine: it does not listen yet, and ignores the signal');
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, ignored);

const serve = readCommandLine();
const knobs = readKnobs(process.env);
const complaint = complaintAbout(serve.model);
if (complaint !== undefined) {
  console.error(complaint);
  process.exit(1);
}
const engine = new Engine(serve, knobs, { exit: crash, allocate, hang });
await start(engine, serve, knobs);

let stopping = false;
const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  await shutDown(engine, serve.shutdownTimeout, log);
  process.exit(0);
};
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.off(signal, ignored);
  process.on(signal, () => void stop());
}
