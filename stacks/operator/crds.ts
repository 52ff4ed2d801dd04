import { KINDS } from '../../constructs/kinds.ts';
import { crdOf } from '../../constructs/schema/crd.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { Manifest } from '../../constructs/workload.ts';
import { COMPAT_SCHEMAS } from '../../compat/kinds/index.ts';

/** The kinds that the operator takes, as `crds` has them. */
export const schemas = (compat: boolean): readonly KindSchema[] => [...KINDS, ...(compat ? COMPAT_SCHEMAS : [])];

/**
 * The CRDs that the operator takes.
 *
 * @param compat - whether those of earlier operators' kinds are among them
 */
export const crds = (compat = false): Manifest[] => schemas(compat).map((kind) => crdOf(kind));
