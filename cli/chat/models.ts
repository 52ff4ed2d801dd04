import { plainText } from '../../constructs/parts/values/index.ts';
import { CliError } from '../errors.ts';
import { objectIn, RefusedError, send, type Server, wholeText } from './http.ts';
import { Patience } from './patience.ts';
import { MODELS_PATH } from './target.ts';

/** Longest list of models that is told, in characters. */
const LONGEST_LIST = 1_000;

/**
 * The models that a server says it has; none where it has no such list.
 *
 * @throws CliError where it refuses for another reason, or is silent for too long
 */
export async function modelsOf(server: Server, signal: AbortSignal): Promise<readonly string[]> {
  const patience = new Patience(signal, server.quietSeconds);
  try {
    const { data } = objectIn(await wholeText(await send(server, MODELS_PATH, patience.signal))) ?? {};
    const models = Array.isArray(data) ? (data as readonly { readonly id?: unknown }[]) : [];
    return models.flatMap((model) => (typeof model?.id === 'string' ? [model.id] : []));
  } catch (error) {
    if (patience.signal.aborted) throw patience.signal.reason;
    if (error instanceof RefusedError && error.status === 404) return [];
    throw error;
  } finally {
    patience.stop();
  }
}

/**
 * The model to ask.
 *
 * @param wanted - what the user says
 * @param served - what the resource says
 * @param models - what the server says; several where adapters are loaded beside the model
 * @throws CliError where none is sure
 */
export function chooseModel(
  models: readonly string[],
  { wanted, served }: { readonly wanted?: string | undefined; readonly served?: string | undefined },
): string | undefined {
  const [only, ...more] = models;
  const there = plainText(models.join(', '), { max: LONGEST_LIST });
  if (wanted !== undefined) {
    if (only === undefined || models.includes(wanted)) return wanted;
    throw new CliError(`the server has no model ${wanted} (--model); it has: ${there}`);
  }
  if (only === undefined) return served;
  if (served !== undefined && models.includes(served)) return served;
  if (more.length === 0) return only;
  throw new CliError(`the server has several models; say which by --model: ${there}`);
}
