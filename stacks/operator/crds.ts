import { KINDS } from '../../constructs/kinds.ts';
import { crdOf } from '../../constructs/schema/crd.ts';
import type { Manifest } from '../../constructs/workload.ts';
import { EXISTING } from '../../operator/kinds/existing/schemas.ts';

/**
 * The CRDs that the operator takes.
 *
 * @param existing - whether those of earlier operators' kinds are among them
 */
export const crds = (existing = false): Manifest[] => [...KINDS, ...(existing ? EXISTING : [])].map(crdOf);
