import { EXIT } from '../../constructs/parts/weights/index.ts';
import type { Environment } from '../config.ts';
import { FetchError } from '../errors.ts';
import type { Call, Http } from '../http.ts';
import { renewed } from '../renewed.ts';
import type { Expiring } from '../renewed.ts';
import type { AwsCredentials } from './credential-answers.ts';
import { parseAssumedRole, parseContainerCredentials, tokenIn } from './credential-answers.ts';
import { s3Code } from './s3-answers.ts';

/**
 * Gives credentials as the AWS SDKs find them in a pod: keys from the environment, else a web identity (IRSA), which
 * is exchanged for keys that run out and are renewed, else what hands out keys on the node (EKS Pod Identity); else none, for
 * public buckets.
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
  const container = env['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
  if (!role || !tokenFile) {
    return container ? renewed(() => fromContainer(http, container, env)) : () => Promise.resolve(undefined);
  }
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
        WebIdentityToken: await tokenIn(tokenFile),
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

/** Hosts that may be asked without TLS, as the SDKs have it: those of ECS and EKS, and the pod itself. */
const NEAR = /^http:\/\/(?:169\.254\.170\.23?|\[fd00:ec2::23\]|\[::1\]|localhost|127(?:\.\d{1,3}){3})(?::\d+)?$/;

/**
 * Asks what a webhook names to the pod: the agent of EKS Pod Identity. The token is read for each request, since Kubernetes
 * renews the file.
 */
async function fromContainer(http: Http, url: string, env: Environment): Promise<Expiring<AwsCredentials>> {
  const { protocol, origin } = URL.parse(url) ?? {};
  if (protocol !== 'https:' && !NEAR.test(origin ?? '')) {
    throw new FetchError(
      'AWS_CONTAINER_CREDENTIALS_FULL_URI must begin with https://, or name 169.254.170.2, 169.254.170.23, [fd00:ec2::23] or the loopback: it would get a token in plain text',
      EXIT.usage,
    );
  }
  const file = env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'];
  const call = async (): Promise<Call> => {
    const token = file ? await tokenIn(file) : env['AWS_CONTAINER_AUTHORIZATION_TOKEN']?.trim();
    return {
      url,
      redirect: 'manual',
      isDirect: protocol === 'http:',
      ...(token && { headers: { authorization: token } }),
    };
  };
  try {
    return await http.read(
      call,
      parseContainerCredentials,
      (status) =>
        new FetchError(
          `EKS Pod Identity gave the ServiceAccount no keys (${status}): check its association in EKS, and the trust policy of the role`,
          EXIT.unauthorized,
        ),
    );
  } catch (error) {
    if (!(error instanceof FetchError) || !error.retry) throw error;
    throw new FetchError(
      `${error.message}; for EKS Pod Identity set spec.serviceAccount.identity to eks-pod-identity`,
      error.exitCode,
      { retry: true, cause: error.cause },
    );
  }
}
