import { expect, test } from 'vitest';
import type { ChatEnding, ChatPiece } from '../../../../../cli/ui/api.ts';
import {
  messagesOf,
  type Turn,
  withBreak,
  withPiece,
  withQuestion,
  withStop,
} from '../../../../../cli/ui/page/model/chat.ts';

const ending: ChatEnding = {
  ending: 'stop',
  tokens: 42,
  tokensPerSecond: 31.25,
  firstTokenSeconds: 0.2,
  seconds: 1.5,
};

/** A conversation after a question and the pieces of its answer. */
const asked = (turns: readonly Turn[], question: string, ...pieces: readonly ChatPiece[]): readonly Turn[] =>
  pieces.reduce(withPiece, withQuestion(turns, question));

test('an answer grows piece by piece, and ends with how it came', () => {
  expect(asked([], 'Hi', { text: 'Hel' }, { text: 'lo' }, ending)).toEqual([
    {
      id: 1,
      question: 'Hi',
      thought: '',
      answer: 'Hello',
      state: 'done',
      notes: ['42 tokens, 31.3 tokens a second, the first after 0.20 s, all after 1.50 s'],
    },
  ]);
});

test.each<[string, readonly ChatPiece[], string]>([
  [
    'an answer that may not go on',
    [{ text: 'a' }, { ...ending, ending: 'length' }],
    'it ends there since it may write no more',
  ],
  ['an empty answer', [ending], 'the answer is empty'],
  ['thoughts alone', [{ thought: 'hm' }, ending], 'all of it was thought'],
  ['one token', [{ text: 'a' }, { ...ending, tokens: 1 }], '1 token,'],
  ['an error', [{ text: 'a' }, { error: 'the pod is gone' }], 'the pod is gone'],
  ['an oddity', [{ note: 'no chat template' }, { text: 'a' }, ending], 'no chat template'],
])('%s is said', (_, pieces, words) => {
  expect(asked([], 'Hi', ...pieces)[0]?.notes.join('\n')).toContain(words);
});

test('all that was said goes to the server, but for questions without an answer', () => {
  let turns = asked([], 'one', { text: 'first' }, ending);
  turns = asked(turns, 'lost', { error: 'away' });
  turns = withStop(asked(turns, 'stopped at once'));
  turns = withStop(asked(turns, 'two', { text: 'half an ans' }));
  expect(messagesOf(withQuestion(turns, 'three'))).toEqual([
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'first' },
    { role: 'user', content: 'two' },
    { role: 'assistant', content: 'half an ans' },
    { role: 'user', content: 'three' },
  ]);
});

test('what comes after the end of an answer changes nothing', () => {
  const turns = withStop(asked([], 'Hi', { text: 'a' }));
  expect(withPiece(turns, { text: 'b' })).toBe(turns);
  expect(withBreak(turns, 'lost')).toBe(turns);
  expect(withPiece([], { text: 'b' })).toEqual([]);
});
