import { Command, InvalidArgumentError } from 'commander';
import type { ChatOptions } from '../chat/run.ts';
import type { GuardedIo } from '../guarded-io.ts';
import { GROUPS, withClusterOptions, withExamples, withOutput } from '../options.ts';

/** `trunnion chat`: a question to a model or an agent, and its answer. */
export function chatCommand(io: GuardedIo): Command {
  const command = new Command('chat')
    .helpGroup(GROUPS.look)
    .summary('Ask a model or an agent, and see how fast it answers.')
    .description(
      'Ask a ModelServing or an AgentService, by a port-forward to a pod that is ready, and print the answer while it comes; then how many tokens came, and how fast. Without a prompt, a terminal becomes a conversation, and what is piped in is the prompt. It needs the rights to get the resource, to list pods, and to get and create pods/portforward.',
    )
    .argument('<resource>', 'resource: llama, or agentservice/support-agent')
    .argument('[prompt]', 'what to ask (default: what is typed, or piped in)')
    .option('-n, --namespace <name>', "its namespace (default: the context's)")
    .option('--model <name>', "model to ask, where a server has several (default: the resource's own)")
    .option('--system <text>', 'what the model is told before all else')
    .option('--max-tokens <number>', "the most tokens of an answer (default: the server's own)", whole(1, 10_000_000))
    .option('--temperature <number>', "how freely it answers, from 0 to 2 (default: the server's own)", temperature)
    .option(
      '--path <path>',
      'path of its chat, which speaks as OpenAI does (default: /v1/chat/completions; of models without a chat, /v1/completions)',
      httpPath,
    )
    .option(
      '--field <name>',
      'for an agent with an HTTP of its own: the prompt is sent to --path in this field of a JSON object, and what comes is printed as it is',
    )
    .option(
      '--api-key-env <variable>',
      'variable of the environment that has the API key (default: the key that the spec of a ModelServing gives its engine by --api-key, VLLM_API_KEY or API_KEY, read from its Secret with your rights)',
      variableName,
    )
    .option('--timeout <seconds>', 'how long the server may be silent', whole(1, 86_400), 120)
    .option('--print', 'print the lines by which kubectl and curl ask the same, and ask nothing')
    .action(async (resource: string, prompt: string | undefined, options: ChatOptions) =>
      (await import('../chat/run.ts')).runChat(io, resource, prompt, options),
    );
  return withExamples(
    withClusterOptions(withOutput(command, ['text', 'json'])),
    'trunnion chat llama -n models',
    'trunnion chat llama -n models "What is a trunnion?"',
    'trunnion chat llama --system "Answer in one line." --max-tokens 64 < question.txt > answer.txt',
    'trunnion chat agentservice/support-agent --path /ask --field question "Is ticket 7 open?"',
    'trunnion chat llama --print',
    'trunnion chat llama "Hello" -o json | jq .tokensPerSecond',
  );
}

/** Reads a whole number from the command line. */
const whole =
  (least: number, most: number) =>
  (text: string): number => {
    const number = Number(text);
    if (!/^\d{1,8}$/.test(text) || number < least || number > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    }
    return number;
  };

function temperature(text: string): number {
  const number = Number(text);
  if (!/^\d(?:\.\d{1,6})?$/.test(text) || number > 2) {
    throw new InvalidArgumentError('It must be a number from 0 to 2, for instance 0.7.');
  }
  return number;
}

function httpPath(text: string): string {
  if (!/^\/[!-~]*$/.test(text))
    throw new InvalidArgumentError('It must be the path of a URL, for instance /v1/chat/completions.');
  return text;
}

function variableName(text: string): string {
  if (!/^[A-Za-z_]\w*$/.test(text)) {
    throw new InvalidArgumentError(
      'It must be the name of a variable, for instance LLAMA_KEY, and not the key itself.',
    );
  }
  return text;
}
