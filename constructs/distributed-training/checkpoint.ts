import type { EnvVar, NetworkPolicyEgressRule, Volume, VolumeMount } from '../parts/objects/index.ts';
import { CREDENTIALS, fetchEgress, parseModelUri } from '../parts/weights/index.ts';
import type { Named } from './names.ts';
import { CHECKPOINT_VOLUME, CREDENTIALS_VOLUME } from './parts.ts';
import type { DistributedTrainingSpec } from './spec.ts';

/** Where a claim with checkpoints is mounted. */
const CHECKPOINT_PATH = '/checkpoints';
/** Where the key of a Google service account is mounted. */
const CREDENTIALS_PATH = '/etc/trunnion/credentials';

/** What pods have for the sake of checkpoints. */
export interface CheckpointMount {
  readonly env: readonly EnvVar[];
  readonly volumes: readonly Volume[];
  readonly mounts: readonly VolumeMount[];
}

const NOTHING: CheckpointMount = { env: [], volumes: [], mounts: [] };

/** The folder of an attempt: padded, so that the order of names is that of attempts. */
const folderOf = (attempt: number): string => `attempt-${String(attempt).padStart(5, '0')}`;

/**
 * An attempt writes into a folder of its own, `CHECKPOINT_URI`, so that a rank of an earlier attempt that still runs on a
 * node that nobody reaches can't spoil it. All folders are in `CHECKPOINT_ROOT`: the newest checkpoint may be in any.
 */
export function checkpointMount({ spec: { checkpoint }, attempt }: Named): CheckpointMount {
  if (checkpoint === undefined) return NOTHING;
  const uri = parseModelUri(checkpoint.uri);
  if (uri.scheme === 'pvc') {
    const folder = `${CHECKPOINT_PATH}/${folderOf(attempt)}`;
    const mount = { name: CHECKPOINT_VOLUME, mountPath: CHECKPOINT_PATH };
    return {
      env: [...locations(CHECKPOINT_PATH, folder), { name: 'CHECKPOINT_DIR', value: folder }],
      volumes: [{ name: CHECKPOINT_VOLUME, persistentVolumeClaim: { claimName: uri.claim } }],
      mounts: [uri.path === '' ? mount : { ...mount, subPath: uri.path }],
    };
  }
  const root = checkpoint.uri.replace(/\/$/, '');
  const access = accessOf(uri.scheme, checkpoint.credentials?.secretName);
  return { ...access, env: [...locations(root, `${root}/${folderOf(attempt)}`), ...access.env] };
}

/** What ranks must reach to save a checkpoint. */
export function checkpointEgress(spec: DistributedTrainingSpec): readonly NetworkPolicyEgressRule[] {
  const { checkpoint, env, serviceAccount } = spec;
  if (checkpoint === undefined) return [];
  return fetchEgress({
    model: { uri: checkpoint.uri },
    ...(env && { env }),
    ...(serviceAccount && { serviceAccount }),
  });
}

const locations = (root: string, own: string): readonly EnvVar[] => [
  { name: 'CHECKPOINT_ROOT', value: root },
  { name: 'CHECKPOINT_URI', value: own },
];

/** Credentials as the libraries of each store look for them: variables for S3, a file for Google. */
function accessOf(scheme: string, secretName: string | undefined): CheckpointMount {
  if (secretName === undefined) return NOTHING;
  if (scheme === 's3') {
    const env = CREDENTIALS.s3.map(({ variable }) => ({
      name: variable,
      valueFrom: { secretKeyRef: { name: secretName, key: variable, optional: true } },
    }));
    return { ...NOTHING, env };
  }
  return {
    env: [{ name: 'GOOGLE_APPLICATION_CREDENTIALS', value: `${CREDENTIALS_PATH}/key.json` }],
    volumes: [{ name: CREDENTIALS_VOLUME, secret: { secretName } }],
    mounts: [{ name: CREDENTIALS_VOLUME, mountPath: CREDENTIALS_PATH, readOnly: true }],
  };
}
