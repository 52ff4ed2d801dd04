import { describe, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { ca, caMount, fetchOf, jobPod, on, server } from './support/fetch.ts';
import { podOf, specOf } from './support/render.ts';
import { shared, single } from './support/specs.ts';

describe('a fetch Job is placed as its server is:', () => {
  const spec: ModelServingSpecInput = {
    ...shared,
    resources: { gpu: 1, gpuProduct: 'NVIDIA-L4' },
    nodeSelector: { pool: 'gpu' },
    tolerations: [{ key: 'team', operator: 'Exists' }],
    imagePullSecrets: [{ name: 'registry' }],
    priorityClassName: 'high',
  };
  const FIELDS = [
    'nodeSelector',
    'tolerations',
    'imagePullSecrets',
    'priorityClassName',
    'serviceAccountName',
  ] as const;

  test.each(FIELDS)('%s', (field) => {
    const { [field]: wanted } = podOf(spec);
    expect(wanted).toBeDefined();
    expect(jobPod(spec).spec[field]).toEqual(wanted);
  });

  test('on the nodes of a GPU it asks for none, and tolerates their taint', () => {
    const { containers, tolerations } = jobPod(spec).spec;
    expect(tolerations).toContainEqual({ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' });
    expect(JSON.stringify(containers[0]?.resources)).not.toContain('nvidia.com');
  });

  test.each([
    ['a sandbox without GPUs is one for the fetch as well', { gpu: 0 }, 'gvisor', 'gvisor'],
    ['a class beside GPUs is theirs, and a node without them need not have it', { gpu: 1 }, 'nvidia', undefined],
  ])('%s', (_, resources, runtimeClassName, expected) => {
    expect(jobPod({ ...shared, resources, runtimeClassName }).spec.runtimeClassName).toBe(expected);
  });
});

describe('a namespace that lets the server in lets the fetch in:', () => {
  const resources = (of: Partial<ModelServingSpecInput>) => fetchOf({ ...shared, ...of }).resources;
  const limited = server({ resources: { limits: { cpu: '2', 'ephemeral-storage': '512Mi' } } });

  test.each([
    [
      'as the server, it has no limit of CPU',
      {},
      { requests: { cpu: '500m', memory: '1Gi' }, limits: { memory: '1Gi' } },
    ],
    [
      'a server with a limit of CPU is under a quota that asks for one',
      { podTemplate: limited },
      {
        requests: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '512Mi' },
        limits: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '512Mi' },
      },
    ],
    [
      'it asks for no more than a small server',
      { resources: { gpu: 0, cpu: '250m', memory: '128Mi' } },
      { requests: { cpu: '250m', memory: '128Mi' }, limits: { memory: '128Mi' } },
    ],
    ['a server that says nothing leaves all to the namespace', { resources: { gpu: 0 } }, {}],
    [
      'of what the server says nothing, it says nothing',
      { resources: { gpu: 1, cpu: 8 } },
      { requests: { cpu: '500m' } },
    ],
    [
      'it is no further from its limit than the server is',
      { resources: { gpu: 1, cpu: 4 }, podTemplate: server({ resources: { limits: { cpu: 6 } } }) },
      { requests: { cpu: '2667m' }, limits: { cpu: '4' } },
    ],
    [
      'what is said of the fetcher stands above that',
      { fetcher: { resources: { cpu: 3, memory: '2Gi' } }, podTemplate: limited },
      {
        requests: { cpu: '3', memory: '2Gi', 'ephemeral-storage': '512Mi' },
        limits: { cpu: '3', memory: '2Gi', 'ephemeral-storage': '512Mi' },
      },
    ],
    [
      'also where the server says nothing',
      { resources: { gpu: 0 }, fetcher: { resources: { cpu: 3, memory: '2Gi' } } },
      { requests: { cpu: '3', memory: '2Gi' }, limits: { memory: '2Gi' } },
    ],
  ] as const)('%s', (_, of, expected) => {
    expect(resources(of as Partial<ModelServingSpecInput>)).toEqual(expected);
  });

  test('the container that waits asks for no more', () => {
    const wait = podOf({ ...shared, resources: { gpu: 0, cpu: '100m', memory: '64Mi' } }).initContainers?.[0];
    expect(wait).toMatchObject({ name: 'wait', resources: { requests: { cpu: '100m', memory: '64Mi' } } });
  });
});

describe('a fetch gets of the server what it needs to reach the host of the model:', () => {
  const value = (name: string, of: Partial<ModelServingSpecInput>, base: ModelServingSpecInput = shared) =>
    fetchOf({ ...base, ...of }).env?.find((each) => each.name === name);
  const engine = (...env: { name: string; value: string }[]) => ({ engine: { type: 'vllm' as const, env } });
  const s3 = { model: { uri: 's3://models/llama' } };
  const one = { name: 'AWS_ENDPOINT_URL', value: 'http://minio.storage:9000' };

  test.each([
    ['the fetch Job', shared],
    ['the init container', single],
  ])('variables of its scheme, in %s', (_, base) => {
    expect(value('AWS_ENDPOINT_URL', { ...s3, ...engine(one) }, base)).toEqual(one);
    expect(value('AWS_ENDPOINT_URL', engine(one), base)).toBeUndefined();
  });

  test('no variable of a common name, which the host of an https model would be reported', () => {
    const of = { model: { uri: 'https://models.example.com/a.gguf' }, ...engine({ name: 'TOKEN', value: 'secret' }) };
    expect(value('TOKEN', of)).toBeUndefined();
  });

  test('credentials that are given for the fetch stand above those of the server, settings do not', () => {
    const mirror = { name: 'HF_ENDPOINT', value: 'https://mirror.example' };
    const of = engine({ name: 'HF_TOKEN', value: 'of-the-server' }, mirror);
    expect(value('HF_TOKEN', of)).toMatchObject({ valueFrom: { secretKeyRef: { name: 'hf-token' } } });
    expect(value('HF_ENDPOINT', of)).toEqual(mirror);
    expect(value('HF_TOKEN', { ...of, model: { uri: 'hf://acme/tiny' } })).toMatchObject({ value: 'of-the-server' });
  });

  test('the port of such a host is opened', () => {
    expect(JSON.stringify(specOf('fetcher-network-policy', { ...shared, ...s3, ...engine(one) }))).toContain('9000');
    expect(JSON.stringify(specOf('fetch-network-policy', { ...single, ...s3, ...engine(one) }))).toContain('9000');
  });

  test.each(['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'AWS_CA_BUNDLE'])(
    'certificates that %s names, by the variable that Node.js reads',
    (name) => {
      const env = [{ name, value: '/etc/corporate/ca.crt' }];
      const expected = { name: 'NODE_EXTRA_CA_CERTS', value: '/etc/corporate/ca.crt' };
      expect(value('NODE_EXTRA_CA_CERTS', { env })).toEqual(expected);
      expect(value('NODE_EXTRA_CA_CERTS', { podTemplate: server({ env }) })).toEqual(expected);
      const own = { name: 'NODE_EXTRA_CA_CERTS', value: '/own.crt' };
      expect(value('NODE_EXTRA_CA_CERTS', { env: [...env, own] })).toEqual(own);
    },
  );

  test('mounts of files alone, and none over its own', () => {
    const volumes = [ca, { name: 'data', persistentVolumeClaim: { claimName: 'data' } }, { name: 'x', emptyDir: {} }];
    const volumeMounts = [
      caMount,
      { name: 'ca', mountPath: '/tmp/' },
      { name: 'data', mountPath: '/data' },
      { name: 'x', mountPath: '/x' },
    ];
    const spec = on(shared, { spec: { volumes, ...server({ volumeMounts }).spec } });
    const own = fetchOf(shared).volumeMounts ?? [];
    expect(fetchOf(spec).volumeMounts).toEqual([...own, caMount]);
    expect(jobPod(spec).spec.volumes?.map(({ name }) => name)).not.toContain('data');
  });

  test.each([
    ['the fetch Job', shared],
    ['the init container', single],
  ])('no file that lies in the volume of the weights, in %s', (_, base) => {
    const file = { name: 'ca', mountPath: '/models/weights/chat_template.jinja', subPath: 'chat_template.jinja' };
    const volumeMounts = [file, { name: 'ca', mountPath: '/models/../models//weights' }, { ...caMount }];
    const spec = on(base, { spec: { volumes: [ca], ...server({ volumeMounts }).spec } });
    expect(fetchOf(spec).volumeMounts).toEqual([...(fetchOf(base).volumeMounts ?? []), caMount]);
    expect(podOf(spec).containers[0]?.volumeMounts).toContainEqual(file);
  });
});

describe('a mesh does not keep a fetch Job from being complete:', () => {
  const annotationsOf = (annotations: Record<string, string>) =>
    jobPod(on(shared, { metadata: { annotations } })).metadata.annotations;

  test('its proxy is asked to be a native sidecar, no matter who injects it', () => {
    expect(jobPod(shared).metadata.annotations).toEqual({
      'sidecar.istio.io/nativeSidecar': 'true',
      'config.alpha.linkerd.io/proxy-enable-native-sidecar': 'true',
      'config.beta.linkerd.io/proxy-enable-native-sidecar': 'true',
    });
  });

  test('the user has the last word', () => {
    const annotations = { 'sidecar.istio.io/inject': 'false', 'sidecar.istio.io/nativeSidecar': 'false' };
    expect(annotationsOf(annotations)).toMatchObject(annotations);
  });

  test('what is about the metrics of the server stays with it', () => {
    expect(annotationsOf({ 'prometheus.io/scrape': 'true' })).not.toHaveProperty('prometheus.io/scrape');
  });
});

test('the fetch may reach whatever is declared for the server', () => {
  const egress = [{ cidr: '10.0.0.0/8', ports: [8443] }, { cidr: '2001:db8::/32' }];
  const rules = (id: string, spec: ModelServingSpecInput) => specOf(id, spec)['egress'] as readonly unknown[];
  const spec = { ...shared, egress };
  expect(rules('fetcher-network-policy', spec)).toEqual(expect.arrayContaining([...rules('network-policy', spec)]));
});

test.each([
  // Given a folder, they look for safetensors: the fetch refuses a model that has GGUF alone.
  [{ type: 'vllm' }, undefined],
  [{ type: 'sglang' }, undefined],
  [{ type: 'tgi', image: 'example.com/tgi:1' }, undefined],
  // What these make of a folder, only they know.
  [{ type: 'triton' }, 'folder'],
  [{ type: 'tensorflow-serving' }, 'folder'],
  [{ type: 'custom', image: 'example.com/llama:1' }, 'folder'],
] as const)('the fetch for %j is told what a folder of GGUF is good for', (engine, value) => {
  const { env = [] } = fetchOf({ ...shared, engine });
  expect(env.find(({ name }) => name === 'TRUNNION_GGUF')?.value).toBe(value);
});
