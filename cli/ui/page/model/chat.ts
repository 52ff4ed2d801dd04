import type { ChatEnding, ChatPiece } from '../../api.ts';

/** A question with its answer. */
export interface Turn {
  readonly id: number;
  readonly question: string;
  /** What the model thought before it answered. */
  readonly thought: string;
  readonly answer: string;
  readonly state: 'streaming' | 'done' | 'stopped' | 'failed';
  /** What is odd about the server; then how the answer came, or why there is none. */
  readonly notes: readonly string[];
}

/** A message, as the server takes it. */
export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** The conversation with one more question. */
export const withQuestion = (turns: readonly Turn[], question: string): readonly Turn[] => [
  ...turns,
  { id: (turns.at(-1)?.id ?? 0) + 1, question, thought: '', answer: '', state: 'streaming', notes: [] },
];

/** The conversation after a piece of the last answer. */
export function withPiece(turns: readonly Turn[], piece: ChatPiece): readonly Turn[] {
  return changed(turns, (turn) => {
    if ('text' in piece) return { ...turn, answer: turn.answer + piece.text };
    if ('thought' in piece) return { ...turn, thought: turn.thought + piece.thought };
    if ('note' in piece) return noted(turn, piece.note);
    if ('error' in piece) return ended(turn, 'failed', piece.error);
    return ended(turn, 'done', figuresOf(piece, turn));
  });
}

/** The conversation after somebody stopped the last answer. */
export const withStop = (turns: readonly Turn[]): readonly Turn[] =>
  changed(turns, (turn) => ended(turn, 'stopped', 'Stopped.'));

/** Where the stream ends without a last piece. */
export const withBreak = (turns: readonly Turn[], words: string): readonly Turn[] =>
  changed(turns, (turn) => ended(turn, 'failed', words));

const noted = (turn: Turn, note: string): Turn => ({ ...turn, notes: [...turn.notes, note] });

const ended = (turn: Turn, state: Turn['state'], note: string): Turn => ({ ...noted(turn, note), state });

/** Only an answer that is still coming changes. */
function changed(turns: readonly Turn[], change: (turn: Turn) => Turn): readonly Turn[] {
  const last = turns.at(-1);
  return last?.state === 'streaming' ? [...turns.slice(0, -1), change(last)] : turns;
}

/**
 * All that was said, for the server. A question without an answer is left out: models expect that questions and answers
 * alternate.
 */
export const messagesOf = (turns: readonly Turn[]): readonly Message[] =>
  turns.flatMap(({ question, answer, state }): readonly Message[] => {
    const asked = { role: 'user', content: question } as const;
    if (state === 'streaming') return [asked];
    return state === 'failed' || answer.trim() === '' ? [] : [asked, { role: 'assistant', content: answer }];
  });

/** How an answer came, in a line. */
function figuresOf(piece: ChatEnding, { answer, thought }: Turn): string {
  const { ending, tokens, tokensPerSecond, firstTokenSeconds, seconds } = piece;
  const figures = [
    ...(tokens === undefined ? [] : [`${tokens} ${tokens === 1 ? 'token' : 'tokens'}`]),
    ...(tokensPerSecond === undefined ? [] : [`${tokensPerSecond.toFixed(1)} tokens a second`]),
    `the first after ${firstTokenSeconds.toFixed(2)} s`,
    `all after ${seconds.toFixed(2)} s`,
  ].join(', ');
  if (answer.trim() === '') return `${figures}; ${thought === '' ? 'the answer is empty' : 'all of it was thought'}`;
  return ending === 'length' ? `${figures}; it ends there since it may write no more` : figures;
}
