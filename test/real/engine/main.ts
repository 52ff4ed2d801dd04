import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseServe, type Serve, USAGE_ERROR, UsageError } from './command-line.ts';
import { type Knobs, readKnobs } from './knobs.ts';
import { complaintAbout } from './model.ts';
import { Engine, VLLM_VERSION } from './server.ts';
import { shutDown } from './shutdown.ts';

/**
 * Python's way to end by KeyboardInterrupt, where SIGINT can't kill the process, as it can't kill the first one of a container.
 * vLLM 0.30.0, entrypoints/launchers/api_server/entry.py: that is what SIGTERM raises until the server listens.
 */
const INTERRUPTED = 130;

const log = (line: string): void => console.error(`INFO ${new Date().toISOString()} ${line}`);

/** What was allocated, so that it is kept. */
const allocated: Buffer[] = [];

/** Memory that counts: each page is written to. */
function allocate(mib: number): void {
  allocated.push(Buffer.alloc(mib * 2 ** 20, 1));
  log(`light engine: allocated ${mib} MiB`);
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
  if (knobs.exitCode !== undefined) process.exit(knobs.exitCode);
  engine.server.listen(serve.port, serve.host);
  await once(engine.server, 'listening');
  const address = engine.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  log(`Starting vLLM server on http://${serve.host.includes(':') ? `[${serve.host}]` : serve.host}:${port}`);
}

const interrupted = (): never => process.exit(INTERRUPTED);
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, interrupted);

const serve = readCommandLine();
const knobs = readKnobs(process.env);
const complaint = complaintAbout(serve.model);
if (complaint !== undefined) {
  console.error(complaint);
  process.exit(1);
}
const engine = new Engine(serve, knobs, { exit: (code) => process.exit(code), allocate });
await start(engine, serve, knobs);

let stopping = false;
const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  await shutDown(engine, serve.shutdownTimeout, log);
  process.exit(0);
};
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.off(signal, interrupted);
  process.on(signal, () => void stop());
}
