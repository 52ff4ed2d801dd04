import { expect, test } from 'vitest';
import { converse } from '../../../cli/chat/conversation.ts';
import type { Message } from '../../../cli/chat/question.ts';
import { CliError } from '../../../cli/errors.ts';
import { guarded } from '../../../cli/guarded-io.ts';

/** Types lines, each answered with how many messages there were. */
async function type(lines: readonly string[], { system, width = Infinity }: { system?: string; width?: number } = {}) {
  const [written, asked]: [string[], (readonly Message[])[]] = [[], []];
  const io = guarded({
    out: (text) => void written.push(text),
    log: (line) => void written.push(`[${line}]\n`),
    paint: (_, text) => text,
    width,
    confirm: async () => false,
    readInput: async () => '',
  });
  const rest = [...lines];
  await converse({
    io,
    typed: { ask: async () => rest.shift() },
    system,
    interruptible: (work) => work(new AbortController().signal),
    ask: async (messages, { write, think }) => {
      asked.push(messages);
      const { content } = messages.at(-1) as Message;
      if (content === 'fail') throw new CliError('the answer broke off');
      think?.('Hm.');
      const text = content === 'nothing' ? '' : `answer ${messages.length}`;
      if (text !== '') write(text);
      return { text, hasThought: true, tokens: 2, firstTokenSeconds: 1, streamSeconds: 1 };
    },
  });
  return { text: written.join(''), asked, rest };
}

const contents = (asked: readonly (readonly Message[])[]) => asked.map((each) => each.map(({ content }) => content));

test('a conversation keeps what was said, and ends with its input', async () => {
  const { asked, text } = await type(['one', '', 'two'], { system: 'Be short.' });
  expect(contents(asked)).toEqual([
    ['Be short.', 'one'],
    ['Be short.', 'one', 'answer 2', 'two'],
  ]);
  expect(text).toContain('answer 2\n[2 tokens, the first after 1.00 s, then 1.0 tokens a second]\n');
});

test('a question without an answer is forgotten, and the conversation continues', async () => {
  const { asked, text } = await type(['one', 'fail', 'two']);
  expect(contents(asked).at(-1)).toEqual(['one', 'answer 1', 'two']);
  expect(text).toContain('[error: the answer broke off]');
});

test.each(['/exit', '/quit'])('%s ends it', async (word) => {
  const { asked, rest } = await type(['one', word, 'two']);
  expect(asked).toHaveLength(1);
  expect(rest).toEqual(['two']);
});

test('/clear forgets what was said, but for the system prompt', async () => {
  const { asked } = await type(['one', '/clear', 'two'], { system: 'Be short.' });
  expect(contents(asked).at(-1)).toEqual(['Be short.', 'two']);
});

test('what a model thinks is shown on a terminal, apart from its answer', async () => {
  expect((await type(['one'], { width: 80 })).text).toContain('Hm.\n\nanswer 1\n');
  expect((await type(['one'])).text).not.toContain('Hm.');
});

test('an answer that is all thought says which option gives it more', async () => {
  expect((await type(['nothing'])).text).toContain('all of it was thought, and no answer: --max-tokens gives it more');
});
