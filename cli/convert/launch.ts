import { isList } from '../../constructs/schema/json.ts';
import { engineArguments } from './engine-arguments.ts';
import type { EngineArguments } from './engine-arguments.ts';
import type { Fields } from './fields.ts';
import { withModelPath } from './model-path.ts';
import { given, isSame } from './pods.ts';

/** Commands that start vLLM's own server, whose arguments follow. */
const VLLM_COMMANDS: readonly (readonly string[])[] = [
  ['vllm', 'serve'],
  ['python', '-m', 'vllm.entrypoints.openai.api_server'],
  ['python3', '-m', 'vllm.entrypoints.openai.api_server'],
];

/** How an engine is started. */
export interface Launch extends EngineArguments {
  readonly type: string;
}

/** What is known beside the container. */
interface Known {
  readonly type: string;
  readonly gpu: number | undefined;
  /** Whether arguments are those of KServe's own server. */
  readonly isKservesOwn?: boolean;
  /** Whether `/mnt/models` is where the model lies, and not a folder of the user's own. */
  readonly isFetched: boolean;
}

/**
 * How a container starts its engine. A command of its own is run as it is, by an engine of type custom: nobody can tell
 * what a shell makes of arguments.
 */
export function launchOf(container: Fields, { type, gpu, isKservesOwn = false, isFetched }: Known): Launch {
  const command = container.peek('command');
  if (command === undefined || (isList(command) && command.length === 0)) {
    container.take('command');
    const parser = type === 'vllm' && isKservesOwn ? 'huggingface' : type;
    return { type, ...engineArguments(container, { type: parser, gpu, isFetched }) };
  }
  if (type === 'vllm' && isList(command) && VLLM_COMMANDS.some((known) => isSame(known, command))) {
    container.take('command');
    container.note('command', 'is what the engine is started by here');
    return { type, ...engineArguments(container, { type, gpu, isFetched }) };
  }
  if (type !== 'custom') {
    container.note('command', `is run as it is, by an engine of type custom: nothing of ${type} is known of it then`);
  }
  const texts = container
    .texts('command')
    ?.map((each) =>
      (isFetched ? withModelPath : asItIs)(each, () =>
        container.note('command', 'the model lies at $(MODEL_PATH) here'),
      ),
    );
  const { engine, ...rest } = engineArguments(container, { type: 'custom', gpu, isFetched });
  return { type: 'custom', engine: { ...given('command', texts), ...engine }, ...rest };
}

const asItIs = (text: string): string => text;
