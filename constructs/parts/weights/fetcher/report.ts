import { writeFileSync } from 'node:fs';
import type { Marker } from '../layout.ts';
import type { Config } from './config.ts';
import { redactor } from './secrets.ts';

/** Kubernetes keeps 4096 bytes of a termination message. */
const TERMINATION_MESSAGE_BYTES = 4096;

/** How far a fetch is. */
export interface Progress {
  readonly bytes: number;
  readonly totalBytes: number;
}

/** Tells the world how it goes: JSON lines on stdout, and a last word for the pod's status. */
export interface Report {
  line(fields: Readonly<Record<string, unknown>>): void;
  /** The weights are there. */
  done(marker: Marker): void;
  /** They are not, and why. */
  failed(message: string, exitCode: number): void;
}

/** Makes a report on stdout and in the termination log; blots out secrets in both. */
export function reportTo(config: Pick<Config, 'terminationLog' | 'env'>): Report {
  const redact = redactor(config.env);
  const line = (fields: Readonly<Record<string, unknown>>): void => {
    process.stdout.write(`${redact(JSON.stringify(fields))}\n`);
  };
  const lastWord = (text: string): void => {
    try {
      writeFileSync(config.terminationLog, Buffer.from(redact(text)).subarray(0, TERMINATION_MESSAGE_BYTES));
    } catch {
      // Outside of a pod there is no such file; the same was said on stdout.
    }
  };
  return {
    line,
    done: ({ revision, bytes }) => {
      const fields = { revision, bytes, totalBytes: bytes };
      line(fields);
      lastWord(JSON.stringify(fields));
    },
    failed: (message, exitCode) => {
      line({ error: message, exitCode });
      lastWord(message);
    },
  };
}
