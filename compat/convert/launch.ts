import { isList } from '../../constructs/schema/json.ts';
import { engineArguments } from './engine-arguments.ts';
import type { Argument, EngineArguments, Known as EngineKnown } from './engine-arguments.ts';
import type { Fields } from './fields.ts';
import { withModelPath } from './model-path.ts';
import { given } from './pods.ts';

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
interface Known extends Pick<EngineKnown, 'isSplit' | 'templates'> {
  readonly type: string;
  readonly gpu: number | undefined;
  /** Whether arguments are those of KServe's own server. */
  readonly isKservesOwn?: boolean;
  /** Whether `/mnt/models` is where the model lies, and not a folder of the user's own. */
  readonly isFetched: boolean;
  /**
   * What the script that starts the engine adds to its arguments, unless a command takes the place of the script.
   *
   * @default - nothing
   */
  readonly added?: () => readonly Argument[];
}

/**
 * How a container starts its engine. A command of its own is run as it is, by an engine of type custom: nobody can tell
 * what a shell makes of arguments.
 */
export function launchOf(container: Fields, known: Known): Launch {
  const { type, gpu, isKservesOwn = false, isFetched, templates, isSplit = false, added } = known;
  const command = container.peek('command');
  if (command === undefined || (isList(command) && command.length === 0)) {
    container.take('command');
    const parser = type === 'vllm' && isKservesOwn ? 'huggingface' : type;
    const around = { after: added?.() ?? [] };
    return {
      type,
      ...engineArguments(container, {
        type: parser,
        gpu,
        isFetched,
        templates,
        isSplit,
        around,
        isNamedFirst: parser === 'vllm',
      }),
    };
  }
  const before = type === 'vllm' ? behindVllm(container) : undefined;
  if (before !== undefined) {
    container.take('command');
    container.note('command', 'is what the engine is started by here');
    const isNamedFirst = isList(command) && command[0] === 'vllm';
    return {
      type,
      ...engineArguments(container, { type, gpu, isFetched, templates, isSplit, around: { before }, isNamedFirst }),
    };
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
  const { engine, ...rest } = engineArguments(container, { type: 'custom', gpu, isFetched, templates });
  return { type: 'custom', engine: { ...given('command', texts), ...engine }, ...rest };
}

/** What a command that starts vLLM's own server has behind it; undefined of another one. */
function behindVllm(container: Fields): readonly Argument[] | undefined {
  const command = container.peek('command');
  if (!isList(command) || !command.every((word) => typeof word === 'string')) return undefined;
  const start = VLLM_COMMANDS.find((words) => words.every((word, index) => command[index] === word));
  if (start === undefined) return undefined;
  const places = container.items('command');
  return command.slice(start.length).map((text, index) => ({ text, at: places[start.length + index]! }));
}

const asItIs = (text: string): string => text;
