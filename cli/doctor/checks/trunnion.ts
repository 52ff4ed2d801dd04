import type { V1Deployment } from '@kubernetes/client-node';
import { KINDS } from '../../../constructs/kinds.ts';
import { crdOf } from '../../../constructs/schema/crd.ts';
import { GROUP, VERSION, type KindSchema } from '../../../constructs/schema/kind.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';
import { OPERATOR_NAME } from '../../../operator/rbac.ts';
import { changedFields, type FieldChange } from '../../plan/fields.ts';
import { SCHEMAS } from '../../schemas.ts';
import type { Check, Observed } from '../types.ts';

/** Whether the CRDs are there, and are those of this release. */
export function checkCrds({ crds, served }: Observed): readonly Check[] {
  const about = 'CRDs';
  const install = 'Install them: trunnion install.';
  if (!crds.known) {
    return served.has(`${GROUP}/${VERSION}`)
      ? [{ about, verdict: 'ok', found: `${GROUP}/${VERSION} is served; you may not look at the CRDs themselves` }]
      : [{ about, verdict: 'fail', found: `${GROUP}/${VERSION} is not served`, advice: install }];
  }
  return SCHEMAS.flatMap((schema): Check[] => {
    const crd = crds.value.find(({ metadata }) => metadata.name === `${schema.plural}.${schema.group}`);
    if (crd !== undefined) return [checkCrd(schema, crd)];
    // Those of earlier operators are there for those who want them.
    return KINDS.includes(schema)
      ? [{ about, verdict: 'fail', found: `${schema.kind} is missing`, advice: install }]
      : [];
  });
}

function checkCrd(schema: KindSchema, crd: KubeObject): Check {
  const about = 'CRDs';
  const { kind } = schema;
  const isServed = conditionOf(crd, 'Established')?.status === 'True';
  if (!isServed) {
    const advice =
      conditionOf(crd, 'NamesAccepted')?.message || 'Another CRD may have taken its names: kubectl describe crd tells.';
    return { about, verdict: 'fail', found: `${kind} is not served`, advice };
  }
  if (changedFields(schemaOf(crd), schemaOf(crdOf(schema))).every(isEmpty))
    return { about, verdict: 'ok', found: `${kind} is that of this release` };
  const advice =
    'Fields that one of them does not know are dropped, or refused. Bring it up to date: trunnion install.';
  return { about, verdict: 'warn', found: `${kind} is that of another release`, advice };
}

/** The schema of a CRD's only version. */
const schemaOf = ({ spec }: { readonly [field: string]: unknown }): object =>
  (spec as { readonly versions?: readonly { readonly schema?: object }[] }).versions?.[0]?.schema ?? {};

/** The API server drops lists and objects that are empty. */
const isEmpty = ({ from, to }: FieldChange): boolean => from === undefined && (to === '[]' || to === '{}');

interface WithConditions {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

const conditionOf = (object: KubeObject, type: string) =>
  (object as KubeObject & WithConditions).status?.conditions?.find((condition) => condition.type === type);

/** Whether an operator runs. */
export function checkOperator(observed: Observed): readonly Check[] {
  const { deployment, operatorNamespace, lease } = observed;
  const about = 'Operator';
  if (!deployment.known)
    return [
      { about, verdict: 'warn', found: 'it can not be looked at', advice: deployment.because },
      ...checkLease(observed),
    ];
  if (deployment.value === undefined) {
    const holder = lease.known && lease.value !== undefined;
    const found = `${operatorNamespace} has no Deployment ${OPERATOR_NAME}`;
    const advice = 'Install it: trunnion install. If it is elsewhere, say where with --operator-namespace.';
    // One that was started by hand may hold the Lease, or none.
    return [{ about, verdict: holder ? 'warn' : 'fail', found, advice }, ...checkLease(observed)];
  }
  const { spec, status } = deployment.value as KubeObject & Pick<V1Deployment, 'spec' | 'status'>;
  const [ready, wanted] = [status?.readyReplicas ?? 0, spec?.replicas ?? 1];
  const found = `${ready} of ${wanted} pods are ready`;
  const podsAdvice = `kubectl -n ${operatorNamespace} describe pods tells why.`;
  if (ready === 0)
    return [
      {
        about,
        verdict: 'fail',
        found,
        advice: `Nothing happens to resources meanwhile; what runs, runs on. ${podsAdvice}`,
      },
    ];
  const check: Check =
    ready < wanted ? { about, verdict: 'warn', found, advice: podsAdvice } : { about, verdict: 'ok', found };
  return [check, ...checkLease(observed)];
}

/** A Lease that was not renewed for so many times its duration is nobody's: clocks may differ a bit. */
const TOO_LATE = 4;

function checkLease({ lease, now }: Observed): readonly Check[] {
  const about = 'Operator';
  if (!lease.known || lease.value === undefined) return [];
  const { holderIdentity = '', renewTime = '', leaseDurationSeconds = 15 } = lease.value['spec'] as LeaseSpec;
  const seconds = Math.round((now - Date.parse(renewTime)) / 1000);
  if (holderIdentity === '')
    return [
      { about, verdict: 'warn', found: 'nobody holds its Lease', advice: 'One that starts takes it within seconds.' },
    ];
  if (seconds <= leaseDurationSeconds * TOO_LATE) return [{ about, verdict: 'ok', found: `${holderIdentity} leads` }];
  const found = `${holderIdentity} held its Lease, and has not renewed it for ${seconds} s`;
  return [
    { about, verdict: 'fail', found, advice: 'No operator is running. Check its pods, and the clock of this machine.' },
  ];
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly renewTime?: string;
  readonly leaseDurationSeconds?: number;
}
