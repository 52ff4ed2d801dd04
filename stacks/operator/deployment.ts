import { NO_FETCHER_IMAGE } from '../../constructs/parts/weights/index.ts';
import { mapValues } from '../../constructs/schema/json.ts';
import type { Manifest } from '../../constructs/workload.ts';
import type { Settings } from './settings.ts';

/** The user and group that the image runs as: `nonroot` of distroless images, a name that scanners know. */
export const OPERATOR_USER_ID = 65_532;

/** Where probes and metrics are served. */
export const PORT = 8080;

/** The name of that port: of the Service, the NetworkPolicy, and monitors. */
export const METRICS_PORT = 'metrics';

/** What a Deployment of the operator is made from. */
export interface DeploymentInput {
  readonly metadata: Manifest['metadata'];
  readonly selector: Readonly<Record<string, string>>;
  readonly namespace: string;
  readonly version: string;
  readonly settings: Settings;
}

/** The operator's pods: one leads, the others stand by. */
export const deployment = ({ metadata, selector, namespace, version, settings }: DeploymentInput): Manifest => ({
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
        containers: [container(namespace, version, settings)],
      },
    },
  },
});

const container = (namespace: string, version: string, settings: Settings) => ({
  name: 'operator',
  image: imageOf(settings.image, version),
  imagePullPolicy: settings.image.pullPolicy,
  args: argumentsOf(namespace, settings),
  env: [
    { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    { name: 'TRUNNION_FETCHER_IMAGE', value: fetcherImageOf(settings, version) },
    ...settings.env,
  ],
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

const imageOf = ({ repository, tag, digest }: Settings['image'], version: string): string =>
  digest === '' ? `${repository}:${tag === '' ? version : tag}` : `${repository}@${digest}`;

/** Pods of models have no pull secrets of the operator's namespace; so an image that needs some is not given to them unasked. */
function fetcherImageOf({ fetcherImage, image }: Settings, version: string): string {
  if (fetcherImage !== '') return fetcherImage;
  return image.pullSecrets.length > 0 ? NO_FETCHER_IMAGE : imageOf(image, version);
}

const argumentsOf = (
  namespace: string,
  { watchNamespace, logLevel, allowedAnnotations }: Settings,
): readonly string[] => [
  'operator',
  '--leader-elect',
  `--port=${PORT}`,
  `--log-level=${logLevel}`,
  // By name where it is another's; its own, so that kustomize may move all of it.
  ...(watchNamespace === ''
    ? []
    : [`--namespace=${watchNamespace === namespace ? '$(POD_NAMESPACE)' : watchNamespace}`]),
  '--allowed-ingress-annotations',
  ...allowedAnnotations.ingress,
  '--allowed-service-account-annotations',
  ...allowedAnnotations.serviceAccount,
  '--allowed-pod-annotations',
  ...allowedAnnotations.pod,
];

/** Those fields that have something in them. */
function nonEmpty<T extends object>(fields: T): Partial<T> {
  const isEmpty = (value: unknown) =>
    value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as Partial<T>;
}
