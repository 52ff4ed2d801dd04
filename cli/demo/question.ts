import type { ConnectionSource, KubeClient } from '../../operator/kube/index.ts';
import { Connector } from '../chat/connector.ts';
import { wordsOfFigures } from '../chat/figures.ts';
import { Talk } from '../chat/talk.ts';
import { targetOf } from '../chat/target.ts';
import type { Io } from '../io.ts';
import { liveResource } from '../live.ts';

/** Short, and any model has something to say to it. */
const PROMPT = 'Say in two sentences what a Kubernetes operator does.';

/** An answer in some seconds, also on two CPUs. */
const MAX_TOKENS = 80;

/** The longest that a small model on CPUs is silent, many times over. */
const QUIET_SECONDS = 300;

interface Stage {
  readonly io: Io;
  readonly client: KubeClient;
  readonly connection: ConnectionSource;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** Asks a model that serves, and shows its answer while it comes, and how fast it came. */
export async function showAnswer({ io, client, connection, namespace, signal }: Stage, name: string): Promise<void> {
  const known = await liveResource(client, `modelserving/${name}`, namespace);
  const target = targetOf(known);
  const { connect } = new Connector(client, connection, target, known.resource);
  const talk = new Talk({ connect, quietSeconds: QUIET_SECONDS }, target, { maxTokens: MAX_TOKENS }, (line) =>
    io.log(line),
  );
  io.out(`\n${io.paint('bold', `> ${PROMPT}`)}\n`);
  const answer = await talk.ask([{ role: 'user', content: PROMPT }], { write: (text) => io.out(text), signal });
  io.out(`\n\n${name} answered: ${wordsOfFigures(answer)}.\n`);
}
