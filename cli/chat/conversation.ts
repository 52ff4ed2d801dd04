import { describe } from '../errors.ts';
import type { GuardedIo } from '../guarded-io.ts';
import type { Typed } from '../typed.ts';
import type { Answer, Listener } from './ask.ts';
import { type Figures, wordsOfFigures } from './figures.ts';
import type { Message } from './question.ts';

/** Asks the last of the messages. */
export type Asking = (messages: readonly Message[], listener: Listener) => Promise<Answer>;

/** What a conversation needs. */
export interface Conversation {
  readonly io: GuardedIo;
  readonly typed: Typed;
  readonly ask: Asking;
  /** What the model is told before all else. */
  readonly system?: string | undefined;
  /** Runs `work` with a signal that Ctrl-C aborts. */
  readonly interruptible: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
}

const HELP = '/exit or Ctrl-D ends, /clear forgets what was said, Ctrl-C stops an answer.';

/** Asks what a person types, and keeps what was said, until that person has had enough. */
export async function converse({ io, typed, ask, system, interruptible }: Conversation): Promise<void> {
  io.log(HELP);
  const opening: readonly Message[] = system === undefined ? [] : [{ role: 'system', content: system }];
  let said = opening;
  for (;;) {
    const line = await typed.ask('> ');
    if (line === undefined) return;
    const words = line.trim();
    if (words === '') continue;
    if (words === '/exit' || words === '/quit') return;
    if (words === '/help') io.log(HELP);
    else if (words === '/clear') said = opening;
    else said = await exchange({ io, ask, interruptible }, said, words);
  }
}

/** @returns what was said, with the question and its answer; without them where there is no answer */
async function exchange(
  { io, ask, interruptible }: Pick<Conversation, 'io' | 'ask' | 'interruptible'>,
  said: readonly Message[],
  content: string,
): Promise<readonly Message[]> {
  const asked = [...said, { role: 'user', content } as const];
  let isStopped = false;
  try {
    const answer = await interruptible((signal) => {
      signal.addEventListener('abort', () => (isStopped = true));
      return ask(asked, listenerOf(io, signal));
    });
    io.out('\n');
    io.log(io.paint('dim', figuresOf(answer)));
    return [...asked, { role: 'assistant', content: answer.text }];
  } catch (error) {
    // It may be of a pod that is being replaced: the next question may have an answer.
    io.out('\n');
    io.log(isStopped ? 'Stopped.' : `error: ${describe(error)}`);
    return said;
  }
}

/** Writes an answer as it comes; on a terminal, what the model thinks as well. */
export function listenerOf(io: Pick<GuardedIo, 'out' | 'paint' | 'width'>, signal: AbortSignal): Listener {
  let isThinking = false;
  return {
    write: (text) => {
      io.out(isThinking ? `\n\n${text.trimStart()}` : text);
      isThinking = false;
    },
    ...(io.width !== Infinity && {
      think: (text: string) => {
        isThinking = true;
        io.out(io.paint('dim', text));
      },
    }),
    signal,
  };
}

/** How an answer came, and what is odd about it. */
export function figuresOf(answer: Figures & Pick<Answer, 'text' | 'hasThought' | 'ending'>): string {
  const { text, hasThought, ending } = answer;
  const words = wordsOfFigures(answer);
  if (text.trim() === '' && hasThought)
    return `${words}; all of it was thought, and no answer: --max-tokens gives it more`;
  if (text.trim() === '') return `${words}; the answer is empty`;
  return ending === 'length' ? `${words}; it ends there since it may write no more (--max-tokens)` : words;
}
