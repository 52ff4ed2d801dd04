import type { ConnectionSource } from '../../../operator/kube/index.ts';
import type { Answer } from '../../chat/ask.ts';
import { Connector } from '../../chat/connector.ts';
import { paceOf } from '../../chat/figures.ts';
import { readKey } from '../../chat/key.ts';
import { Talk } from '../../chat/talk.ts';
import { isAskable, targetOf } from '../../chat/target.ts';
import { CliError } from '../../errors.ts';
import type { ChatRequest, ChatEnding, ChatPiece } from '../api.ts';
import { RequestError } from '../request-error.ts';
import { resourceOf } from './detail.ts';
import type { Cluster } from './overview.ts';

/** How long a server may be silent: as long as `trunnion chat` waits. */
const QUIET_SECONDS = 120;

/**
 * Asks a resource by a port-forward with the rights of the user, and tells its answer while it comes. A key stays here.
 *
 * @returns what there is to be told at its end
 */
export async function answerTo(
  { client }: Pick<Cluster, 'client'>,
  connection: ConnectionSource,
  { messages, ...reference }: ChatRequest,
  write: (piece: ChatPiece) => void,
  signal: AbortSignal,
): Promise<ChatEnding> {
  const live = await resourceOf({ client }, reference);
  if (!isAskable(live.kind)) {
    throw new RequestError(400, `a ${reference.kind} can not be asked: chat is with a ModelServing or an AgentService`);
  }
  try {
    const target = targetOf(live);
    const key = await readKey(client, target);
    const { connect } = new Connector(client, connection, target, live.resource);
    const talk = new Talk({ connect, key, quietSeconds: QUIET_SECONDS }, target, {}, (note) => write({ note }));
    const listener = {
      write: (text: string) => write({ text }),
      think: (thought: string) => write({ thought }),
      signal,
    };
    return endingOf(await talk.ask(messages, listener));
  } catch (error) {
    throw withCommand(error, reference);
  }
}

export function endingOf(answer: Omit<Answer, 'text'>): ChatEnding {
  const { ending = 'stop', tokens, firstTokenSeconds, streamSeconds } = answer;
  const pace = paceOf(answer);
  return {
    ending,
    ...(tokens !== undefined && { tokens }),
    ...(pace !== undefined && { tokensPerSecond: pace }),
    firstTokenSeconds,
    seconds: firstTokenSeconds + streamSeconds,
  };
}

/** The page has no options: those that an error names are of the command. */
function withCommand(error: unknown, { kind, namespace, name }: Omit<ChatRequest, 'messages'>): unknown {
  if (!(error instanceof CliError) || !/(?:^| )--[a-z]/.test(error.message)) return error;
  const command = `trunnion chat ${kind.toLowerCase()}/${name} -n ${namespace}`;
  return new CliError(`${error.message} (options are of the command: ${command})`, { cause: error.cause });
}
