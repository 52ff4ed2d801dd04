import { ApiError, ConnectionError, type ConnectionSource, TransportError } from '../../operator/kube/index.ts';
import { CliError, describe, UsageError } from '../errors.ts';
import { withOrigin } from '../kube/client.ts';
import { NoResourceError } from '../live.ts';
import { RequestError } from './request-error.ts';

/** Why there is no answer. */
export interface Failure {
  readonly status: number;
  /** The sentence that a command would say. */
  readonly error: string;
}

/** What to tell the page of an error. */
export async function failureOf(error: unknown, connection: ConnectionSource): Promise<Failure> {
  const cause = await withOrigin(error, connection).catch((unreadable: unknown) => unreadable);
  return { status: statusOf(cause), error: describe(cause) };
}

function statusOf(error: unknown): number {
  if (error instanceof RequestError) return error.status;
  if (error instanceof UsageError) return 400;
  if (error instanceof NoResourceError) return 404;
  const isOutside =
    error instanceof CliError ||
    error instanceof ApiError ||
    error instanceof TransportError ||
    error instanceof ConnectionError;
  return isOutside ? 502 : 500;
}
