import pino from 'pino';
import { escapeUnseen } from '../../../constructs/parts/values/index.ts';
import type { Logger } from 'pino';
import { ApiError, TransportError } from '../../kube/index.ts';
import type { ResourceRef } from '../observe/index.ts';

export type { Logger };

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/**
 * A logger that writes a JSON line an entry to standard error. What is logged are names, counts, and the API server's
 * words about our requests; content of Secrets never comes near it. What nobody would see in it is escaped: JSON itself
 * escapes some controls, and leaves others.
 */
export function createLogger(level: LogLevel = 'info'): Logger {
  const standardError = pino.destination({ dest: 2, sync: true });
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorFields },
    },
    { write: (line) => standardError.write(escapeUnseen(line)) },
  );
}

/**
 * What is logged of an error, by the name that it tells: that of its class is cut short in a bundle. What the network or
 * the API server brings about says all in its message, and where in our code it arrived tells nothing.
 */
export function errorFields(error: Error): object {
  const { stack, ...fields } = pino.stdSerializers.err(error);
  const isFromOutside = error instanceof ApiError || error instanceof TransportError;
  return { ...fields, type: error.name, ...(!isFromOutside && { stack }) };
}

/** The fields that name a resource in an entry. */
export const about = ({ kind, namespace, name }: ResourceRef): Readonly<Record<string, string>> => ({
  kind,
  namespace,
  name,
});
