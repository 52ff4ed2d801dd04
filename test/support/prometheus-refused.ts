const key = { secretName: 'prometheus', key: 'token' };
const bearerToken = key;
const basic = { username: key, password: key };
const clientCertificate = { certificate: key, privateKey: key };
const https = 'https://prometheus.example.com';
const inCluster = 'http://prometheus.monitoring.svc:9090';
const aws = { region: 'eu-central-1' };
const ROLE = 'arn:aws:iam::111122223333:role/reader';
const BELOW = '.authentication';

/** A way to get at a Prometheus that must be refused. */
interface RefusedServer {
  /** What it shows, as a sentence's end: "refuses …". */
  readonly title: string;
  readonly server: object;
  /** Each path below the server with a part of its message; no other problem may be told. */
  readonly problems: readonly (readonly [path: string, message: string])[];
}

const shown = (
  title: string,
  authentication: object,
  path: string,
  message: string,
  serverAddress: string = https,
): RefusedServer => ({ title, server: { serverAddress, authentication }, problems: [[path, message]] });

const rejected = (title: string, field: object, path: string, message: string): RefusedServer => ({
  title,
  server: { serverAddress: https, ...field },
  problems: [[path, message]],
});

/** Ways to get at a Prometheus that must be refused wherever one is named. */
export const refusedServers: readonly RefusedServer[] = [
  shown('an authentication by nothing', {}, BELOW, 'or clientCertificate alone'),
  shown('two of which KEDA shows one', { bearerToken, basic }, BELOW, 'exactly one of bearerToken, basic'),
  shown('an identity beside a token', { aws, bearerToken }, BELOW, 'exactly one of bearerToken, basic'),
  shown('an identity beside a certificate', { aws, clientCertificate }, `${BELOW}.clientCertificate`, 'leave it out'),
  shown(
    'a token that everyone on the way reads',
    { bearerToken },
    '.serverAddress',
    'must be https where authentication is given',
    'http://prometheus.example.com',
  ),
  shown(
    'a token for a host that is only named like a Service',
    { bearerToken },
    '.serverAddress',
    'must be https where authentication is given',
    'http://prometheus.svc.example.com',
  ),
  shown('a certificate without TLS', { clientCertificate }, `${BELOW}.clientCertificate`, 'use https', inCluster),
  shown(
    'a role beside a key',
    { aws: { ...aws, roleArn: ROLE, accessKey: { id: key, secret: key } } },
    `${BELOW}.aws.roleArn`,
    'leave out one of them',
  ),
  shown('a region that is none', { aws: { region: 'Europe' } }, `${BELOW}.aws.region`, 'eu-central-1'),
  shown('a role without its ARN', { aws: { ...aws, roleArn: 'reader' } }, `${BELOW}.aws.roleArn`, 'ARN of a role'),
  shown(
    'a tenant of no identity',
    { azure: { tenantId: '11111111-1111-1111-1111-111111111111' } },
    `${BELOW}.azure.clientId`,
    'is required where tenantId is given',
  ),
  shown(
    'an identity by its name',
    { azure: { clientId: 'prometheus-reader-of-the-models-team' } },
    `${BELOW}.azure.clientId`,
    'a GUID',
  ),
  shown(
    'modes of which KEDA shows one',
    { existing: { name: 'monitoring', modes: ['bearer', 'basic'] } },
    `${BELOW}.existing.modes`,
    'at most one of bearer, basic',
  ),
  shown(
    'a mode twice',
    { existing: { name: 'monitoring', modes: ['tls', 'tls'] } },
    `${BELOW}.existing.modes`,
    'each mode once',
  ),
  {
    title: 'null among the modes',
    server: { serverAddress: https, authentication: { existing: { name: 'monitoring', modes: [null] } } },
    problems: [
      [`${BELOW}.existing.modes[0]`, 'must be of type string: "null"'],
      [`${BELOW}.existing.modes[0]`, 'supported values: "bearer", "basic", "oauth", "tls", "custom"'],
    ],
  },
  shown(
    'a region beside modes',
    { existing: { name: 'monitoring', modes: ['bearer'], awsRegion: 'eu-central-1' } },
    `${BELOW}.existing.awsRegion`,
    'leave out one of them',
  ),
  {
    title: 'an authority of a server without TLS',
    server: { serverAddress: inCluster, ca: { secretName: 'ca', key: 'ca.crt' }, authentication: { bearerToken } },
    problems: [['.ca', 'is for an https serverAddress only']],
  },
  rejected('an authority that KEDA does not read', { ca: { secretName: 'ca', key: 'ca.crt' } }, '.ca', '--ca-dir'),
  rejected(
    'an authority beside the identity of a cloud',
    { ca: { secretName: 'ca', key: 'ca.crt' }, authentication: { aws } },
    '.ca',
    'is read by KEDA only beside bearerToken',
  ),
  rejected(
    'an authority from two places',
    { ca: { secretName: 'ca', configMapName: 'ca', key: 'ca.crt' }, authentication: { bearerToken } },
    '.ca',
    'exactly one of secretName and configMapName',
  ),
  rejected('a token in the spec', { headers: { authorization: 'Bearer a' } }, '.headers', 'refer to a Secret'),
  rejected(
    'a token in the spec, in large letters',
    { headers: { AUTHORIZATION: 'a' } },
    '.headers',
    'refer to a Secret',
  ),
  rejected('a header that is none', { headers: { 'X Scope': 'a' } }, '.headers', 'name of an HTTP header'),
  rejected('a header of two lines', { headers: { A: 'a\nB: b' } }, '.headers[A]', 'must be printable ASCII'),
  rejected('a header that KEDA splits', { headers: { A: 'a,b=c' } }, '.headers[A]', 'must be printable ASCII'),
  rejected(
    'a parameter that KEDA splits',
    { queryParameters: { a: 'b=c' } },
    '.queryParameters[a]',
    'must be printable',
  ),
  rejected(
    'a second query',
    { queryParameters: { query: 'up' } },
    '.queryParameters',
    'must have neither query nor time',
  ),
  rejected('a parameter that is two', { queryParameters: { 'a&b': 'c' } }, '.queryParameters', 'name of a parameter'),
];
