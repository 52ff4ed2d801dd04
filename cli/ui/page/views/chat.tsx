import { useRef, useState } from 'preact/hooks';
import type { TargetedKeyboardEvent } from 'preact';
import type { Detail } from '../../api.ts';
import { useConversation } from '../io/use-conversation.ts';
import type { Turn } from '../model/chat.ts';
import type { Reference } from '../model/route.ts';
import { useStickyEnd } from '../parts/use-sticky-end.ts';

/** Questions to a model or an agent, and its answers. */
export function Chat({ of, chat }: { readonly of: Reference; readonly chat: Detail['chat'] }) {
  const conversation = useConversation(of);
  const { turns, isAnswering } = conversation;
  const [question, setQuestion] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const { view, onScroll } = useStickyEnd(lengthOf(turns));
  const isReady = chat?.ready === true;
  const send = (): void => {
    if (question.trim() === '' || isAnswering || !isReady) return;
    setQuestion('');
    void conversation.ask(question.trim());
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div class="chat">
      {!isReady && <p class="banner waiting">{chat?.reason ?? 'It takes no questions yet.'}</p>}
      <div
        class="talk"
        ref={view}
        onScroll={onScroll}
        role="log"
        aria-label="Conversation"
        aria-busy={isAnswering}
        tabIndex={0}
      >
        {turns.length === 0 && (
          <p class="empty">Type a question for {of.name}. It gets the whole conversation each time.</p>
        )}
        {turns.map((turn) => (
          <Exchange key={turn.id} turn={turn} />
        ))}
      </div>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label>
          <span class="unseen">Question</span>
          <textarea
            ref={field}
            rows={2}
            placeholder="Question (Enter sends it, Shift+Enter begins a new line)"
            value={question}
            onInput={({ currentTarget }) => setQuestion(currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </label>
        {isAnswering ? (
          <button type="button" onClick={() => conversation.stop()}>
            Stop
          </button>
        ) : (
          <button type="submit" class="main" disabled={!isReady}>
            Send
          </button>
        )}
        <button
          type="button"
          class="quiet"
          disabled={turns.length === 0}
          onClick={() => {
            conversation.clear();
            field.current?.focus();
          }}
        >
          Clear
        </button>
      </form>
    </div>
  );
}

function Exchange({ turn: { question, thought, answer, state, notes } }: { readonly turn: Turn }) {
  return (
    <article class="exchange">
      <h2 class="unseen">Question</h2>
      <p class="question">
        <bdi>{question}</bdi>
      </p>
      <h2 class="unseen">Answer</h2>
      {thought !== '' && (
        <details class="thought" open={answer === ''}>
          <summary>Thought</summary>
          <p>
            <bdi>{thought}</bdi>
          </p>
        </details>
      )}
      {answer !== '' && (
        <p class="answer">
          <bdi>{answer}</bdi>
        </p>
      )}
      {state === 'streaming' && <p class="answer-note">{answer === '' ? 'Waiting for the answer…' : 'Answering…'}</p>}
      {notes.map((note) => (
        <p key={note} class={`answer-note ${state}`}>
          {note}
        </p>
      ))}
    </article>
  );
}

const lengthOf = (turns: readonly Turn[]): number =>
  turns.reduce(
    (sum, { question, thought, answer, notes }) =>
      sum + question.length + thought.length + answer.length + notes.length,
    0,
  );
