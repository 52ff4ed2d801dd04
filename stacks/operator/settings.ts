import * as z from 'zod';
import { DEFAULT_ENTRY, ENTRY_TEXT, isEntry, NO_ENTRY } from '../../constructs/parts/annotations/index.ts';
import { SpecError, withGot } from '../../constructs/schema/error.ts';
import type { Parsed, Written } from '../../constructs/schema/types.ts';

/** Text that is not there is empty, as in the values of a chart. */
const text = z.string().max(253);
const amount = z.string().regex(/^([0-9]+(\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi)?)?$/);
const plainObject = z.record(z.string(), z.unknown());

const image = z.strictObject({
  repository: text
    .min(1)
    .describe(
      'Where the image is. Until yours is named, nodes must have it already: names below docker.io/library are given by Docker alone, so nobody else can put an image there.',
    )
    .default('docker.io/library/trunnion-operator'),
  tag: text.describe("The image's tag. Empty takes the version of this release.").default(''),
  digest: z
    .string()
    .regex(/^(sha256:[0-9a-f]{64})?$/)
    .describe('Pins the image, for instance sha256:0e0f…; the tag is then left out.')
    .default(''),
  pullPolicy: z
    .enum(['Always', 'IfNotPresent', 'Never'])
    .describe('When nodes pull the image.')
    .default('IfNotPresent'),
  pullSecrets: z
    .array(z.strictObject({ name: text.min(1).describe('Name of a Secret in the namespace of the operator.') }))
    .describe('Secrets to pull it with.')
    .default([]),
});

const resources = z.strictObject({
  requests: z
    .strictObject({
      cpu: amount.describe('Enough to renew the lease in time on a full node.').default('100m'),
      memory: amount.describe('The peak that the scale test allows with 1,000 resources.').default('150Mi'),
    })
    .describe('What is set aside.')
    .prefault({}),
  limits: z
    .strictObject({
      cpu: amount.describe('Empty: none, since an operator that is throttled loses its lease.').default(''),
      memory: amount.describe('Twice the peak that the scale test allows with 10,000 resources.').default('512Mi'),
    })
    .describe('What is never exceeded.')
    .prefault({}),
});

/** Whom the operator asks: an API server's port is 443 as its Service has it, 6443 where the packet arrives. */
const API_SERVER = { ports: [443, 6443].map((port) => ({ protocol: 'TCP', port })) };

const monitoring = z.strictObject({
  serviceMonitor: z
    .boolean()
    .describe("Has Prometheus scrape the operator through its Service. Needs Prometheus' operator.")
    .default(false),
  podMonitor: z.boolean().describe('The same by its pods, where there is no serviceMonitor.').default(false),
  engines: z
    .boolean()
    .describe("Has Prometheus scrape the engines of all models. Needs Prometheus' operator.")
    .default(false),
  alerts: z.boolean().describe("Installs alerts, each with a runbook. Needs Prometheus' operator.").default(false),
  dashboards: z
    .boolean()
    .describe("Installs dashboards, as ConfigMaps that the sidecar of Grafana's chart finds.")
    .default(false),
  interval: text.min(1).describe('Time between two scrapes.').default('30s'),
  labels: z
    .record(z.string(), z.string())
    .describe("Labels by which the cluster's Prometheus selects monitors and rules.")
    .default({}),
  dashboardLabels: z
    .record(z.string(), z.string())
    .describe('Labels by which its Grafana selects dashboards, beside `grafana_dashboard: "1"`.')
    .default({}),
});

/** Of which annotations of users reach an object. */
const annotationKeys = (objects: string) =>
  z
    .array(z.string().max(317).refine(isEntry, ENTRY_TEXT))
    .min(1)
    .describe(
      `Annotations that users may have put on ${objects}: keys, or beginnings of keys with a \`*\`. \`${DEFAULT_ENTRY}\` stands for the default ones, \`${NO_ENTRY}\` for none.`,
    )
    .default([DEFAULT_ENTRY]);

const allowedAnnotations = z.strictObject({
  ingress: annotationKeys('Ingresses'),
  serviceAccount: annotationKeys('ServiceAccounts'),
  pod: annotationKeys('pods'),
});

/** How the operator is installed: the flags of `trunnion install`, and the values of the chart. */
export const settingsSchema = z.strictObject({
  image: image.describe('The operator.').prefault({}),
  replicas: z
    .int()
    .min(1)
    .max(9)
    .describe('How many run. One leads; the others have full caches and take over within 15 s.')
    .default(2),
  watchNamespace: text
    .describe('The one namespace that it works in, with a Role instead of a ClusterRole. Empty: the whole cluster.')
    .default(''),
  compat: z
    .boolean()
    .describe("Also takes earlier operators' kinds: ModelDeployment, MLTrainingJob and others.")
    .default(false),
  userRoles: z
    .strictObject({
      enabled: z
        .boolean()
        .describe(
          "Whether the built-in roles `view`, `edit` and `admin` of the cluster have Trunnion's kinds as well. Never where it works in one namespace.",
        )
        .default(true),
    })
    .describe('The ClusterRoles trunnion-view and trunnion-edit, for users.')
    .prefault({}),
  allowedAnnotations: allowedAnnotations
    .describe('Which annotations of users it puts on the objects that it makes for them.')
    .prefault({}),
  fetcherImage: z
    .string()
    .max(512)
    .describe(
      "The image that fetches weights, with the fetcher in it; pods of models pull it by their own pull secrets. Empty: the operator's own image, unless that needs `image.pullSecrets`. none: a public image of Node.js, and a ConfigMap with the program beside each model.",
    )
    .default(''),
  logLevel: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .describe('The least that is logged, as JSON lines.')
    .default('info'),
  env: z
    .array(plainObject)
    .describe('More environment variables, as in a container: proxies, settings of OpenTelemetry.')
    .default([]),
  resources: resources.describe('What each pod gets.').prefault({}),
  nodeSelector: z.record(z.string(), z.string()).describe('Labels that its nodes must have.').default({}),
  tolerations: z.array(plainObject).describe('Taints of nodes that it tolerates.').default([]),
  affinity: plainObject.describe('Where its pods are scheduled, beside their spread over nodes.').default({}),
  priorityClassName: text.describe('Priority class of its pods.').default(''),
  podAnnotations: z.record(z.string(), z.string()).describe('Annotations of its pods.').default({}),
  podDisruptionBudget: z
    .strictObject({
      enabled: z.boolean().describe('Whether nodes are drained one pod of the operator at a time.').default(true),
    })
    .describe('The PodDisruptionBudget.')
    .prefault({}),
  apiServer: z
    .strictObject({
      port: z
        .int()
        .min(0)
        .max(65_535)
        .describe(
          'The port on which the API server itself listens, where that is neither 443 nor 6443: the NetworkPolicy opens it as well. `kubectl get endpointslices -n default` tells it, and `trunnion install` asks for it. 0: it is one of the two.',
        )
        .default(0),
    })
    .describe('Where the API server is.')
    .prefault({}),
  networkPolicy: z
    .strictObject({
      enabled: z.boolean().describe('Whether its pods may talk to nobody but those that they have to.').default(true),
      egress: z
        .array(plainObject)
        .describe(
          "Rules beside DNS and the metrics of Trunnion's pods. The default reaches the API server wherever it is: put its address here, and that of a collector of traces.",
        )
        .default([API_SERVER]),
    })
    .describe('The NetworkPolicy.')
    .prefault({}),
  monitoring: monitoring.describe('What watches it. Each part needs what reads it to be there.').prefault({}),
  crds: z
    .strictObject({
      enabled: z
        .boolean()
        .describe('Whether the CRDs are part of it. One installation of a cluster has them.')
        .default(true),
      keep: z
        .boolean()
        .describe(
          'Whether they outlive `helm uninstall`. Without a CRD its resources go, and all that belongs to them.',
        )
        .default(true),
    })
    .describe('The CRDs.')
    .prefault({}),
});

/** How the operator is installed, whole. */
export type Settings = Parsed<z.output<typeof settingsSchema>>;

/** What a user says of it. */
export type SettingsInput = Written<z.input<typeof settingsSchema>>;

/**
 * The settings with their defaults.
 *
 * @throws SpecError with all problems at once
 */
export function parseSettings(input: SettingsInput): Settings {
  const { success, data, error } = settingsSchema.safeParse(input);
  if (success) return data;
  throw new SpecError(
    'the installation of the operator',
    error.issues.map(({ path, message }) =>
      withGot({ path: path.join('.'), message }, path.reduce<unknown>(fieldOf, input)),
    ),
  );
}

const fieldOf = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<PropertyKey, unknown>>)[key] : undefined;
