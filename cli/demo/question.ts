import type { Connection, ConnectionSource, KubeClient } from '../../operator/kube/index.ts';
import { ask, wordsOfFigures } from '../chat/ask.ts';
import { readyServer } from '../chat/server.ts';
import type { Io } from '../io.ts';
import { portForward } from '../kube/port-forward.ts';

/** Short, and any model has something to say to it. */
const PROMPT = 'Say in two sentences what a Kubernetes operator does.';

/** An answer in some seconds, also on two CPUs. */
const MAX_TOKENS = 80;

interface Stage {
  readonly io: Io;
  readonly client: KubeClient;
  readonly connection: ConnectionSource;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** Asks a model that serves, and shows its answer while it comes, and how fast it came. */
export async function showAnswer({ io, client, connection, namespace, signal }: Stage, name: string): Promise<void> {
  const { pod, port } = await readyServer(client, namespace, name);
  const settings: Connection = await connection.current();
  io.out(`\n${io.paint('bold', `> ${PROMPT}`)}\n`);
  const figures = await ask(() => portForward(settings, pod, port), {
    prompt: PROMPT,
    maxTokens: MAX_TOKENS,
    write: (text) => io.out(text),
    signal,
  });
  io.out(`\n\n${name} answered: ${wordsOfFigures(figures)}.\n`);
}
