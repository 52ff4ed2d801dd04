import { createSign } from 'node:crypto';
import { EXIT } from '../../constructs/parts/weights/index.ts';
import { objectIn } from '../../constructs/schema/json.ts';
import type { Environment } from '../config.ts';
import { FetchError } from '../errors.ts';
import type { Call, Http } from '../http.ts';
import { textOf } from '../json.ts';
import type { Explain } from '../refusal.ts';
import { renewed } from '../renewed.ts';
import { tokenError, parseAccessToken } from './credential-answers.ts';

const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_only';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** The longest that Google accepts. */
const ASSERTION_SECONDS = 3600;

/**
 * Gives access tokens for Google Cloud: by the key of a service account, else from the metadata server where
 * TRUNNION_WORKLOAD_IDENTITY says that the pod has an identity there; else none, for public buckets.
 */
export function googleToken(env: Environment, http: Http): () => Promise<string | undefined> {
  const key = env['GOOGLE_APPLICATION_CREDENTIALS_JSON']?.trim();
  const host = env['GCE_METADATA_HOST'] ?? 'metadata.google.internal';
  const metadata: Call = {
    url: `http://${host}/computeMetadata/v1/instance/service-accounts/default/token`,
    headers: { 'metadata-flavor': 'Google' },
    isDirect: true,
  };
  if (key) return asked(http, () => assertion(serviceAccountOf(key)));
  if (env['TRUNNION_WORKLOAD_IDENTITY'] === 'true') return asked(http, () => metadata);
  return () => Promise.resolve(undefined);
}

const asked = (http: Http, call: () => Call): (() => Promise<string>) =>
  renewed(() => http.read(call, (text) => parseAccessToken(text, Date.now()), refusedKey));

interface ServiceAccount {
  readonly email: string;
  readonly privateKey: string;
  readonly tokenUri: string;
}

function serviceAccountOf(key: string): ServiceAccount {
  let value: unknown;
  try {
    value = JSON.parse(key);
  } catch {
    value = undefined;
  }
  const fields = objectIn(value);
  const email = textOf(fields['client_email']);
  const privateKey = textOf(fields['private_key']);
  if (email === undefined || privateKey === undefined) {
    throw new FetchError(
      "the key of the Google service account is not the JSON file that Google gives: the Secret's key GOOGLE_APPLICATION_CREDENTIALS_JSON must hold all of it",
      EXIT.unauthorized,
    );
  }
  return { email, privateKey, tokenUri: textOf(fields['token_uri']) ?? 'https://oauth2.googleapis.com/token' };
}

/** The request that trades a signed assertion for a token (RFC 7523). */
function assertion({ email, privateKey, tokenUri }: ServiceAccount): Call {
  const now = Math.floor(Date.now() / 1000);
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = { iss: email, scope: SCOPE, aud: tokenUri, iat: now, exp: now + ASSERTION_SECONDS };
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  let signature: string;
  try {
    signature = createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url');
  } catch {
    throw new FetchError('the private key of the Google service account can not be read', EXIT.unauthorized);
  }
  return {
    url: tokenUri,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: GRANT, assertion: `${signed}.${signature}` }).toString(),
  };
}

const refusedKey: Explain = (status, _headers, body) =>
  new FetchError(
    `Google gave no access token (${status} ${tokenError(body)}): check the service account's key, or what IAM lets the ServiceAccount do`,
    EXIT.unauthorized,
  );
