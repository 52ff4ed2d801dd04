import { writeFileSync } from 'node:fs';
import { plainText } from '../constructs/parts/values/index.ts';
import type { Marker } from '../constructs/parts/weights/index.ts';
import type { Config } from './config.ts';
import { MESSAGE_LENGTH } from './limits.ts';
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

/**
 * Makes a report on stdout and in the termination log. What hosts and the volume say is text of others: here it becomes
 * plain, and secrets are blotted out.
 */
export function reportTo(config: Pick<Config, 'terminationLog' | 'env'>): Report {
  const redact = redactor(config.env);
  // Blotted out before it is made plain or cut, so that no part of a secret is left.
  const plain = (text: string): string => plainText(redact(text.slice(0, MAX_READ))).slice(0, MESSAGE_LENGTH);
  const line = (fields: Readonly<Record<string, unknown>>): void => {
    const plainFields = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? plain(value) : value,
    ]);
    process.stdout.write(`${JSON.stringify(Object.fromEntries(plainFields))}\n`);
  };
  const lastWord = (text: string): void => {
    try {
      writeFileSync(config.terminationLog, cut(plain(text)));
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

/** Of a message, in characters; what comes after it is not told. A secret is far shorter. */
const MAX_READ = 8 * MESSAGE_LENGTH;

/** As much as Kubernetes keeps, and no half of a character. */
const cut = (text: string): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, TERMINATION_MESSAGE_BYTES), { stream: true });
