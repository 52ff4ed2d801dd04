import * as z from 'zod';
import { withRules } from '../../schema/rules.ts';
import { ACCESS_MODES } from './access-mode.ts';

/**
 * Who may mount the volume that weights are fetched onto. ReadOnlyMany is known, and refused by name: a volume that nobody
 * may write is never filled, and one that is [ReadWriteOnce, ReadOnlyMany] is attached by no CSI driver
 * (kubernetes-csi/csi-lib-utils, accessmodes/access_modes.go). See docs/decisions/0021-no-read-only-many.md.
 */
export const accessMode = withRules(z.enum(ACCESS_MODES), {
  rule: "self != 'ReadOnlyMany'",
  message:
    'must be ReadWriteOnce or ReadWriteMany, since nothing can be fetched onto a volume that is read-only: choose ReadWriteMany with a storage class of a shared file system (NFS, EFS, Filestore, Azure Files, CephFS), or ReadWriteOnce with one replica. Weights that are on a ReadOnlyMany volume already are served by model.uri pvc://CLAIM/PATH, without storage',
});
