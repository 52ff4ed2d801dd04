import { mapValues } from '../../constructs/schema/json.ts';
import type { Manifest } from '../../constructs/workload.ts';
import type { Settings } from './settings.ts';

/** The user and group that the image runs as: `nonroot` of distroless images, a name that scanners know. */
export const OPERATOR_USER_ID = 65_532;

/** Where probes and metrics are served. */
export const PORT = 8080;

/** The name of that port: of the Service, the NetworkPolicy, and monitors. */
export const METRICS_PORT = 'metrics';

/** What all operators' pods can be told. */
export type PodSettings = Pick<
  Settings,
  | 'affinity'
  | 'image'
  | 'nodeSelector'
  | 'podAnnotations'
  | 'priorityClassName'
  | 'replicas'
  | 'resources'
  | 'tolerations'
>;

/** What the program is started with. */
export interface Program {
  /** @default - those of the image */
  readonly args?: readonly string[];
  readonly env: readonly object[];
}

/** What a Deployment of an operator is made from. */
export interface DeploymentInput {
  readonly metadata: Manifest['metadata'];
  readonly selector: Readonly<Record<string, string>>;
  /** The tag of the image, unless the settings have another. */
  readonly version: string;
  readonly settings: PodSettings;
  readonly program: Program;
}

/** An operator's pods: one leads, the others stand by. */
export const deployment = ({ metadata, selector, version, settings, program }: DeploymentInput): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata,
  spec: {
    replicas: settings.replicas,
    selector: { matchLabels: selector },
    template: {
      metadata: { labels: metadata.labels, ...nonEmpty({ annotations: settings.podAnnotations }) },
      spec: {
        serviceAccountName: metadata.name,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: OPERATOR_USER_ID,
          runAsGroup: OPERATOR_USER_ID,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        ...nonEmpty({
          imagePullSecrets: settings.image.pullSecrets,
          nodeSelector: settings.nodeSelector,
          tolerations: settings.tolerations,
          affinity: settings.affinity,
          priorityClassName: settings.priorityClassName,
        }),
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: { matchLabels: selector },
          },
        ],
        containers: [container(version, settings, program)],
      },
    },
  },
});

const container = (version: string, settings: PodSettings, { args, env }: Program) => ({
  name: 'operator',
  image: imageOf(settings.image, version),
  imagePullPolicy: settings.image.pullPolicy,
  ...(args && { args }),
  env: [{ name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }, ...env],
  ports: [{ name: METRICS_PORT, containerPort: PORT, protocol: 'TCP' }],
  // It is alive as soon as it listens, and ready once its caches are complete, which takes longer in a large cluster.
  livenessProbe: { httpGet: { path: '/healthz', port: METRICS_PORT }, periodSeconds: 10, timeoutSeconds: 5 },
  readinessProbe: { httpGet: { path: '/readyz', port: METRICS_PORT }, periodSeconds: 5, timeoutSeconds: 5 },
  resources: mapValues(settings.resources, nonEmpty),
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
  },
});

/** An image by its digest, or by its tag, which is the version unless there is one. */
export const imageOf = ({ repository, tag, digest }: Settings['image'], version: string): string =>
  digest === '' ? `${repository}:${tag === '' ? version : tag}` : `${repository}@${digest}`;

/** Those fields that have something in them. */
function nonEmpty<T extends object>(fields: T): Partial<T> {
  const isEmpty = (value: unknown) =>
    value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as Partial<T>;
}
