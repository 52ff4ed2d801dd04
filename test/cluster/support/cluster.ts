import { inject } from 'vitest';
import type { ClusterAccess } from '../setup.ts';

/** The control plane of this worker: the files that it runs, one after the other, have it for themselves. */
export function cluster(): ClusterAccess {
  const own = inject('clusters')[Number(process.env['VITEST_POOL_ID']) - 1];
  if (own === undefined) throw new Error(`worker ${process.env['VITEST_POOL_ID']} has no control plane`);
  return own;
}
