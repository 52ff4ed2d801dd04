import { generateKeyPairSync } from 'node:crypto';
import type { SecretContent } from '../../engine/api/index.ts';

/** What makes the content of a Secret with an SSH key pair. */
export const SSH_KEY = 'ssh-key';

/** A new key pair, as Kubernetes has it in a Secret. */
export function sshKeySecret(): SecretContent {
  const { privateKey, publicKey } = makeSshKey();
  return {
    type: 'kubernetes.io/ssh-auth',
    stringData: { 'ssh-privatekey': privateKey, 'ssh-publickey': publicKey },
  };
}

/** A key pair in the forms that OpenSSH reads. */
export interface SshKey {
  /** PEM. */
  readonly privateKey: string;
  /** A line of `authorized_keys`. */
  readonly publicKey: string;
}

const ALGORITHM = 'ecdsa-sha2-nistp521';
const CURVE = 'nistp521';

/** The length of a coordinate of P-521, in bytes. */
const COORDINATE_BYTES = 66;

/** Makes a new key pair on P-521, the curve of which OpenSSH reads keys in a form that Node writes. */
export function makeSshKey(): SshKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), coordinate(x), coordinate(y)]);
  const blob = Buffer.concat([Buffer.from(ALGORITHM), Buffer.from(CURVE), point].map(withLength));
  return {
    privateKey: privateKey.export({ format: 'pem', type: 'sec1' }).toString(),
    publicKey: `${ALGORITHM} ${blob.toString('base64')} trunnion\n`,
  };
}

function coordinate(base64url: string): Buffer {
  const bytes = Buffer.from(base64url, 'base64url');
  return Buffer.concat([Buffer.alloc(COORDINATE_BYTES - bytes.length), bytes]);
}

/** As RFC 4251 writes a string. */
function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
