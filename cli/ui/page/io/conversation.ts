import type { ChatPiece, ChatRequest } from '../../api.ts';
import { messagesOf, type Turn, withBreak, withPiece, withQuestion, withStop } from '../model/chat.ts';
import { wordsOf } from '../model/polling.ts';
import type { Reference } from '../model/route.ts';
import { type Server, troubleOf } from './server.ts';

const LOST = 'The answer ended early: the connection was lost. Ask again.';

/** A conversation with a resource. It continues while somebody looks at another part of the page. */
export class Conversation {
  readonly #server: Server;
  readonly #of: Reference;
  readonly #listeners = new Set<() => void>();
  #turns: readonly Turn[] = [];
  #request: AbortController | undefined;

  constructor(server: Server, { kind, namespace, name }: Reference) {
    this.#server = server;
    this.#of = { kind, namespace, name };
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  get isAnswering(): boolean {
    return this.#request !== undefined;
  }

  /** @returns what ends it */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async ask(question: string): Promise<void> {
    if (this.isAnswering) return;
    const request = new AbortController();
    this.#request = request;
    this.#change(withQuestion(this.#turns, question));
    try {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...this.#of, messages: messagesOf(this.#turns) } satisfies ChatRequest),
        signal: request.signal,
      };
      for await (const piece of this.#server.stream<ChatPiece>('/api/chat', init)) {
        if (this.#request === request) this.#change(withPiece(this.#turns, piece));
      }
      if (this.#request === request) this.#end(withBreak(this.#turns, LOST));
    } catch (error) {
      const trouble = troubleOf(error);
      if (this.#request === request)
        this.#end(withBreak(this.#turns, trouble.kind === 'gone' ? LOST : wordsOf(trouble)));
    }
  }

  stop(): void {
    this.#request?.abort();
    this.#end(withStop(this.#turns));
  }

  /** Begins again: the model knows nothing of what was said. */
  clear(): void {
    this.#request?.abort();
    this.#end([]);
  }

  #end(turns: readonly Turn[]): void {
    this.#request = undefined;
    this.#change(turns);
  }

  #change(turns: readonly Turn[]): void {
    this.#turns = turns;
    for (const listener of this.#listeners) listener();
  }
}
