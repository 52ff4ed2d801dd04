import type { FaultsStep, UntilObject } from '../../testing/faults/index.ts';

/** The class that claims of the examples name. Nobody provisions its volumes; a claim that is bound may grow. */
export const STANDARD = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'standard' },
  provisioner: 'example.com/nobody',
  allowVolumeExpansion: true,
};

/** Says of a claim what its volume controller would. */
export async function bind({ objects }: Parameters<NonNullable<FaultsStep['do']>>[0], name: string): Promise<void> {
  const status = { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } };
  await objects.patch('PersistentVolumeClaim', name, { status }, { subresource: 'status' });
}

/** A claim is bound. */
export const BOUND = (name: string): UntilObject => ({
  kind: 'PersistentVolumeClaim',
  name,
  holds: (claim: object) => (claim as { status?: { phase?: string } }).status?.phase === 'Bound',
});
