import { readFile } from 'node:fs/promises';
import { EXIT } from '../../constructs/parts/weights/index.ts';
import { objectIn } from '../../constructs/schema/json.ts';
import { FetchError, passing, wordsOf } from '../errors.ts';
import { jsonOf, textOf } from '../json.ts';
import type { Expiring } from '../renewed.ts';
import { element } from '../xml.ts';

/** What signs a request. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** What a header takes: a credential becomes part of one. */
const VISIBLE = /^[\x21-\x7e]{1,16384}$/;

/** Reads what AWS gives for a web identity. @throws FetchError where a part of it is missing, or can be none */
export function parseAssumedRole(xml: string): Expiring<AwsCredentials> {
  const part = (name: string): string => visible(element(xml, name), name);
  const value = {
    accessKeyId: part('AccessKeyId'),
    secretAccessKey: part('SecretAccessKey'),
    sessionToken: part('SessionToken'),
  };
  return { value, expires: time(Date.parse(part('Expiration')), 'Expiration') };
}

/** Reads what the agent of EKS Pod Identity gives. @throws FetchError where a part of it is missing, or can be none */
export function parseContainerCredentials(json: string): Expiring<AwsCredentials> {
  const answer = objectIn(jsonOf(json));
  const part = (name: string): string => visible(textOf(answer[name]), name);
  const value = {
    accessKeyId: part('AccessKeyId'),
    secretAccessKey: part('SecretAccessKey'),
    sessionToken: part('Token'),
  };
  return { value, expires: time(Date.parse(part('Expiration')), 'Expiration') };
}

/**
 * The token of a ServiceAccount, which Kubernetes renews in its file.
 *
 * @throws FetchError where there is none, or one that no header takes
 */
export async function tokenIn(file: string): Promise<string> {
  let token: string;
  try {
    token = (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new FetchError(`the token of the ServiceAccount can't be read: ${wordsOf(cause)}`, EXIT.unauthorized, {
      cause,
    });
  }
  if (!VISIBLE.test(token))
    throw new FetchError(`the token of the ServiceAccount in ${file} is none`, EXIT.unauthorized);
  return token;
}

/**
 * Reads an access token of Google or Azure.
 *
 * @param now - in milliseconds since 1970
 * @throws FetchError where a part of it is missing, or can be none
 */
export function parseAccessToken(json: string, now: number): Expiring<string> {
  const answer = objectIn(jsonOf(json));
  const value = visible(textOf(answer['access_token']), 'access_token');
  return { value, expires: time(now + Number(answer['expires_in'] ?? 0) * 1000, 'expires_in') };
}

/** The one word that says why an access token is refused; empty where there is none. */
export const tokenError = (json: string): string => /"error"\s*:\s*"(\w{1,64})"/.exec(json)?.[1] ?? '';

function visible(text: string | undefined, name: string): string {
  if (text !== undefined && VISIBLE.test(text)) return text;
  throw passing(`the answer has no ${name}, or one that no header takes`);
}

function time(ms: number, name: string): number {
  if (Number.isFinite(ms)) return ms;
  throw passing(`the answer has no ${name} that is a time`);
}
