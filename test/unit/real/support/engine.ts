import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** The name by which tests ask for the model. */
export const MODEL = 'tiny';

/** A light engine that runs. */
export interface RunningEngine {
  readonly url: string;
  readonly process: ChildProcess;
  /** All that it has logged. */
  readonly log: () => string;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
}

/** A folder that vLLM takes for a model. */
export function modelFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-model-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'config.json'), '{}');
  return folder;
}

/** Starts the program without waiting for it; it ends with the test at the latest. */
export function launchEngine(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Omit<RunningEngine, 'url'> & { readonly lines: AsyncIterable<string> } {
  const child = spawn(process.execPath, ['test/real/engine/main.ts', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const logged: string[] = [];
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (line) => logged.push(line));
  return { process: child, ended, log: () => logged.join('\n'), lines };
}

/** Starts it and waits until it listens. */
export async function startEngine(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningEngine> {
  const own = ['serve', modelFolder(), `--served-model-name=${MODEL}`, '--host=127.0.0.1', '--port=0'];
  const engine = launchEngine([...own, ...args], { LIGHT_TOKENS_PER_SECOND: '200', ...env });
  const url = await listening(engine.lines);
  if (url === undefined) throw new Error(`the engine ended with ${await engine.ended}:\n${engine.log()}`);
  return { ...engine, url };
}

async function listening(lines: AsyncIterable<string>): Promise<string | undefined> {
  for await (const line of lines) {
    const url = /Starting vLLM server on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  return undefined;
}

/** Asks for an answer as a client does. */
export const post = (url: string, body: object, signal: AbortSignal | null = null): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: MODEL, ...body }),
    signal,
  });

/** What an event of a stream has, as the tests read it. */
export interface Event {
  readonly choices: readonly {
    readonly text?: string;
    readonly delta?: { readonly role?: string; readonly content?: string };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: { readonly completion_tokens: number };
}

/** The events of a whole stream, whose last one must be `[DONE]`. */
export async function eventsOf(response: Response): Promise<readonly Event[]> {
  const data = (await response.text()).trimEnd().split('\n\n');
  if (data.at(-1) !== 'data: [DONE]') throw new Error(`the stream ends with ${data.at(-1)}`);
  return data.slice(0, -1).map((line) => JSON.parse(line.replace(/^data: /, '')) as Event);
}

/** Each sample of the metrics by its name and labels: `vllm:num_requests_running{engine="0",model_name="tiny"}`. */
export async function samplesOf(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))] as const;
      }),
  );
}
