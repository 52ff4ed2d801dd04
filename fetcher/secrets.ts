import { CREDENTIALS, variablesOf, PROXY_VARIABLES } from '../constructs/parts/weights/index.ts';
import type { Environment } from './config.ts';

/** The variables whose values must never be printed. */
const SECRET_VARIABLES = Object.values(CREDENTIALS)
  .flat()
  .filter(({ secret }) => secret)
  .flatMap((credential) => [...variablesOf(credential).map(({ variable }) => variable), ...credential.keys]);

/** Of a shorter value nothing is kept secret by blotting it out, and all else becomes unreadable. */
const SHORTEST = 4;

/**
 * Gives a function that blots out secrets. Nothing here prints one on purpose; this is for the words of others, such
 * as a server that repeats a header in its answer. A query may carry a signature, so queries go as well.
 */
export function redactor(env: Environment): (text: string) => string {
  const values = [
    ...SECRET_VARIABLES.map((name) => env[name]),
    ...PROXY_VARIABLES.map((name) => passwordIn(env[name])),
  ];
  // Of a shared access signature the part that counts is secret by itself, encoded or not.
  const signatures = values.map((text) => new URLSearchParams(text?.trim()).get('sig'));
  const secrets = [...values, ...signatures].flatMap((text) => {
    const value = text?.trim() ?? '';
    return value.length < SHORTEST ? [] : [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
  });
  return (text) => secrets.reduce((blotted, secret) => blotted.replaceAll(secret, '***'), text).replaceAll(QUERY, '$1');
}

/** The password in a URL: behind the first colon of what stands before the last `@`. */
const passwordIn = (url = ''): string => /^(?:\w+:\/\/)?[^:]*:(.*)@/.exec(url)?.[1] ?? '';

/** A query after a URL. It looks for no more than a URL may have, so that its time grows as the text does. */
const QUERY = /(https?:\/\/[^\s?"']{1,2048})\?[^\s"']*/g;
