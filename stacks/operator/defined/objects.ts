import { disruptionBudget } from '../../../constructs/parts/scaling/index.ts';
import { isConverted } from '../../../constructs/schema/crd-conversion.ts';
import type { Manifest } from '../../../constructs/workload.ts';
import { conversionService, webhookOf } from '../../../operator/conversion/index.ts';
import { operatorLabels, rbac, type RbacOptions } from '../../../operator/rbac.ts';
import type { DefinedKind } from '../../../operator/runtime/index.ts';
import { deployment } from '../deployment.ts';
import { service } from '../service.ts';
import { userRoles } from '../user-roles.ts';
import type { DefinedSettings } from './settings.ts';

/** An operator that runs kinds of its own. */
export interface DefinedOperator {
  readonly identity: NonNullable<RbacOptions['identity']>;
  readonly kinds: readonly DefinedKind[];
  /** Which is the tag of its image. */
  readonly version: string;
}

/** The CRDs. Helm leaves an object with this annotation where it is when the rest goes. */
export const definitions = (
  { identity, kinds }: DefinedOperator,
  { crds }: Pick<DefinedSettings, 'crds'>,
  namespace: string,
): Manifest[] =>
  crds.enabled
    ? kinds.map((kind) => {
        const crd = kind.crd(isConverted(kind.schema) ? webhookOf({ name: identity.name, namespace }) : undefined);
        return crds.keep ? kept(crd) : crd;
      })
    : [];

const kept = (crd: Manifest): Manifest => ({
  ...crd,
  metadata: { ...crd.metadata, annotations: { ...crd.metadata.annotations, 'helm.sh/resource-policy': 'keep' } },
});

/** Its account, and what it may do. */
export const rights = (
  { identity, kinds }: DefinedOperator,
  { watchNamespace }: Pick<DefinedSettings, 'watchNamespace'>,
  namespace: string,
): Manifest[] => rbac({ kinds, identity, namespace, ...(watchNamespace !== '' && { watchNamespace }) });

/** What users of a cluster may do. */
export const rightsOfUsers = (
  { identity, kinds }: DefinedOperator,
  { userRoles: shipped, watchNamespace }: Pick<DefinedSettings, 'userRoles' | 'watchNamespace'>,
): Manifest[] =>
  shipped.enabled && watchNamespace === ''
    ? userRoles({
        schemas: kinds.map(({ schema }) => schema),
        prefix: identity.name,
        labels: operatorLabels(identity),
      })
    : [];

/** Its pods, and what goes with them. */
export function operator(
  { identity, kinds, version }: DefinedOperator,
  settings: DefinedSettings,
  namespace: string,
): Manifest[] {
  const { name } = identity;
  const metadata = { name, namespace, labels: operatorLabels(identity) };
  const selector = { 'app.kubernetes.io/name': name };
  const { watchNamespace, logLevel, env } = settings;
  return [
    deployment({
      metadata,
      selector,
      version,
      settings,
      program: {
        env: [
          ...(watchNamespace === '' ? [] : [{ name: 'WATCH_NAMESPACE', value: watchNamespace }]),
          { name: 'LOG_LEVEL', value: logLevel },
          ...env,
        ],
      },
    }),
    service(metadata, selector),
    ...(kinds.some(({ schema }) => isConverted(schema))
      ? [conversionService({ name, namespace, selector, labels: metadata.labels })]
      : []),
    ...(settings.podDisruptionBudget.enabled ? [disruptionBudget(metadata, { matchLabels: selector })] : []),
  ];
}
