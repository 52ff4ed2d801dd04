import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { awsCredentials } from '../../../fetcher/sources/aws-credentials.ts';
import type { Environment } from '../../../fetcher/config.ts';
import { Http } from '../../../fetcher/http.ts';
import { makeVolume } from './support/fetcher.ts';
import { sendJson, startHost } from './support/host.ts';

/*
 * The variables are those that aws/amazon-eks-pod-identity-webhook puts into pods (pkg/handler), the answer is that of
 * aws/eks-pod-identity-agent (pkg/handlers/eks_credential_handler.go), and the hosts that may be asked without TLS are those
 * of @aws-sdk/credential-provider-http 3.972.26 (fromHttp/checkUrl).
 */

const KEYS = {
  AccessKeyId: 'ASIACANARY',
  SecretAccessKey: 'canary/secret',
  Token: 'session',
  AccountId: '123456789012',
  Expiration: '2999-01-01T00:00:00Z',
};

const LISTING =
  '<ListBucketResult><Contents><Key>m/config.json</Key><ETag>"e"</ETag><Size>2</Size></Contents></ListBucketResult>';

const startS3 = () =>
  startHost((_request, response, seen) => void response.end(seen.url.includes('list-type') ? LISTING : '{}'));

const http = () => new Http({ stallMs: 5000, retryMs: 1, attempts: 2 }, new AbortController().signal, () => undefined);

const credentialsOf = (env: Environment) => awsCredentials(env, http(), 'eu-west-1');

describe('EKS Pod Identity', () => {
  test('gives the fetch keys for the token that the webhook mounts', async () => {
    await using agent = await startHost((_request, response) => sendJson(response, KEYS));
    await using s3 = await startS3();
    await using volume = await makeVolume();
    const file = volume.path('token');
    await writeFile(file, 'canary.jwt\n');

    const ended = await volume.run({
      TRUNNION_URI: 's3://models/m',
      AWS_ENDPOINT_URL: s3.origin,
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${agent.origin}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file,
    });

    expect(ended.code).toBe(0);
    expect(agent.requests).toHaveLength(1);
    expect(agent.requests[0]).toMatchObject({ url: '/v1/credentials', headers: { authorization: 'canary.jwt' } });
    expect(s3.requests[0]?.headers['x-amz-security-token']).toBe('session');
    expect(s3.requests[0]?.headers.authorization).toContain('Credential=ASIACANARY/');
    expect(ended.output).not.toContain('canary.jwt');
  });

  test('is asked again before the keys run out, with the token that is in the file by then', async () => {
    await using agent = await startHost((_request, response) =>
      sendJson(response, { ...KEYS, Expiration: new Date(Date.now() + 60_000).toISOString() }),
    );
    await using volume = await makeVolume();
    const file = volume.path('token');
    const credentials = credentialsOf({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${agent.origin}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file,
    });

    for (const token of ['first', 'second']) {
      await writeFile(file, token);
      await credentials();
    }

    expect(agent.requests.map(({ headers }) => headers.authorization)).toEqual(['first', 'second']);
  });

  test('comes after keys of the environment and after a web identity', async () => {
    const container = { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://169.254.170.23/v1/credentials' };
    const own = credentialsOf({ ...container, AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'x' });
    await expect(own()).resolves.toMatchObject({ accessKeyId: 'AKIA' });
    const web = credentialsOf({ ...container, AWS_ROLE_ARN: 'arn', AWS_WEB_IDENTITY_TOKEN_FILE: '/no/such/file' });
    await expect(web()).rejects.toThrow("token of the ServiceAccount can't be read");
  });

  test.each([
    'http://169.254.169.254/latest',
    'http://example.com/v1/credentials',
    'http://169.254.170.23.example.com/',
    'http://127.0.0.1@example.com/',
    'http://localhost.example.com/',
    'file:///etc/passwd',
    'no url',
  ])('shows no token to %s', async (AWS_CONTAINER_CREDENTIALS_FULL_URI) => {
    const credentials = credentialsOf({ AWS_CONTAINER_CREDENTIALS_FULL_URI, AWS_CONTAINER_AUTHORIZATION_TOKEN: 't' });
    await expect(credentials()).rejects.toThrow('must begin with https://, or name 169.254.170.2');
  });

  test.each([
    [403, { code: 67, lastWord: expect.stringContaining('check its association in EKS') as unknown }],
    [503, { code: 1, lastWord: expect.stringContaining('serviceAccount.identity to eks-pod-identity') as unknown }],
  ])('an agent that answers %d is reported with what to do', async (status, expected) => {
    await using agent = await startHost((_request, response) => void response.writeHead(status).end('no'));
    await using volume = await makeVolume();
    const ended = await volume.run({
      TRUNNION_URI: 's3://models/m',
      TRUNNION_ATTEMPTS: '2',
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${agent.origin}/v1/credentials`,
    });
    expect(ended).toMatchObject(expected);
  });

  test.each([
    ['no SecretAccessKey', { ...KEYS, SecretAccessKey: undefined }],
    ['an Expiration that is no time', { ...KEYS, Expiration: 'soon' }],
    ['a token that no header takes', { ...KEYS, Token: 'a\nb' }],
  ])('an answer with %s is none', async (_, answer) => {
    await using agent = await startHost((_request, response) => sendJson(response, answer));
    const credentials = credentialsOf({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${agent.origin}/v1/credentials` });
    await expect(credentials()).rejects.toThrow('the answer has no');
  });
});
