import { type Answer, ask, type Listener } from './ask.ts';
import { knowsNoChat, noChatPath, noText } from './fallback.ts';
import type { Server } from './http.ts';
import { chooseModel, modelsOf } from './models.ts';
import { type Api, CHAT, COMPLETIONS, type Message, type Question } from './question.ts';
import type { Target } from './target.ts';

/** How questions are asked. */
export interface Manner extends Pick<Question, 'maxTokens' | 'temperature'> {
  /** The model, as the user names it. */
  readonly model?: string | undefined;
  /** @default - OpenAI's chat, and its completions where there is no chat */
  readonly api?: Api | undefined;
}

/** A talk with a server: what was found out about it by one question serves the next. */
export class Talk {
  readonly #server: Server;
  readonly #target: Target;
  readonly #manner: Manner;
  readonly #log: (line: string) => void;
  #api: Api;
  #model: { readonly name: string | undefined } | undefined;

  /** @param log - is told what differs from a chat */
  constructor(server: Server, target: Target, manner: Manner, log: (line: string) => void) {
    this.#server = server;
    this.#target = target;
    this.#manner = manner;
    this.#api = manner.api ?? CHAT;
    this.#log = log;
  }

  /** How it is asked, as far as is known. */
  get api(): Api {
    return this.#api;
  }

  /** The model that is asked, once it is known. */
  get model(): string | undefined {
    return this.#model?.name;
  }

  /** Asks the last of the messages. */
  async ask(messages: readonly Message[], listener: Listener): Promise<Answer> {
    const { maxTokens, temperature } = this.#manner;
    this.#model ??= { name: await this.#chosenModel(listener.signal) };
    const question = { model: this.#model.name, messages, maxTokens, temperature };
    try {
      return await ask(this.#server, this.#api, question, listener);
    } catch (error) {
      if (this.#api.form !== 'chat' || !knowsNoChat(error)) throw error;
      const { reference, listsModels } = this.#target;
      if (this.#manner.api !== undefined || !listsModels) throw noChatPath(reference, error, this.#api.path);
      return this.#continue(question, listener);
    }
  }

  async #chosenModel(signal: AbortSignal): Promise<string | undefined> {
    const { model: wanted } = this.#manner;
    const { model: served, listsModels } = this.#target;
    if (this.#api.form === 'own') return undefined;
    // An agent names its model to its provider, and need have no list.
    const models = listsModels && this.#manner.api === undefined ? await modelsOf(this.#server, signal) : [];
    return chooseModel(models, { wanted, served });
  }

  async #continue(question: Question, listener: Listener): Promise<Answer> {
    let isReported = false;
    const write = (text: string) => {
      if (!isReported)
        this.#log(`${this.#target.reference} has no chat template: the model continues the text of the prompt.`);
      isReported = true;
      listener.write(text);
    };
    try {
      const answer = await ask(this.#server, COMPLETIONS, question, { ...listener, write });
      this.#api = COMPLETIONS;
      return answer;
    } catch (error) {
      if (knowsNoChat(error)) throw noText(this.#target.reference, COMPLETIONS.path);
      throw error;
    }
  }
}
