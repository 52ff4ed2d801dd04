import { isObject, objectIn, type PlainObject } from '../../constructs/schema/json.ts';
import type { Manifest } from '../../constructs/workload.ts';

/** The pods that a workload makes. */
interface Pods {
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: PlainObject;
  readonly count: number;
}

/** An object that a pod names. */
export interface PodUse {
  readonly kind: string;
  readonly name: string;
  /** What the object is to the pod. */
  readonly verb: string;
  /** Whether each of its mounts may write. */
  readonly writes: boolean;
}

/**
 * The pods of a Deployment, a Job or a like object; a Pod stands for itself, and the leader of a LeaderWorkerSet for its workers,
 * which have the same image, GPUs and volumes.
 */
export function podsOf({ kind, metadata, spec: own }: Manifest): Pods | undefined {
  const workload = objectIn(own);
  const group = objectIn(workload['leaderWorkerTemplate']);
  const template = kind === 'Pod' ? { metadata, spec: own } : objectIn(group['leaderTemplate'] ?? workload['template']);
  const spec = objectIn(template['spec']);
  if (!Array.isArray(spec['containers'])) return undefined;
  const { labels } = objectIn(template['metadata']);
  const count = Number(workload['replicas'] ?? workload['parallelism'] ?? 1) * Number(group['size'] ?? 1);
  return { labels: objectIn(labels) as Pods['labels'], spec, count };
}

/** The images and GPUs of pods, as lines: images by their short names, and GPUs of one pod. */
export function podLines({ spec, count }: Pods): readonly string[] {
  const images = new Set(
    containersOf(spec).flatMap(({ image }) => (typeof image === 'string' ? shortImage(image) : [])),
  );
  const devices = containersOf(spec).flatMap(({ resources }) =>
    Object.entries(objectIn(objectIn(resources)['limits'])).filter(([name]) => name.includes('/')),
  );
  const each = count > 1 ? ' each' : '';
  return [
    ...images,
    ...(count > 1 ? [`${count} pods`] : []),
    ...new Set(devices.map(([name, many]) => `${String(many)} × ${name}${each}`)),
  ];
}

/** `docker.io/vllm/vllm-openai:v1@sha256:…` is `vllm-openai:v1`. */
const shortImage = (image: string): string => image.split('@', 1)[0]?.split('/').at(-1) ?? image;

/** The objects that pods name: their account, Secrets, ConfigMaps and volumes. */
export function usesOf({ spec }: Pods): readonly PodUse[] {
  const use = (kind: string, name: unknown, verb: string, writes = false): readonly PodUse[] =>
    typeof name === 'string' && name !== '' ? [{ kind, name, verb, writes }] : [];
  const read = (secret: unknown, config: unknown) => [
    ...use('Secret', objectIn(secret)['name'], 'read by'),
    ...use('ConfigMap', objectIn(config)['name'], 'read by'),
  ];
  const containers = containersOf(spec);
  const variables = containers.flatMap(({ env }) => objectsIn(env)).map(({ valueFrom }) => objectIn(valueFrom));
  const sources = containers.flatMap(({ envFrom }) => objectsIn(envFrom));
  return [
    ...use('ServiceAccount', spec['serviceAccountName'], 'runs'),
    ...objectsIn(spec['imagePullSecrets']).flatMap(({ name }) => use('Secret', name, 'read by')),
    ...variables.flatMap(({ secretKeyRef, configMapKeyRef }) => read(secretKeyRef, configMapKeyRef)),
    ...sources.flatMap(({ secretRef, configMapRef }) => read(secretRef, configMapRef)),
    ...objectsIn(spec['volumes']).flatMap((volume) => {
      const { secret, configMap, persistentVolumeClaim, projected } = volume;
      return [
        ...use('Secret', objectIn(secret)['secretName'], 'read by'),
        ...read(undefined, configMap),
        ...objectsIn(objectIn(projected)['sources']).flatMap((source) => read(source['secret'], source['configMap'])),
        ...use(
          'PersistentVolumeClaim',
          objectIn(persistentVolumeClaim)['claimName'],
          'mounted by',
          isWritten(volume['name'], containers),
        ),
      ];
    }),
  ];
}

function isWritten(volume: unknown, containers: readonly PlainObject[]): boolean {
  const mounts = containers
    .flatMap(({ volumeMounts }) => objectsIn(volumeMounts))
    .filter(({ name }) => name === volume);
  return mounts.length > 0 && mounts.every(({ readOnly }) => readOnly !== true);
}

const containersOf = ({ containers, initContainers }: PlainObject): readonly PlainObject[] => [
  ...objectsIn(containers),
  ...objectsIn(initContainers),
];

/** The objects of a list; none where it is no list. */
export const objectsIn = (value: unknown): readonly PlainObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
