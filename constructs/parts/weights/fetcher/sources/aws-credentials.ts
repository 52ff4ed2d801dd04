import { readFile } from 'node:fs/promises';
import { EXIT } from '../../layout.ts';
import type { Environment } from '../config.ts';
import { FetchError, wordsOf } from '../errors.ts';
import type { Http } from '../http.ts';
import { renewed } from '../renewed.ts';
import type { Expiring } from '../renewed.ts';
import { parseAssumedRole } from './credential-answers.ts';
import { s3Code } from './s3-answers.ts';

/** What signs a request. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Gives credentials as the AWS SDKs find them in a pod: keys from the environment, else a web identity (IRSA), which
 * is exchanged for keys that run out and are renewed; else none, for public buckets.
 */
export function awsCredentials(
  env: Environment,
  http: Http,
  region: string,
): () => Promise<AwsCredentials | undefined> {
  const accessKeyId = env['AWS_ACCESS_KEY_ID']?.trim();
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY']?.trim();
  const sessionToken = env['AWS_SESSION_TOKEN']?.trim();
  if (accessKeyId && secretAccessKey) {
    const keys = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
    return () => Promise.resolve(keys);
  }
  const role = env['AWS_ROLE_ARN'];
  const tokenFile = env['AWS_WEB_IDENTITY_TOKEN_FILE'];
  if (!role || !tokenFile) return () => Promise.resolve(undefined);
  const endpoint = env['AWS_ENDPOINT_URL_STS'] ?? `https://sts.${region}.${domainOf(region)}`;
  return renewed(() => assumeRole(http, endpoint, role, tokenFile));
}

/** The domain of a region's services: China has its own. */
export const domainOf = (region: string): string => (region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com');

async function assumeRole(
  http: Http,
  endpoint: string,
  role: string,
  tokenFile: string,
): Promise<Expiring<AwsCredentials>> {
  return await http.read(
    async () => ({
      url: endpoint,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        Action: 'AssumeRoleWithWebIdentity',
        Version: '2011-06-15',
        RoleArn: role,
        RoleSessionName: 'trunnion-fetcher',
        WebIdentityToken: (await tokenFrom(tokenFile)).trim(),
      }).toString(),
    }),
    parseAssumedRole,
    (status, _headers, body) =>
      new FetchError(
        `AWS did not let the ServiceAccount take the role ${role} (${status} ${s3Code(body)}): check the role's trust policy and the ServiceAccount's annotations`,
        EXIT.unauthorized,
      ),
  );
}

async function tokenFrom(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new FetchError(`the web identity token can't be read: ${wordsOf(cause)}`, EXIT.unauthorized, { cause });
  }
}
