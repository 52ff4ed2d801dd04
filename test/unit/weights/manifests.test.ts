import { expect, test } from 'vitest';
import { FETCHER_SCRIPTS } from '../../../constructs/parts/weights/fetcher.generated.ts';
import {
  FETCHER_IMAGE,
  fetchContainer,
  fetcherScript,
  fetchEgress,
  fetchJob,
  waitContainer,
  weightsClaim,
  weightsMounts,
  weightsPath,
  weightsVolumes,
} from '../../../constructs/parts/weights/index.ts';
import type { WeightsInput, WeightsSpec } from '../../../constructs/parts/weights/index.ts';

const storage = { size: '40Gi', accessMode: 'ReadWriteMany' as const };

const input = (spec: Partial<WeightsSpec> = {}, image?: string): WeightsInput => ({
  kind: 'model-serving',
  name: 'llama',
  namespace: 'models',
  ...(image !== undefined && { program: { image, isBuiltIn: false } }),
  spec: { model: { uri: 'hf://acme/tiny' }, storage, ...spec },
});

const labels = {
  'app.kubernetes.io/name': 'model-serving',
  'app.kubernetes.io/instance': 'llama',
  'app.kubernetes.io/component': 'fetcher',
  'app.kubernetes.io/part-of': 'trunnion',
};

const variable = (spec: Partial<WeightsSpec>, name: string): unknown =>
  fetchContainer(input(spec), 'job').env?.find((entry) => entry.name === name);

test.each<[string, Partial<WeightsInput>, WeightsSpec['model'], string | undefined]>([
  ['a server that takes a folder of GGUF', { takesFolderOfGguf: true }, { uri: 'hf://acme/tiny' }, 'folder'],
  ['a server that takes none', { takesFolderOfGguf: false }, { uri: 'hf://acme/tiny' }, undefined],
  ['a server of which nothing is known', {}, { uri: 'hf://acme/tiny' }, undefined],
  ['a file that is named', { takesFolderOfGguf: true }, { uri: 's3://models/a', file: 'a.gguf' }, undefined],
  ['files that are named', { takesFolderOfGguf: true }, { uri: 's3://models/a', files: { include: ['*'] } }, undefined],
  [
    'files that are left out',
    { takesFolderOfGguf: true },
    { uri: 's3://models/a', files: { exclude: ['a'] } },
    'folder',
  ],
  ['a web server', { takesFolderOfGguf: true }, { uri: 'https://example.com/a.tar' }, undefined],
])('a fetch for %s is told of a folder of GGUF only where it would refuse one', (_, more, model, value) => {
  const { env = [] } = fetchContainer({ ...input({ model }), ...more }, 'job');
  expect(env.find(({ name }) => name === 'TRUNNION_GGUF')?.value).toBe(value);
});

test('the Job fetches, gives up at once where no repetition helps, and is not charged for disruptions', () => {
  const job = fetchJob(input());

  expect(job).toMatchObject({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: expect.stringMatching(/^llama-fetch-[0-9a-f]{10}$/) as unknown,
      namespace: 'models',
      labels,
    },
    spec: {
      backoffLimit: 6,
      podFailurePolicy: {
        rules: [
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
          {
            action: 'FailJob',
            onExitCodes: { containerName: 'fetch', operator: 'In', values: [64, 65, 66, 67, 68, 69] },
          },
        ],
      },
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: 'Never',
          serviceAccountName: 'llama',
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 },
          containers: [
            {
              name: 'fetch',
              image: FETCHER_IMAGE,
              command: ['node', '/opt/trunnion/fetch.mjs'],
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
            },
          ],
        },
      },
    },
  });
});

test("a Job's name changes with its template and with nothing else", () => {
  const nameOf = (...args: Parameters<typeof input>): string => fetchJob(input(...args)).metadata.name;
  expect(nameOf()).toBe(nameOf());
  expect(nameOf({}, 'registry.example/node:24')).not.toBe(nameOf());
  expect(nameOf({ storage: { ...storage, size: '50Gi' } })).toBe(nameOf());
});

test('every volume that a container of the Job mounts is one of its pod', () => {
  const { template } = fetchJob(input())['spec'] as { template: { spec: { volumes: { name: string }[] } } };
  const mounted = fetchContainer(input(), 'job').volumeMounts?.map(({ name }) => name) ?? [];
  expect(new Set(template.spec.volumes.map(({ name }) => name))).toEqual(new Set(mounted));
});

test('the script is mounted from the ConfigMap where the containers run it', () => {
  const script = fetcherScript(input());
  expect(script).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'llama-fetcher', namespace: 'models' } });
  expect(Object.keys(script['data'] as object)).toEqual(['fetch.mjs']);
  expect(weightsVolumes(input())).toContainEqual({ name: 'fetcher', configMap: { name: 'llama-fetcher' } });
});

test.each([
  ['huggingface://acme/tiny', 'hf'],
  ['s3://models/tiny', 's3'],
  ['gs://models/tiny', 'gs'],
  ['az://acme.blob.core.windows.net/models/tiny', 'az'],
  ['https://example.com/tiny.gguf', 'https'],
] as const)('the ConfigMap of %s carries the script for %s:// alone', (uri, scheme) => {
  expect(fetcherScript(input({ model: { uri } }))['data']).toEqual({ 'fetch.mjs': FETCHER_SCRIPTS[scheme] });
});

test.each(['ReadWriteOnce', 'ReadWriteMany'] as const)('a volume that is %s is that and nothing else', (accessMode) => {
  const given = input({ storage: { size: '1024Mi', accessMode, storageClassName: 'fast' } });
  const claim = weightsClaim(given);

  expect(claim['spec']).toEqual({
    accessModes: [accessMode],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'fast',
  });
  const [volume] = weightsVolumes(given);
  expect(volume?.persistentVolumeClaim).toEqual({ claimName: claim.metadata.name });
});

test('fetched weights without storage are a mistake of the caller', () => {
  const { storage: _, ...spec } = input().spec;
  expect(() => weightsClaim({ ...input(), spec })).toThrow('spec.storage is required');
});

test.each([
  ['hf://acme/tiny', '/models/weights', { name: 'weights', mountPath: '/models', readOnly: true }],
  ['https://h/d/m.gguf', '/models/weights/m.gguf', { name: 'weights', mountPath: '/models', readOnly: true }],
  ['https://h/d/m.tgz', '/models/weights', { name: 'weights', mountPath: '/models', readOnly: true }],
  ['oci://r/m:1', '/models/weights', { name: 'weights', mountPath: '/models/weights', readOnly: true }],
  [
    'pvc://claim/a/b',
    '/models/weights',
    { name: 'weights', mountPath: '/models/weights', readOnly: true, subPath: 'a/b' },
  ],
])('the server finds %s at %s', (uri, path, mount) => {
  expect(weightsPath({ uri })).toBe(path);
  expect(weightsMounts(uri)).toEqual([mount]);
});

test.each([
  ['oci://r/m:1', { name: 'weights', image: { reference: 'r/m:1' } }],
  ['pvc://claim/a', { name: 'weights', persistentVolumeClaim: { claimName: 'claim', readOnly: true } }],
])('%s is mounted from where it is, with no fetcher', (uri, volume) => {
  expect(weightsVolumes(input({ model: { uri } }))).toEqual([volume]);
  expect(fetchEgress(input({ model: { uri } }).spec)).toEqual([]);
});

test('of the Secret only the keys of the scheme reach the pod, and none is required', () => {
  const model = { uri: 'hf://acme/tiny', credentials: { secretName: 'hub' } };
  const refs = fetchContainer(input({ model }), 'job').env?.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);

  expect(refs).toEqual(
    ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN', 'token', 'HF_ENDPOINT'].map((key) => ({ name: 'hub', key, optional: true })),
  );
  expect(waitContainer(input({ model })).env?.filter(({ valueFrom }) => valueFrom?.secretKeyRef)).toEqual([]);
});

test('variables of the user reach the fetch, win over the Secret, and no name occurs twice', () => {
  const spec = {
    model: { uri: 'hf://acme/tiny', credentials: { secretName: 'hub' } },
    env: [
      { name: 'HF_ENDPOINT', value: 'http://mirror.hub:8080' },
      { name: 'USER', value: 'me' },
    ],
  };
  expect(variable(spec, 'HF_ENDPOINT')).toEqual({ name: 'HF_ENDPOINT', value: 'http://mirror.hub:8080' });
  const names = fetchContainer(input(spec), 'job').env?.map(({ name }) => name) ?? [];
  expect(new Set(names).size).toBe(names.length);
});

test('the fetch may reach HTTPS anywhere but the addresses where clouds keep credentials', () => {
  expect(fetchEgress(input().spec)).toEqual([
    {
      to: [
        { ipBlock: { cidr: '0.0.0.0/0', except: expect.arrayContaining(['169.254.0.0/16', '168.63.129.16/32']) } },
        { ipBlock: { cidr: '::/0', except: expect.arrayContaining(['fe80::/10', 'fd00:ec2::/32']) } },
      ],
      ports: [{ port: 443, protocol: 'TCP' }],
    },
  ]);
});

test.each([
  ['http://minio.storage:9000', [9000]],
  ['http://minio', [80]],
  ['https://user:pass@[::1]/path', [443]],
  ['no url', undefined],
])('a server that env names as %s may be reached, in a pod as well', (value, ports) => {
  const [, rule] = fetchEgress(input({ env: [{ name: 'AWS_ENDPOINT_URL', value }] }).spec);
  expect(rule?.ports?.map(({ port }) => port)).toEqual(ports);
  expect(rule?.to?.at(-1)).toEqual(ports && { namespaceSelector: {} });
});

test('the port of an https URI may be reached', () => {
  const [rule] = fetchEgress(input({ model: { uri: 'https://h:8443/m.gguf' } }).spec);
  expect(rule?.ports?.map(({ port }) => port)).toEqual([443, 8443]);
});

test('the metadata server may be reached only where the pod has its identity in Google Cloud from there', () => {
  const serviceAccount = { annotations: { 'iam.gke.io/gcp-service-account': 'reader@acme.iam.gserviceaccount.com' } };
  const model = { uri: 'gs://models/llama' };
  const cidrs = (spec: Partial<WeightsSpec>): unknown =>
    JSON.stringify(fetchEgress(input(spec).spec)).includes('169.254.169.254/32');

  expect(cidrs({ model, serviceAccount })).toBe(true);
  expect(variable({ model, serviceAccount }, 'TRUNNION_WORKLOAD_IDENTITY')).toMatchObject({ value: 'true' });
  expect(cidrs({ model })).toBe(false);
  expect(cidrs({ serviceAccount })).toBe(false);
});
