import * as z from 'zod';
import { withRules, type Rule } from '../../schema/rules.ts';
import type { Parsed } from '../../schema/types.ts';
import { dataKey, objectName, printableKeys, secretKey } from '../objects/schema.ts';

const serverAddress = withRules(z.string().min(1).max(512), {
  rule: "self.matches('^https?://[^/@ ?#]+(/[^ ?#]*)?$')",
  message: 'must be an http or https URL without user, query and fragment: http://prometheus.monitoring.svc:9090',
}).describe('The URL of the Prometheus server that scrapes the pods.');

/** KEDA splits a list of pairs at each comma and each pair at "=", and knows no way to write either. */
const plainValue = withRules(z.string().min(1).max(512), {
  rule: "self.matches('^[!-+.-<>-~-]([ -+.-<>-~-]*[!-+.-<>-~-])?$')",
  message:
    'must be printable ASCII without "," and "=", which KEDA takes for the end of a value, and without spaces at its ends',
});

const HEADER = '^[A-Za-z0-9]([-_A-Za-z0-9]*[A-Za-z0-9])?$';
const PARAMETER = '^[A-Za-z_][-_.A-Za-z0-9]*$';

/** Headers that hold credentials; their names are the same in small and large letters. */
const SECRET = ['authorization', 'proxy-authorization', 'cookie'];
const inAnyCase = (name: string): string => name.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);

const headers = withRules(
  z.record(z.string(), plainValue.describe('The value of the header, which everyone may read.')).meta({
    maxProperties: 16,
  }),
  {
    rule: `self.all(name, name.size() <= 128 && name.matches('${HEADER}'))`,
    message: 'each key must be the name of an HTTP header: letters, digits, "-" and "_"',
  },
  {
    rule: `self.all(name, !name.matches('^(${SECRET.map(inAnyCase).join('|')})$'))`,
    message: 'must have no header that holds a credential: refer to a Secret in authentication',
  },
  printableKeys,
);

const queryParameters = withRules(
  z.record(z.string(), plainValue.describe('The value of the parameter.')).meta({ maxProperties: 16 }),
  {
    rule: `self.all(name, name.size() <= 128 && name.matches('${PARAMETER}'))`,
    message: 'each key must be the name of a parameter: letters, digits, "_", "-" and "."',
  },
  {
    rule: "!('query' in self || 'time' in self)",
    message: 'must have neither query nor time, which KEDA sets: leave them out',
  },
  printableKeys,
);

const ca = withRules(
  z.strictObject({
    secretName: objectName.describe('Name of a Secret of the same namespace.').optional(),
    configMapName: objectName
      .describe('Name of a ConfigMap of the same namespace, for instance openshift-service-ca.crt.')
      .optional(),
    key: dataKey.describe('The key whose value is the certificate, in PEM.'),
  }),
  {
    rule: 'has(self.secretName) != has(self.configMapName)',
    message: 'exactly one of secretName and configMapName must be given',
  },
);

const awsRegion = withRules(z.string().min(1).max(64), {
  rule: "self.matches('^[a-z]{2,}(-[a-z]+)+-[0-9]+$')",
  message: 'must be the name of a region of AWS: eu-central-1',
});

const aws = withRules(
  z.strictObject({
    region: awsRegion.describe('The region of the workspace, for which requests are signed.'),
    roleArn: withRules(z.string().min(1).max(2048), {
      rule: "self.matches('^arn:[a-z-]+:iam::[0-9]{12}:role/[!-~]+$')",
      message: 'must be the ARN of a role: arn:aws:iam::111122223333:role/prometheus-reader',
    })
      .describe("The role to take on. Default: the one that KEDA's operator has.")
      .optional(),
    accessKey: z
      .strictObject({
        id: secretKey.describe('Where the id of the key is.'),
        secret: secretKey.describe('Where the secret of the key is.'),
      })
      .describe("An access key, in place of the identity of KEDA's operator.")
      .optional(),
  }),
  {
    rule: '!(has(self.roleArn) && has(self.accessKey))',
    fieldPath: '.roleArn',
    message: 'must be left out where accessKey is given, which KEDA then does not read: leave out one of them',
  },
);

const GUID = "self.matches('^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$')";
const guid = withRules(z.string().length(36), { rule: GUID, message: 'must be an id of Microsoft Entra, a GUID' });

const azure = withRules(
  z.strictObject({
    clientId: guid.describe("The client id of the identity to take on. Default: that of KEDA's operator.").optional(),
    tenantId: guid.describe("The tenant of the identity. Default: that of KEDA's operator.").optional(),
  }),
  {
    rule: '!has(self.tenantId) || has(self.clientId)',
    fieldPath: '.clientId',
    message: 'is required where tenantId is given',
  },
);

const existing = withRules(
  z.strictObject({
    kind: z
      .enum(['TriggerAuthentication', 'ClusterTriggerAuthentication'])
      .describe('Which of the two it is; a TriggerAuthentication is of the same namespace.')
      .default('TriggerAuthentication'),
    name: objectName.describe('Its name.'),
    modes: z
      .array(z.enum(['bearer', 'basic', 'oauth', 'tls', 'custom']).describe('A mode.'))
      .min(1)
      .max(3)
      .meta({ 'x-kubernetes-list-type': 'atomic' })
      .describe('How KEDA shows what it finds there, its authModes. Left out where it is the identity of a cloud.')
      .optional(),
    awsRegion: awsRegion.describe('The region of the workspace, where requests are signed for AWS.').optional(),
  }),
  {
    rule: "!has(self.modes) || self.modes.filter(m, m != 'tls').size() <= 1 && self.modes.filter(m, m == 'tls').size() <= 1",
    fieldPath: '.modes',
    message: 'must have at most one of bearer, basic, oauth and custom, of which KEDA shows one, and each mode once',
  },
  {
    rule: '!(has(self.modes) && has(self.awsRegion))',
    fieldPath: '.awsRegion',
    message: 'must be left out where modes are given, with which KEDA signs nothing: leave out one of them',
  },
);

/** Of these there is one at most. */
const WAYS = ['bearerToken', 'basic', 'header', 'aws', 'azure', 'gcp', 'existing'] as const;
const GIVEN = `[${WAYS.map((way) => `has(self.${way})`).join(', ')}].filter(x, x).size()`;

const authentication = withRules(
  z.strictObject({
    bearerToken: secretKey.describe('A token, which is shown as "Authorization: Bearer".').optional(),
    basic: z
      .strictObject({
        username: secretKey.describe('Where the name of the user is.'),
        password: secretKey.describe('Where the password is.'),
      })
      .describe('A user and a password.')
      .optional(),
    header: z
      .strictObject({
        name: secretKey.describe('Where the name of the header is: KEDA takes it from a Secret alone.'),
        value: secretKey.describe('Where its value is.'),
      })
      .describe('A header of any name whose value is secret. For one that is no secret see headers.')
      .optional(),
    clientCertificate: z
      .strictObject({
        certificate: secretKey.describe('Where the certificate is, in PEM.'),
        privateKey: secretKey.describe('Where its key is, in PEM.'),
      })
      .describe('A certificate of the client, alone or beside bearerToken, basic or header.')
      .optional(),
    aws: aws.describe('Signs requests for Amazon Managed Service for Prometheus (SigV4).').optional(),
    azure: azure.describe('Workload identity, for an Azure Monitor workspace.').optional(),
    gcp: z
      .strictObject({
        serviceAccountKey: secretKey
          .describe("Where the key of a service account is, in JSON. Default: the identity of KEDA's operator.")
          .optional(),
      })
      .describe('An identity of Google Cloud, for Managed Service for Prometheus.')
      .optional(),
    existing: existing.describe('A TriggerAuthentication or ClusterTriggerAuthentication that is there.').optional(),
  }),
  {
    rule: `${GIVEN} == 1 || ${GIVEN} == 0 && has(self.clientCertificate)`,
    message: `exactly one of ${WAYS.slice(0, -1).join(', ')} and existing must be given, or clientCertificate alone`,
  },
  {
    rule: '!has(self.clientCertificate) || !(has(self.aws) || has(self.azure) || has(self.gcp) || has(self.existing))',
    fieldPath: '.clientCertificate',
    message: 'is taken alone or beside bearerToken, basic or header only: leave it out',
  },
);

/** How to get at a Prometheus, beside its address. */
export const prometheusAccess = {
  ca: ca
    .describe("The certificate of the authority that signed the server's. Default: those that KEDA's operator trusts.")
    .optional(),
  headers: headers
    .describe('Headers of each request that are no secrets, for instance X-Scope-OrgID of Mimir and Cortex.')
    .optional(),
  queryParameters: queryParameters
    .describe('Parameters of each request, for instance namespace of the port for tenants of OpenShift.')
    .optional(),
  authentication: authentication
    .describe(
      "What KEDA shows to get in. It reads the Secrets with its own rights; neither pods nor Trunnion's operator get them.",
    )
    .optional(),
};

/** NAME, or NAME.NAMESPACE.svc: what goes there stays in the cluster. */
const IN_CLUSTER =
  "self.serverAddress.matches('^http://[^/.:]+([.][^/.:]+[.]svc([.]cluster[.]local)?)?(:[0-9]+)?(/.*)?$')";
const IS_TLS = "self.serverAddress.startsWith('https://')";

/** Hold wherever these fields stand beside `serverAddress`. */
export const prometheusRules: readonly Rule[] = [
  {
    rule: `!has(self.serverAddress) || !has(self.authentication) || ${IS_TLS} || ${IN_CLUSTER}`,
    fieldPath: '.serverAddress',
    message:
      'must be https where authentication is given, or http to a Service of the cluster (NAME.NAMESPACE.svc): everyone on the way could read what is shown',
  },
  {
    rule: `!has(self.serverAddress) || !has(self.authentication) || !has(self.authentication.clientCertificate) || ${IS_TLS}`,
    fieldPath: '.authentication.clientCertificate',
    message: 'is for an https serverAddress only: leave it out, or use https',
  },
  {
    rule: `!has(self.serverAddress) || !has(self.ca) || ${IS_TLS}`,
    fieldPath: '.ca',
    message: 'is for an https serverAddress only: leave it out, or use https',
  },
  {
    rule: '!has(self.ca) || has(self.authentication) && (has(self.authentication.bearerToken) || has(self.authentication.basic) || has(self.authentication.header) || has(self.authentication.clientCertificate))',
    fieldPath: '.ca',
    message:
      "is read by KEDA only beside bearerToken, basic, header or clientCertificate of authentication: give one of them, put it into the existing TriggerAuthentication, or give KEDA's operator the certificate (its --ca-dir)",
  },
];

/** Where metrics are asked for. */
export const prometheus = withRules(z.strictObject({ serverAddress, ...prometheusAccess }), ...prometheusRules);

/** A Prometheus, and how to get at it. */
export type PrometheusServer = Parsed<z.output<typeof prometheus>>;
