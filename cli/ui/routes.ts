import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConnectionSource, KubeClient } from '../../operator/kube/index.ts';
import { look as lookAtTop } from '../top/look.ts';
import { type Answer, answerOf, jsonOf } from './answer.ts';
import type { ChatPiece, LogPiece, Session } from './api.ts';
import { readChatRequest } from './body.ts';
import { failureOf } from './failure.ts';
import type { Path } from './gate.ts';
import { JsonLines } from './json-lines.ts';
import { Limit } from './limit.ts';
import { PAGE } from './page.generated.ts';
import { Passes } from './passes.ts';
import { Query } from './query.ts';
import { answerTo } from './views/chat.ts';
import { detailOf, resourceOf } from './views/detail.ts';
import { Downloads } from './views/download.ts';
import { followResource, TAIL_LINES } from './views/logs.ts';
import { overviewOf } from './views/overview.ts';
import { searchOf } from './views/search.ts';

/** What the page is about. */
export interface Subject {
  readonly client: KubeClient;
  readonly connection: ConnectionSource;
  readonly operatorNamespace: string;
  readonly session: Session;
}

/** A request that was let through. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: Path;
  /** Path and query. */
  readonly target: string;
  /** Aborted once the browser is gone, or the command ends. */
  readonly signal: AbortSignal;
}

/** How long an answer is good for: a second page, or a second look, has it as well. */
const FRESH_MS = 1_000;

/** The same of figures that are asked of every pod. */
const FRESH_TOP_MS = 5_000;

/** For each request to the cluster, tries included. */
const DEADLINE_MS = 15_000;

const MOST_LOGS = 20;
const MOST_QUESTIONS = 4;

/** Answers what is asked. */
export class Routes {
  readonly #subject: Subject;
  readonly #passes = new Passes<Answer>();
  readonly #downloads = new Downloads();
  readonly #logs = new Limit(MOST_LOGS, 'streams of logs');
  readonly #questions = new Limit(MOST_QUESTIONS, 'questions');
  readonly #files: Partial<Readonly<Record<Path, Answer>>> = {
    '/': answerOf('text/html; charset=utf-8', PAGE.html),
    '/app.js': answerOf('text/javascript; charset=utf-8', PAGE.script),
    '/app.css': answerOf('text/css; charset=utf-8', PAGE.style),
  };

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /**
   * @returns undefined where it has been answered, piece by piece
   * @throws where there is no answer
   */
  async answer(exchange: Exchange): Promise<Answer | undefined> {
    const { path, target } = exchange;
    const file = this.#files[path];
    if (file !== undefined) return file;
    if (path === '/api/session') return jsonOf(this.#subject.session);
    if (path === '/api/chat') return this.#questions.run(() => this.#chat(exchange));
    const query = new Query(target);
    if (path === '/api/logs') return this.#logs.run(() => this.#followed(exchange, query));
    return this.#look(exchange, query);
  }

  /** What one look at the cluster answers. */
  async #look({ path, signal }: Exchange, query: Query): Promise<Answer> {
    const { connection } = this.#subject;
    const look = (about: unknown, work: (signal: AbortSignal) => Promise<Answer>, freshMs = FRESH_MS) =>
      this.#passes.get(JSON.stringify([path, about]), freshMs, signal, work);
    if (path === '/api/overview') {
      const namespace = query.namespace();
      return look(namespace, async (inTime) => jsonOf(await overviewOf(this.#cluster(inTime), namespace)));
    }
    if (path === '/api/top') {
      const namespace = query.namespace();
      const table = (inTime: AbortSignal) => lookAtTop(this.#cluster(inTime).client, connection, namespace, inTime);
      return look(namespace, async (inTime) => jsonOf(await table(inTime)), FRESH_TOP_MS);
    }
    const reference = query.resource();
    return path === '/api/search.svg'
      ? look(reference, async (inTime) =>
          answerOf('image/svg+xml; charset=utf-8', await searchOf(this.#cluster(inTime), reference)),
        )
      : look(reference, async (inTime) => jsonOf(await detailOf(this.#cluster(inTime), reference, this.#downloads)));
  }

  /** The cluster, for as long as somebody waits for what it says. */
  #cluster(signal: AbortSignal): Pick<Subject, 'client' | 'operatorNamespace'> {
    const { client, operatorNamespace } = this.#subject;
    return { client: client.with({ signal, deadlineMs: DEADLINE_MS }), operatorNamespace };
  }

  async #followed({ response, signal }: Exchange, query: Query): Promise<undefined> {
    const cluster = this.#cluster(signal);
    const followed = { pod: query.pod(), container: query.container(), tail: query.count('tail', TAIL_LINES) };
    const live = await resourceOf(cluster, query.resource());
    const lines = new JsonLines<LogPiece>(response, signal);
    lines.begin();
    await this.#streamed(lines, signal, async () => {
      await followResource(cluster, { live, ...followed }, (piece) => lines.write(piece), signal);
      lines.end();
    });
  }

  async #chat({ request, response, signal }: Exchange): Promise<undefined> {
    const chat = await readChatRequest(request);
    const lines = new JsonLines<ChatPiece>(response, signal);
    const write = (piece: ChatPiece) => void lines.write(piece);
    await this.#streamed(lines, signal, async () =>
      lines.end(await answerTo(this.#cluster(signal), this.#subject.connection, chat, write, signal)),
    );
  }

  /** What breaks off an answer that has begun is its last piece. */
  async #streamed(
    lines: Pick<JsonLines<{ readonly error: string }>, 'hasBegun' | 'end'>,
    signal: AbortSignal,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!lines.hasBegun || signal.aborted) throw error;
      const { error: words } = await failureOf(error, this.#subject.connection);
      lines.end({ error: words });
    }
  }
}
