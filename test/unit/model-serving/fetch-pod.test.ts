import { describe, expect, test } from 'vitest';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import type { Container, PodTemplate } from '../../../constructs/parts/objects/kube.ts';
import type { StructuralSchema } from '../../../constructs/schema/structural.ts';
import { ca, caMount, fetchOf, jobPod, on, server } from './support/fetch.ts';
import type { Patch } from './support/fetch.ts';
import { childOf, podOf, templateOf } from './support/render.ts';
import { shared, single } from './support/specs.ts';

/** What of `podTemplate` reaches the pod of the fetch Job; else why it does not. */
interface KindResult {
  readonly sample: Patch;
  /** Reads from the pod what the sample should have put there. */
  readonly read: (pod: PodTemplate, fetch: Container) => unknown;
  readonly reaches?: unknown;
  readonly because?: string;
}

const nodeAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In' as const, values: ['a'] }] }],
  },
};
const neighbours = {
  requiredDuringSchedulingIgnoredDuringExecution: [
    { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'cache' } } },
  ],
};
const PODS: Readonly<Record<string, KindResult>> = {
  'metadata.labels': {
    sample: { metadata: { labels: { team: 'a' } } },
    read: ({ metadata }) => metadata.labels['team'],
    reaches: 'a',
  },
  'metadata.annotations': {
    sample: { metadata: { annotations: { 'linkerd.io/inject': 'enabled' } } },
    read: ({ metadata }) => metadata.annotations?.['linkerd.io/inject'],
    reaches: 'enabled',
  },
  'spec.affinity': {
    sample: { spec: { affinity: { nodeAffinity, podAffinity: neighbours, podAntiAffinity: neighbours } } },
    read: ({ spec }) => spec.affinity,
    // A fetch that had to stand beside a server would wait for what waits for it.
    reaches: { nodeAffinity },
  },
  'spec.topologySpreadConstraints': {
    sample: {
      spec: { topologySpreadConstraints: [{ topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', maxSkew: 1 }] },
    },
    read: ({ spec }) => spec.topologySpreadConstraints,
    because: 'it is about how replicas spread, and there is one fetch',
  },
  'spec.schedulerName': {
    sample: { spec: { schedulerName: 'volcano' } },
    read: ({ spec }) => spec.schedulerName,
    reaches: 'volcano',
  },
  'spec.dnsPolicy': { sample: { spec: { dnsPolicy: 'None' } }, read: ({ spec }) => spec.dnsPolicy, reaches: 'None' },
  'spec.dnsConfig': {
    sample: { spec: { dnsConfig: { nameservers: ['10.0.0.53'] } } },
    read: ({ spec }) => spec.dnsConfig,
    reaches: { nameservers: ['10.0.0.53'] },
  },
  'spec.hostAliases': {
    sample: { spec: { hostAliases: [{ ip: '10.0.0.9', hostnames: ['mirror'] }] } },
    read: ({ spec }) => spec.hostAliases,
    reaches: [{ ip: '10.0.0.9', hostnames: ['mirror'] }],
  },
  'spec.terminationGracePeriodSeconds': {
    sample: { spec: { terminationGracePeriodSeconds: 900 } },
    read: ({ spec }) => spec.terminationGracePeriodSeconds,
    because: 'it is what the drain of a server needs; the fetcher ends as soon as it is told to',
  },
  'spec.volumes': {
    sample: { spec: { volumes: [ca], ...server({ volumeMounts: [caMount] }).spec } },
    read: ({ spec }) => spec.volumes?.filter(({ name }) => name === 'ca'),
    reaches: [ca],
  },
  'spec.containers': {
    sample: { spec: { containers: [{ name: 'side', image: 'side:1' }] } },
    read: ({ spec }) => spec.containers.map(({ name }) => name).filter((name) => name !== 'fetch'),
    reaches: [],
    because: 'a container beside the fetch would keep the Job from being complete',
  },
  'spec.initContainers': {
    sample: { spec: { initContainers: [{ name: 'prepare', image: 'prepare:1' }] } },
    read: ({ spec }) => spec.initContainers,
    because: 'they prepare the server; the one named fetch is the container that fetches',
  },
};

/** Fields of the container `server`; those that are about its program reach no other one. */
const ITS_PROGRAM = 'it is about the program of the server';
const CONTAINERS: Readonly<Record<string, KindResult>> = {
  name: { sample: server({}), read: (_, { name }) => name, reaches: 'fetch' },
  image: { sample: server({ image: 'other:1' }), read: (_, { image }) => image?.startsWith('other'), reaches: false },
  imagePullPolicy: {
    sample: server({ imagePullPolicy: 'Always' }),
    read: (_, c) => c.imagePullPolicy,
    because: ITS_PROGRAM,
  },
  command: {
    sample: server({ command: ['a'] }),
    read: (_, c) => c.command?.[0],
    reaches: 'node',
    because: ITS_PROGRAM,
  },
  args: { sample: server({ args: ['a'] }), read: (_, c) => c.args, because: ITS_PROGRAM },
  workingDir: { sample: server({ workingDir: '/w' }), read: (_, c) => c.workingDir, because: ITS_PROGRAM },
  env: {
    sample: server({
      env: [
        { name: 'HTTPS_PROXY', value: 'http://proxy:3128' },
        { name: 'LEVEL', value: '1' },
      ],
    }),
    read: (_, c) => c.env?.filter(({ name }) => ['HTTPS_PROXY', 'LEVEL'].includes(name)),
    reaches: [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }],
  },
  envFrom: {
    sample: server({ envFrom: [{ secretRef: { name: 'all' } }] }),
    read: (_, c) => c.envFrom,
    because: 'it is not known which of its keys a fetch needs; the patch of the container fetch may have it',
  },
  ports: { sample: server({ ports: [{ containerPort: 9 }] }), read: (_, c) => c.ports, because: ITS_PROGRAM },
  resources: {
    sample: server({ resources: { limits: { cpu: '2' } } }),
    read: (_, c) => c.resources?.limits?.['cpu'],
    reaches: '2',
  },
  volumeMounts: {
    sample: { spec: { volumes: [ca], ...server({ volumeMounts: [caMount] }).spec } },
    read: (_, c) => c.volumeMounts?.filter(({ name }) => name === 'ca'),
    reaches: [caMount],
  },
  startupProbe: {
    sample: server({ startupProbe: { periodSeconds: 9 } }),
    read: (_, c) => c.startupProbe,
    because: ITS_PROGRAM,
  },
  readinessProbe: {
    sample: server({ readinessProbe: { periodSeconds: 9 } }),
    read: (_, c) => c.readinessProbe,
    because: ITS_PROGRAM,
  },
  livenessProbe: {
    sample: server({ livenessProbe: { periodSeconds: 9 } }),
    read: (_, c) => c.livenessProbe,
    because: ITS_PROGRAM,
  },
};

const fieldsOf = (schema: StructuralSchema | undefined): readonly string[] => Object.keys(schema?.properties ?? {});

const patchSchema = modelServing.schema().properties?.['spec']?.properties?.['podTemplate'];

describe('podTemplate and the pod that fetches:', () => {
  test('of every field it is decided whether a fetch gets it, and each that it does not get has a reason', () => {
    const paths = fieldsOf(patchSchema).flatMap((part) =>
      fieldsOf(patchSchema?.properties?.[part]).map((field) => `${part}.${field}`),
    );
    expect(Object.keys(PODS).toSorted()).toEqual([...paths].toSorted());
    const container = patchSchema?.properties?.['spec']?.properties?.['containers']?.items;
    expect(Object.keys(CONTAINERS).toSorted()).toEqual([...fieldsOf(container)].toSorted());
    const unassigned = Object.entries({ ...PODS, ...CONTAINERS }).filter(
      ([, { reaches, because }]) => reaches === undefined && because === undefined,
    );
    expect(unassigned).toEqual([]);
  });

  test.each(Object.entries({ ...PODS, ...CONTAINERS }))('%s in a fetch Job', (_, { sample, read, reaches }) => {
    const pod = jobPod(on(shared, sample));
    expect(read(pod, fetchOf(on(shared, sample)))).toEqual(reaches);
  });

  test.each(Object.entries(CONTAINERS))(
    '%s of the container server in the init container that fetches',
    (_, { sample, read, reaches }) => {
      const spec = on(single, sample);
      expect(read(templateOf(childOf('deployment', spec).manifest), fetchOf(spec))).toEqual(reaches);
    },
  );

  const FETCH_FIELDS = {
    name: 'fetch',
    image: 'mirror/node:24',
    imagePullPolicy: 'Always' as const,
    command: ['node', '/other.mjs'],
    args: ['--verbose'],
    workingDir: '/tmp',
    envFrom: [{ secretRef: { name: 'proxies' } }],
    ports: [{ containerPort: 9, protocol: 'TCP' as const }],
    resources: { requests: { cpu: '1' }, limits: { cpu: '2', memory: '2Gi' } },
  };
  const added = {
    env: [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }],
    volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
  };

  test.each([
    ['the fetch Job', shared],
    ['the init container', single],
  ])('what is said of the container fetch reaches %s, every field of it', (_, base) => {
    const initContainer = patchSchema?.properties?.['spec']?.properties?.['initContainers']?.items;
    // The fetch runs to its end: it can't be a native sidecar, and is not probed.
    const ofSidecars = new Set(['restartPolicy', 'startupProbe', 'readinessProbe', 'livenessProbe']);
    const fields = [...fieldsOf(initContainer)].filter((field) => !ofSidecars.has(field));
    expect(Object.keys({ ...FETCH_FIELDS, ...added }).toSorted()).toEqual(fields.toSorted());
    const volumes = [{ name: 'scratch', emptyDir: {} }];
    const spec = on(base, { spec: { volumes, initContainers: [{ ...FETCH_FIELDS, ...added }] } });
    const fetch = fetchOf(spec);
    expect(fetch).toMatchObject({ ...FETCH_FIELDS, resources: { limits: { cpu: '2', memory: '2Gi' } } });
    expect(fetch.env).toEqual(expect.arrayContaining(added.env));
    expect(fetch.volumeMounts).toEqual(expect.arrayContaining(added.volumeMounts));
    const pod = base === shared ? jobPod(spec).spec : podOf(spec);
    expect(pod.volumes).toEqual(expect.arrayContaining(volumes));
    expect(podOf(spec).initContainers?.map(({ name }) => name)).toEqual([base === shared ? 'wait' : 'fetch']);
  });
});
