import type { Manifest } from '../../workload.ts';
import type { PrometheusServer } from './prometheus.schema.ts';
import type { PrometheusQuery, Trigger } from './autoscaling.ts';

type Authentication = NonNullable<PrometheusServer['authentication']>;

/** A parameter of KEDA's scaler, and the key of a Secret that holds it. */
interface Parameter {
  readonly parameter: string;
  readonly name: string;
  readonly key: string;
}

/** What a TriggerAuthentication says: where KEDA finds what it shows, never what that is. */
export interface TriggerAuthenticationSpec {
  readonly secretTargetRef?: readonly Parameter[];
  readonly configMapTargetRef?: readonly Parameter[];
  readonly podIdentity?: Readonly<Record<string, string>>;
}

/** Where KEDA finds what it shows to a source. It reads the Secrets with its own rights. */
export const triggerAuthentication = (metadata: Manifest['metadata'], spec: TriggerAuthenticationSpec): Manifest => ({
  apiVersion: 'keda.sh/v1alpha1',
  kind: 'TriggerAuthentication',
  metadata,
  spec: { ...spec },
});

/**
 * Asks Prometheus. KEDA 2.21 names what it reads in `pkg/scalers/prometheus_scaler.go`.
 *
 * @param own - name of the TriggerAuthentication of the resource
 */
export const prometheusTrigger = (
  server: PrometheusServer,
  { name, query, threshold }: PrometheusQuery,
  own: string,
): Trigger => {
  const { serverAddress, headers, queryParameters, authentication = {} } = server;
  const modes = modesOf(authentication);
  const region = authentication.aws?.region ?? authentication.existing?.awsRegion;
  const shown = authenticationRef(server, own);
  return {
    type: 'prometheus',
    name,
    metadata: {
      serverAddress,
      query,
      threshold: String(threshold),
      ignoreNullValues: 'false',
      ...(headers && { customHeaders: pairs(headers) }),
      ...(queryParameters && { queryParameters: pairs(queryParameters) }),
      ...(modes.length > 0 && { authModes: modes.join(',') }),
      ...(region !== undefined && { awsRegion: region }),
    },
    ...(shown && { authentication: shown }),
  };
};

/** What the TriggerAuthentication of the resource says; none where nothing is shown, or another one is named. */
export function authenticationOf({ ca, authentication }: PrometheusServer): TriggerAuthenticationSpec | undefined {
  if (!authentication || authentication.existing) return undefined;
  const podIdentity = identityOf(authentication);
  const secrets = [
    ...secretsOf(authentication),
    ...(ca?.secretName === undefined ? [] : [caIn(ca.secretName, ca.key)]),
  ];
  return {
    ...(podIdentity && { podIdentity }),
    ...(secrets.length > 0 && { secretTargetRef: secrets }),
    ...(ca?.configMapName !== undefined && { configMapTargetRef: [caIn(ca.configMapName, ca.key)] }),
  };
}

const authenticationRef = (server: PrometheusServer, own: string): Trigger['authentication'] => {
  const existing = server.authentication?.existing;
  if (existing) return { name: existing.name, kind: existing.kind };
  return server.authentication && { name: own };
};

/** Its names for what it shows; with the identity of a cloud there must be none. */
function modesOf({ bearerToken, basic, header, clientCertificate, existing }: Authentication): readonly string[] {
  if (existing) return existing.modes ?? [];
  const modes = [bearerToken && 'bearer', basic && 'basic', header && 'custom', clientCertificate && 'tls'];
  return modes.filter((mode) => mode !== undefined);
}

/** The parameters of `pkg/scalers/authentication/authentication_types.go`, `aws/aws_common.go` and `gcp/gcp_common.go`. */
function secretsOf(authentication: Authentication): readonly Parameter[] {
  const { bearerToken, basic, header, clientCertificate, aws, gcp } = authentication;
  const keys = {
    bearerToken,
    username: basic?.username,
    password: basic?.password,
    customAuthHeader: header?.name,
    customAuthValue: header?.value,
    cert: clientCertificate?.certificate,
    key: clientCertificate?.privateKey,
    awsAccessKeyID: aws?.accessKey?.id,
    awsSecretAccessKey: aws?.accessKey?.secret,
    GoogleApplicationCredentials: gcp?.serviceAccountKey,
  };
  return Object.entries(keys).flatMap(([parameter, from]) =>
    from ? [{ parameter, name: from.secretName, key: from.key }] : [],
  );
}

/** The identity of a cloud that KEDA's operator has, or takes on. */
function identityOf({ aws, azure, gcp }: Authentication): Readonly<Record<string, string>> | undefined {
  if (aws && !aws.accessKey) return { provider: 'aws', ...(aws.roleArn !== undefined && { roleArn: aws.roleArn }) };
  if (azure)
    return {
      provider: 'azure-workload',
      ...(azure.clientId !== undefined && { identityId: azure.clientId }),
      ...(azure.tenantId !== undefined && { identityTenantId: azure.tenantId }),
    };
  return gcp && !gcp.serviceAccountKey ? { provider: 'gcp' } : undefined;
}

const caIn = (name: string, key: string): Parameter => ({ parameter: 'ca', name, key });

/** In the order of their names: the API server keeps no order of a map. */
const pairs = (map: Readonly<Record<string, string>>): string =>
  Object.entries(map)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
