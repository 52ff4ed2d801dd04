import { createHash, createHmac } from 'node:crypto';
import type { Call } from '../http.ts';
import type { AwsCredentials } from './credential-answers.ts';

/** A request that is to be signed. It has no body. */
interface Unsigned {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Signs a request to S3, as AWS' Signature Version 4 says. The path and the query of its URL are encoded already.
 *
 * @param at - when the signature is made; S3 takes it for a quarter of an hour
 */
export function signed(
  { url, method, headers }: Unsigned,
  { accessKeyId, secretAccessKey, sessionToken }: AwsCredentials,
  region: string,
  at = new Date(),
): Call {
  const { host, pathname, searchParams } = new URL(url);
  const time = at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const ours = {
    'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  };
  const names = ['host', ...Object.keys(ours)];
  const values = [host, ...Object.values(ours)];
  const query = [...searchParams].map((pair) => pair.map(encoded).join('=')).toSorted();
  const request = [
    method,
    strictly(pathname),
    query.join('&'),
    ...names.map((name, at) => `${name}:${values[at]}`),
    '',
    names.join(';'),
    ours['x-amz-content-sha256'],
  ].join('\n');
  const scope = [time.slice(0, 8), region, 's3', 'aws4_request'];
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), createHash('sha256').update(request).digest('hex')];
  const key = scope.reduce<string | Buffer>((from, part) => hmac(from, part).digest(), `AWS4${secretAccessKey}`);
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${names.join(';')}, Signature=${hmac(key, text.join('\n')).digest('hex')}`;
  return { url, method, headers: { ...headers, ...ours, authorization } };
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);

const encoded = (text: string): string => strictly(encodeURIComponent(text));

/** RFC 3986 reserves what URLs of the web leave as it is. */
const strictly = (text: string): string =>
  text.replaceAll(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
