import type { KubeClient } from '../../operator/kube/index.ts';
import { CliError, UsageError } from '../errors.ts';
import type { GuardedIo } from '../guarded-io.ts';
import { allKinds } from '../kinds.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import type { ClusterOptions, Format } from '../options.ts';
import { formatted } from '../output.ts';
import { liveResource, type LiveResource, NoResourceError } from '../live.ts';
import { untilEnded } from '../signals.ts';
import type { Answer } from './ask.ts';
import { Connector } from './connector.ts';
import { converse, figuresOf, listenerOf } from './conversation.ts';
import { paceOf } from './figures.ts';
import { keyFromEnvironment, readKey } from './key.ts';
import { linesOf } from './print.ts';
import { type Api, CHAT, type Message } from './question.ts';
import { Talk } from './talk.ts';
import { CHAT_KINDS, isAskable, type Target, targetOf } from './target.ts';

/** The options of `trunnion chat`. */
export interface ChatOptions extends ClusterOptions {
  readonly namespace?: string;
  readonly model?: string;
  readonly system?: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly path?: string;
  readonly field?: string;
  readonly apiKeyEnv?: string;
  readonly timeout: number;
  readonly print?: boolean;
  readonly output: Exclude<Format, 'yaml'>;
}

/** Asks a resource. */
export async function runChat(
  io: GuardedIo,
  reference: string,
  given: string | undefined,
  options: ChatOptions,
): Promise<void> {
  const api = apiOf(options);
  const prompt = options.print === true ? (given ?? SAMPLE) : await promptOf(io, given, options);
  const namespace = await namespaceOf(options);
  await withClient(settingsOf(options), async (client, connection) => {
    const known = await askable(client, reference, namespace, (line) => io.log(line));
    const target = targetOf(known);
    if (options.print === true) return printLines(io, target, api ?? CHAT, prompt ?? SAMPLE, options);
    const key = options.apiKeyEnv === undefined ? await readKey(client, target) : keyFromEnvironment(options.apiKeyEnv);
    const connector = new Connector(client, connection, target, known.resource);
    const server = { connect: connector.connect, key, quietSeconds: options.timeout };
    const talk = new Talk(server, target, { ...options, api }, (line) => io.log(line));
    if (prompt === undefined) return talkWith(io, talk, target, options);
    const answer = await untilEnded((signal) => talk.ask(messagesOf(prompt, options), oneShot(io, options, signal)));
    show(io, answer, { target, talk, pod: connector.pod, output: options.output });
  });
}

/** What the lines of --print ask where the user asks nothing. */
const SAMPLE = 'Say hello.';

/** @throws UsageError where options exclude each other */
function apiOf({ path, field, model, system, maxTokens, temperature }: ChatOptions): Api | undefined {
  if (field === undefined) return path === undefined ? undefined : { form: 'chat', path };
  if (path === undefined) throw new UsageError('--field needs --path: say where the prompt is sent to');
  const others = { '--model': model, '--system': system, '--max-tokens': maxTokens, '--temperature': temperature };
  for (const [option, value] of Object.entries(others)) {
    if (value !== undefined) throw new UsageError(`with --field the prompt alone is sent: leave out ${option}`);
  }
  return { form: 'own', path, field };
}

/** @returns undefined where a person is to type it */
async function promptOf(io: GuardedIo, given: string | undefined, options: ChatOptions): Promise<string | undefined> {
  if (given === undefined && io.typed !== undefined) {
    if (options.output === 'json') throw new UsageError('-o json is about one answer: give a prompt');
    return undefined;
  }
  const prompt = (given ?? (await io.readInput())).trim();
  if (prompt === '') throw new UsageError('there is no prompt: give one behind the name, or by standard input');
  return prompt;
}

/**
 * A resource that can be asked.
 *
 * @throws CliError where there is none of that name, or only one of another kind
 */
async function askable(
  client: KubeClient,
  reference: string,
  namespace: string,
  log: (line: string) => void,
): Promise<LiveResource> {
  // Of a name alone, only the kinds that can be asked are meant.
  const among = reference.includes('/') ? allKinds : CHAT_KINDS;
  try {
    const known = await liveResource(client, reference, namespace, among, log);
    if (isAskable(known.kind)) return known;
    const { name } = known.resource.metadata;
    throw new CliError(
      `a ${known.kind.type.kind} can not be asked: chat is with a ModelServing or an AgentService. trunnion status ${reference} -n ${namespace} says which Service ${name} has`,
    );
  } catch (error) {
    if (!(error instanceof NoResourceError)) throw error;
    throw new CliError(`${error.message}; trunnion status -n ${namespace} says what there is`);
  }
}

function messagesOf(prompt: string, { system }: ChatOptions): readonly Message[] {
  const question = { role: 'user', content: prompt } as const;
  return system === undefined ? [question] : [{ role: 'system', content: system }, question];
}

/** Off a terminal, or as JSON, nothing but the answer is written to standard output. */
const oneShot = (io: GuardedIo, { output }: ChatOptions, signal: AbortSignal) =>
  output === 'json' ? { write: () => undefined, signal } : listenerOf(io, signal);

async function talkWith(
  io: GuardedIo,
  talk: Talk,
  { reference, namespace }: Target,
  options: ChatOptions,
): Promise<void> {
  const { typed } = io;
  if (typed === undefined) return;
  io.log(
    `${reference} in ${namespace}.${options.field === undefined ? '' : ' Each question is sent without those before.'}`,
  );
  await converse({
    io,
    typed,
    system: options.system,
    ask: (messages, listener) => talk.ask(messages, listener),
    interruptible: (work) => untilEnded(work, ['SIGINT']),
  });
}

function show(
  io: GuardedIo,
  answer: Answer,
  { target, talk, pod, output }: { target: Target; talk: Talk; pod: string | undefined; output: ChatOptions['output'] },
): void {
  const { text, hasThought, ending, ...figures } = answer;
  if (output === 'text') {
    io.out(text.endsWith('\n') ? '' : '\n');
    return io.log(`${target.reference} answered: ${figuresOf(answer)}.`);
  }
  const { namespace, name, reference } = target;
  const data = {
    resource: reference,
    namespace,
    name,
    pod,
    model: talk.model,
    path: talk.api.path,
    answer: text,
    hasThought,
    ending,
    ...figures,
    tokensPerSecond: paceOf(answer),
  };
  io.out(formatted(output, data, () => ''));
}

/** Prints the lines, after a look at the resource and at nothing else. */
function printLines(io: GuardedIo, target: Target, api: Api, prompt: string, options: ChatOptions): void {
  const { kubeconfig, context, model = target.model, apiKeyEnv, maxTokens, temperature, output } = options;
  const lines = linesOf({
    target,
    api,
    question: { model, messages: messagesOf(prompt, options), maxTokens, temperature },
    cluster: [
      ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
      ...(context === undefined ? [] : ['--context', context]),
    ],
    keyVariable: apiKeyEnv,
  });
  io.out(formatted(output, lines, () => `${Object.values(lines).join('\n')}\n`));
}
