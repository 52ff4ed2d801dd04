import { KINDS } from '../../constructs/kinds.ts';
import { crdOf } from '../../constructs/schema/crd.ts';
import type { Manifest } from '../../constructs/workload.ts';
import { COMPAT_SCHEMAS } from '../../compat/kinds/index.ts';

/**
 * The CRDs that the operator takes.
 *
 * @param compat - whether those of earlier operators' kinds are among them
 */
export const crds = (compat = false): Manifest[] =>
  [...KINDS, ...(compat ? COMPAT_SCHEMAS : [])].map((kind) => crdOf(kind));
