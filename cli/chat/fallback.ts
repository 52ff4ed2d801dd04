import { CliError } from '../errors.ts';
import { RefusedError } from './http.ts';

/** The statuses of a path that is not there, and of what a server does not do. */
const NO_SUCH_PATH = new Set([404, 405, 501]);

/**
 * Whether a server refused since its model knows no chat. vLLM 0.32.0, renderers/hf.py: "default chat template is no longer allowed";
 * TGI 3.3.7: "Template error: template not found".
 */
export const knowsNoChat = (error: unknown): error is RefusedError =>
  error instanceof RefusedError &&
  (isNoPath(error) || /chat template|template error|chat completions api/i.test(error.words));

/** A model that is not there has status 404 as well. */
const isNoPath = ({ status, words }: RefusedError): boolean =>
  NO_SUCH_PATH.has(status) && !/\bmodel\b.*\bexist/i.test(words);

/** What to tell where a server neither chats nor continues a text: vLLM 0.32.0 has neither path for a model of embeddings. */
export const noText = (reference: string, path: string): CliError =>
  new CliError(
    `${reference} can not be asked in words: its server has no chat and continues no text (${path}). A model of embeddings, of scores or of sound has other paths, for instance /v1/embeddings: --print gives the port-forward and a curl to begin with`,
  );

/** What to tell where an agent has no OpenAI chat. */
export const noChatPath = (reference: string, error: RefusedError, path: string): CliError =>
  new CliError(
    `${reference} has no chat at ${path} (status ${error.status}). Its resource does not tell what it speaks: say where it is asked, by --path, and by --field if it takes the prompt in a field of its own, for instance --path /ask --field question`,
  );
