import { disruptionBudget } from '../../constructs/parts/scaling/index.ts';
import { networkPolicy } from '../../constructs/parts/network/index.ts';
import type { NetworkPolicyEgressRule } from '../../constructs/parts/objects/index.ts';
import type { Manifest } from '../../constructs/workload.ts';
import { allKinds, kinds } from '../../compat/kinds/index.ts';
import { OPERATOR_LABELS, OPERATOR_NAME, rbac } from '../../operator/rbac.ts';
import { crds, schemas } from './crds.ts';
import { deployment, METRICS_PORT } from './deployment.ts';
import { monitoring } from './monitoring/index.ts';
import type { Installation } from './installation.ts';
import { programOf } from './program.ts';
import { service } from './service.ts';
import type { Settings } from './settings.ts';
import { userRoles } from './user-roles.ts';

/** What the pods of the operator are selected by; it can't change while the Deployment lives. */
const SELECTOR = { 'app.kubernetes.io/name': OPERATOR_NAME };

/** All that an operator needs to be there, in the order in which it can be applied. */
export const objects = (installation: Installation): Manifest[] => [
  ...definitions(installation),
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: installation.namespace } },
  ...rights(installation),
  ...rightsOfUsers(installation),
  ...operator(installation),
  ...watchers(installation),
];

/** The CRDs. Helm leaves an object with this annotation where it is when the rest goes. */
export const definitions = ({ settings }: Installation): Manifest[] =>
  settings.crds.enabled
    ? crds(settings.compat).map((crd) =>
        settings.crds.keep
          ? { ...crd, metadata: { ...crd.metadata, annotations: { 'helm.sh/resource-policy': 'keep' } } }
          : crd,
      )
    : [];

/** The operator's account, and what it may do. */
export const rights = ({ namespace, settings: { compat, watchNamespace } }: Installation): Manifest[] =>
  rbac({ kinds: compat ? allKinds : kinds, namespace, ...(watchNamespace !== '' && { watchNamespace }) });

/** What users of a cluster may do. An operator for one namespace brings nothing of the cluster but the CRDs. */
export const rightsOfUsers = ({ settings: { compat, userRoles: shipped, watchNamespace } }: Installation): Manifest[] =>
  shipped.enabled && watchNamespace === ''
    ? userRoles({ schemas: schemas(compat), prefix: 'trunnion', labels: OPERATOR_LABELS })
    : [];

/** The operator itself. */
export function operator(installation: Installation): Manifest[] {
  const { namespace, version, settings } = installation;
  const metadata = { name: OPERATOR_NAME, namespace, labels: OPERATOR_LABELS };
  return [
    ...(settings.networkPolicy.enabled
      ? [networkPolicy(metadata, SELECTOR, { ingressPorts: [METRICS_PORT], egress: egress(namespace, settings) })]
      : []),
    deployment({ metadata, selector: SELECTOR, version, settings, program: programOf(installation) }),
    service(metadata, SELECTOR),
    ...(settings.podDisruptionBudget.enabled ? [disruptionBudget(metadata, { matchLabels: SELECTOR })] : []),
  ];
}

/** What watches it: Prometheus through its Service or by its pods, not by both. */
export function watchers({ namespace, settings }: Installation): readonly Manifest[] {
  const { serviceMonitor, podMonitor, ...rest } = settings.monitoring;
  return monitoring({ namespace, operator: serviceMonitor ? 'service' : podMonitor ? 'pods' : 'none', ...rest });
}

/** Of a server that drains it asks for the requests in flight, on whatever port that server has its metrics. */
const egress = (
  namespace: string,
  { watchNamespace, apiServer, networkPolicy: { egress: rules } }: Settings,
): NetworkPolicyEgressRule[] => [
  {
    to: [
      {
        ...(watchNamespace !== namespace && { namespaceSelector: selecting(watchNamespace) }),
        podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'trunnion' } },
      },
    ],
  },
  ...(apiServer.port === 0 ? [] : [{ ports: [{ protocol: 'TCP', port: apiServer.port }] }]),
  ...(rules as readonly NetworkPolicyEgressRule[]),
];

/** Selects a namespace, or all. */
const selecting = (namespace: string) =>
  namespace === '' ? {} : { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
