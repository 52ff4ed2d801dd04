import { HOME_ENV } from '../pod/index.ts';
import { uniqueVariables } from '../objects/index.ts';
import type { EnvVar } from '../objects/index.ts';
import { takenVariables } from '../objects/index.ts';
import { companionsOf } from './companions.ts';
import { CREDENTIALS, variablesOf } from './credentials.ts';
import { fetchIdentity } from './egress.ts';
import type { WeightsInput } from './input.ts';
import { FETCH } from './layout.ts';
import { PROXY_VARIABLES } from './proxy.ts';
import { selectionOf } from './selection.ts';
import { isFetched, parseModelUri } from './uri.ts';

/** Variables by which programs are told of certificates to trust, in the order in which one counts. */
const CERTIFICATES = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'AWS_CA_BUNDLE'] as const;

/** The variable by which Node.js is told of more certificates to trust. */
const NODE_CERTIFICATES = 'NODE_EXTRA_CA_CERTS';

/** How a network is left: variables of a server that its fetch needs, whatever the scheme. */
const NETWORK: readonly string[] = [
  ...PROXY_VARIABLES,
  'no_proxy',
  'NO_PROXY',
  ...CERTIFICATES,
  'SSL_CERT_DIR',
  NODE_CERTIFICATES,
];

/**
 * Variables of a server that say where and as whom a scheme is read. None for https: its variables have such common names
 * that a server may mean something else by them, and the host of the model must not get it.
 */
const HOSTS: Readonly<Record<keyof typeof CREDENTIALS, readonly string[]>> = {
  hf: ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN', 'HF_ENDPOINT'],
  s3: [
    ...CREDENTIALS.s3.map(({ variable }) => variable),
    'AWS_DEFAULT_REGION',
    'AWS_ENDPOINT_URL_S3',
    'AWS_ENDPOINT_URL_STS',
    'AWS_ROLE_ARN',
    'AWS_WEB_IDENTITY_TOKEN_FILE',
    'AWS_CONTAINER_CREDENTIALS_FULL_URI',
    'AWS_CONTAINER_AUTHORIZATION_TOKEN',
    'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
  ],
  gs: ['GOOGLE_APPLICATION_CREDENTIALS_JSON', 'STORAGE_EMULATOR_HOST', 'GCE_METADATA_HOST'],
  az: [
    'AZURE_STORAGE_SAS_TOKEN',
    'AZURE_STORAGE_KEY',
    'AZURE_STORAGE_ACCESS_KEY',
    'AZURE_STORAGE_ENDPOINT',
    'AZURE_CLIENT_ID',
    'AZURE_TENANT_ID',
    'AZURE_FEDERATED_TOKEN_FILE',
    'AZURE_AUTHORITY_HOST',
  ],
  https: [],
};

/** The variables that fetcher and waiter have. */
export const commonVariables = ({ spec }: WeightsInput, mode: 'fetch' | 'wait'): readonly EnvVar[] => [
  ...HOME_ENV,
  { name: 'TRUNNION_MODE', value: mode },
  { name: 'TRUNNION_URI', value: spec.model.uri },
  ...jsonVariable('TRUNNION_FILES', selectionOf(spec.model) ?? {}),
  ...jsonVariable('TRUNNION_BESIDE', companionsOf(spec.model)),
  { name: 'TRUNNION_POD', valueFrom: { fieldRef: { fieldPath: 'metadata.uid' } } },
];

/** What the schema lets into a pattern, a name or a URI has nothing that the kubelet would expand. */
const jsonVariable = (name: string, value: object): readonly EnvVar[] =>
  Object.keys(value).length === 0 ? [] : [{ name, value: JSON.stringify(value) }];

/** Begins the names of what variables of the server refer to, where the fetch has it for them alone. */
const REFERRED = 'TRUNNION_SERVER_';

/**
 * The variables of anyone who fetches, as its container has them in the end: ours, the keys of the Secret, what a fetch needs of the
 * server's own, and the user's, each once; the last one of a name counts.
 */
export function fetchVariables(input: WeightsInput): readonly EnvVar[] {
  const { spec } = input;
  const ofFetch = spec.podTemplate?.spec?.initContainers?.find(({ name }) => name === FETCH)?.env ?? [];
  const variables = uniqueVariables([
    ...commonVariables(input, 'fetch'),
    ...(fetchIdentity(spec) === 'gke-workload-identity' ? [{ name: 'TRUNNION_WORKLOAD_IDENTITY', value: 'true' }] : []),
    ...(takesFolderOfGguf(input) ? [{ name: 'TRUNNION_GGUF', value: 'folder' }] : []),
    // What the image, or a mount in it, trusts: Node.js has a list of its own and goes by that alone.
    { name: 'NODE_USE_SYSTEM_CA', value: '1' },
    ...credentialVariables(input),
    ...serverVariables(input, ofFetch),
    ...commonToAll(input),
    ...ofFetch,
  ]);
  return [...variables, ...nodeCertificates(variables)];
}

/** Said only where the fetch chooses what to bring, so that no other pod is created again for it. */
const takesFolderOfGguf = ({ spec: { model }, takesFolderOfGguf: takes = false }: WeightsInput): boolean =>
  takes &&
  parseModelUri(model.uri).scheme !== 'https' &&
  model.file === undefined &&
  model.files?.include === undefined;

/** The keys of the Secret that the scheme knows, each under its variable; none is required. */
function credentialVariables({ spec: { model } }: WeightsInput): readonly EnvVar[] {
  const uri = parseModelUri(model.uri);
  const { credentials } = model;
  if (!credentials || !isFetched(uri)) return [];
  return CREDENTIALS[uri.scheme].flatMap(variablesOf).map(({ variable, key }) => ({
    name: variable,
    valueFrom: { secretKeyRef: { name: credentials.secretName, key, optional: true } },
  }));
}

/**
 * Of the server's own variables those that a fetch needs, with all that they refer to. Credentials that are given for the fetch
 * stand above them.
 */
function serverVariables({ spec, server }: WeightsInput, ofFetch: readonly EnvVar[]): readonly EnvVar[] {
  const uri = parseModelUri(spec.model.uri);
  if (!isFetched(uri) || !server) return [];
  const secrets = CREDENTIALS[uri.scheme].filter(({ secret }) => secret).flatMap(({ keys }) => keys);
  const own = [...(spec.env ?? []), ...ofFetch].map(({ name }) => name);
  const given = new Set([...(spec.model.credentials ? secrets : []), ...own]);
  const set = new Set([...server.env, ...(spec.env ?? [])].map(({ name }) => name));
  return takenVariables({
    from: uniqueVariables([...(server.ours ?? []), ...(spec.env ?? []), ...server.env]),
    wanted: new Set([...NETWORK, ...HOSTS[uri.scheme]].filter((name) => !given.has(name))),
    shared: new Set(HOME_ENV.map(({ name }) => name).filter((name) => !set.has(name))),
    prefix: REFERRED,
  });
}

/** The user's variables of all containers. They may refer to what only the server has. */
function commonToAll({ spec: { env = [] }, server }: WeightsInput): readonly EnvVar[] {
  const names = env.map(({ name }) => name);
  return takenVariables({
    from: uniqueVariables([...(server?.ours ?? []), ...env]),
    wanted: new Set(names),
    shared: new Set([...names, ...HOME_ENV.map(({ name }) => name)]),
    prefix: REFERRED,
  });
}

/** Node.js knows none of the variables that other programs go by. */
function nodeCertificates(variables: readonly EnvVar[]): readonly EnvVar[] {
  if (variables.some(({ name }) => name === NODE_CERTIFICATES)) return [];
  const [first] = CERTIFICATES.flatMap((name) => variables.find((variable) => variable.name === name) ?? []);
  return first ? [{ ...first, name: NODE_CERTIFICATES }] : [];
}
