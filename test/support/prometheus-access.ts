import { isObject, type PlainObject } from '../../constructs/schema/json.ts';

const key = (name: string) => ({ secretName: 'prometheus', key: name });
const https = 'https://prometheus.example.com/prom';

/** One Prometheus of each kind that asks for something, by what it is. */
export const servers = {
  'a Thanos of OpenShift': {
    serverAddress: 'https://thanos-querier.openshift-monitoring.svc:9092',
    queryParameters: { namespace: 'models' },
    ca: { configMapName: 'openshift-service-ca.crt', key: 'service-ca.crt' },
    authentication: { bearerToken: key('token') },
  },
  'a Mimir': {
    serverAddress: 'http://mimir-gateway.mimir.svc/prometheus',
    headers: { 'X-Scope-OrgID': 'models' },
    authentication: { basic: { username: key('user'), password: key('password') } },
  },
  'one with a header of its own': {
    serverAddress: https,
    ca: { secretName: 'authority', key: 'ca.crt' },
    authentication: { header: { name: key('header'), value: key('value') } },
  },
  'one that asks for a certificate': {
    serverAddress: https,
    authentication: { clientCertificate: { certificate: key('tls.crt'), privateKey: key('tls.key') } },
  },
  'a workspace of AWS': {
    serverAddress: 'https://aps-workspaces.eu-central-1.amazonaws.com/workspaces/ws-1',
    authentication: { aws: { region: 'eu-central-1', roleArn: 'arn:aws:iam::111122223333:role/reader' } },
  },
  'a workspace of AWS by an access key': {
    serverAddress: 'https://aps-workspaces.eu-central-1.amazonaws.com/workspaces/ws-1',
    authentication: { aws: { region: 'eu-central-1', accessKey: { id: key('id'), secret: key('secret') } } },
  },
  'a workspace of Azure': {
    serverAddress: 'https://models.germanywestcentral.prometheus.monitor.azure.com',
    authentication: {
      azure: {
        clientId: '11111111-1111-1111-1111-111111111111',
        tenantId: '11111111-1111-1111-1111-111111111112',
      },
    },
  },
  'a project of Google': {
    serverAddress: 'https://monitoring.googleapis.com/v1/projects/models/location/global/prometheus',
    authentication: { gcp: {} },
  },
  'a project of Google by a key': {
    serverAddress: 'https://monitoring.googleapis.com/v1/projects/models/location/global/prometheus',
    authentication: { gcp: { serviceAccountKey: key('key.json') } },
  },
  'what a TriggerAuthentication of the user says': {
    serverAddress: https,
    authentication: { existing: { kind: 'TriggerAuthentication', name: 'monitoring', modes: ['bearer'] } },
  },
  'what a ClusterTriggerAuthentication says': {
    serverAddress: https,
    authentication: {
      existing: { kind: 'ClusterTriggerAuthentication', name: 'monitoring', awsRegion: 'eu-central-1' },
    },
  },
} as const;

const OTHERS: Readonly<Record<string, string>> = {
  TriggerAuthentication: 'ClusterTriggerAuthentication',
  ClusterTriggerAuthentication: 'TriggerAuthentication',
  'eu-central-1': 'eu-west-1',
  bearer: 'basic',
};

/** Another value that is as good. */
const otherThan = (value: string): string =>
  OTHERS[value] ?? (value.startsWith('1111') ? value.replace('1', '2') : `${value}2`);

/** The fields in which each of two servers differs from the other, by the path of the field below them. */
function variants(value: unknown, path: string): readonly (readonly [path: string, other: unknown])[] {
  if (typeof value === 'string') return [[path, otherThan(value)]];
  if (Array.isArray(value)) return variants(value[0], `${path}[]`).map(([at, other]) => [at, [other]]);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const isKey = path.endsWith('.headers') || path.endsWith('.queryParameters');
    return variants(each, isKey ? `${path}{}` : `${path}.${name}`).map(
      ([at, other]) => [at, { ...value, [name]: other }] as const,
    );
  });
}

/** Two servers that differ in one field, for each field below `serverAddress`: `.ca.key`. */
export const serverPairs: Readonly<Record<string, readonly [PlainObject, PlainObject]>> = Object.fromEntries(
  Object.values(servers).flatMap((server) =>
    variants(server, '').map(([path, other]) => [path, [server, other as PlainObject]] as const),
  ),
);

/** Other values of its fields, by the ends of their paths, good and bad. */
export const accessValues: Readonly<Record<string, readonly unknown[]>> = {
  '.serverAddress': ['https://other:9090', 'http://prometheus.example.com', 'other:9090', 'http://user@other:9090'],
  '.authentication.aws.region': ['eu-west-1', 'Europe'],
  '.roleArn': ['arn:aws:iam::111122223333:role/other', 'reader'],
  '.azure.clientId': ['21111111-1111-1111-1111-111111111111', 'reader'],
  '.azure.tenantId': ['21111111-1111-1111-1111-111111111112', 'example.com'],
  '.existing.awsRegion': ['eu-west-1', 'Europe'],
};
