import { KINDS } from '../../../constructs/kinds.ts';
import { crdOf } from '../../../constructs/schema/crd.ts';
import { GROUP, VERSION, type KindSchema } from '../../../constructs/schema/kind.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';
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
