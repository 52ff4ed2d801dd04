import { createHmac } from 'node:crypto';
import { EXIT } from '../../constructs/parts/weights/index.ts';
import type { Environment } from '../config.ts';
import { endpointOf } from '../endpoint.ts';
import { FetchError } from '../errors.ts';
import type { Call, Http } from '../http.ts';
import { renewed } from '../renewed.ts';
import { parseAccessToken, tokenError, tokenIn } from './credential-answers.ts';

/** The version of the REST API. From 2021-02-12 on a listing has every name. */
const VERSION = '2021-12-02';

/** For accounts of all clouds. */
const SCOPE = 'https://storage.azure.com/.default';

/** A request for a blob or a listing, without what says who asks. */
interface Plain {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Makes requests of somebody whom an account lets in: by a shared access signature, else by the key of the account, else by
 * the identity that the webhook of Azure Workload Identity gives the pod; else of nobody, for public containers.
 *
 * @param account - the name of the storage account
 */
export function azureAccess(env: Environment, http: Http, account: string): (plain: Plain) => Promise<Call> {
  const sas = env['AZURE_STORAGE_SAS_TOKEN']?.trim().replace(/^\?/, '');
  const key = env['AZURE_STORAGE_KEY']?.trim();
  if (sas) return (plain) => Promise.resolve(versioned({ ...plain, url: `${plain.url}${queryMark(plain.url)}${sas}` }));
  if (key) return (plain) => Promise.resolve(signedByKey(versioned(plain), account, key));
  const { AZURE_CLIENT_ID: client, AZURE_TENANT_ID: tenant, AZURE_FEDERATED_TOKEN_FILE: file } = env;
  if (!client || !tenant || !file) return (plain) => Promise.resolve(versioned(plain));
  const authority = endpointOf(env['AZURE_AUTHORITY_HOST'] || 'https://login.microsoftonline.com');
  const token = renewed(() =>
    http.read(
      async () => ({
        url: `${authority}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: client,
          scope: SCOPE,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: await tokenIn(file),
        }).toString(),
      }),
      (text) => parseAccessToken(text, Date.now()),
      (status, _headers, body) =>
        new FetchError(
          `Azure gave the ServiceAccount no access token (${status} ${tokenError(body)} ${/AADSTS\d{1,10}/.exec(body)?.[0] ?? ''}): check the federated credential of the identity, and the ServiceAccount's annotation azure.workload.identity/client-id`,
          EXIT.unauthorized,
        ),
    ),
  );
  return async (plain) => {
    const { headers, ...call } = versioned(plain);
    return { ...call, headers: { ...headers, authorization: `Bearer ${await token()}` } };
  };
}

const queryMark = (url: string): string => (url.includes('?') ? '&' : '?');

/** A request leads nowhere else: who asks is said to the account alone. */
const versioned = ({ url, headers }: Plain) => ({
  url,
  headers: { ...headers, 'x-ms-version': VERSION },
  redirect: 'manual' as const,
});

/**
 * Signs a request that has no body, as Azure's Shared Key says
 * (https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key).
 *
 * @param at - when it is made; Azure takes it for a quarter of an hour
 */
export function signedByKey(
  { headers: given = {}, ...call }: Call,
  account: string,
  key: string,
  at = new Date(),
): Call {
  const { pathname, searchParams } = new URL(call.url);
  const headers: Readonly<Record<string, string>> = { ...given, 'x-ms-date': at.toUTCString() };
  const own = Object.keys(headers).filter((name) => name.startsWith('x-ms-'));
  const text = [
    // Eleven headers by their place, of which two are ever there: If-Match and Range.
    'GET\n\n\n\n\n\n\n',
    headers['if-match'] ?? '',
    '\n',
    headers['range'] ?? '',
    ...own.toSorted().map((name) => `${name}:${headers[name]}`),
    `/${account}${pathname}`,
    ...[...searchParams].map(([name, value]) => `${name}:${value}`).toSorted(),
  ].join('\n');
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');
  return { ...call, headers: { ...headers, authorization: `SharedKey ${account}:${signature}` } };
}
