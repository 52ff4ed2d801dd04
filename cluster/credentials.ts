import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { selfSigned } from '../certificates/index.ts';
import { printYaml } from '../yaml/print.ts';
import { type Files, FRONT_PROXY } from './components.ts';
import { writePrivately } from './private.ts';

/** The users that authenticate by token, with their groups. Roles for the two components come with Kubernetes. */
const USERS = {
  admin: ['admin', 'system:masters'],
  'kube-controller-manager': ['system:kube-controller-manager'],
  'kube-scheduler': ['system:kube-scheduler'],
} as const;
type User = keyof typeof USERS;

export type Tokens = Readonly<Record<User, string>>;

/** The users' tokens, the keys that sign service accounts' tokens, and certificates: made once, then read. */
export function credentials(files: Files): Tokens {
  if (!existsSync(files.serviceAccountKey)) {
    writeSigningKeys(files);
  }
  makeCertificate('etcd', files.etcdCertificate, files.etcdKey);
  makeCertificate(FRONT_PROXY, files.frontProxyCertificate, files.frontProxyKey);
  if (!existsSync(files.tokens)) {
    writePrivately(files.tokens, tokenFile());
  }
  return readTokens(readFileSync(files.tokens, 'utf8'));
}

/** Makes a certificate that signs itself, unless it is there. */
export function makeCertificate(name: string, file: string, keyFile: string): void {
  // Written last, so that a start which was cut off between the two makes both again.
  if (existsSync(file)) return;
  const { certificate, key } = selfSigned(name);
  writePrivately(keyFile, key);
  writePrivately(file, certificate);
}

function writeSigningKeys(files: Files): void {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writePrivately(files.serviceAccountPublicKey, publicKey.export({ type: 'spki', format: 'pem' }).toString());
  writePrivately(files.serviceAccountKey, privateKey.export({ type: 'sec1', format: 'pem' }).toString());
}

/** Lines of `token,user,uid,"group,group"`. */
function tokenFile(): string {
  return Object.entries(USERS)
    .map(([id, [user, ...groups]]) => `${randomBytes(24).toString('base64url')},${user},${id},"${groups.join(',')}"\n`)
    .join('');
}

function readTokens(text: string): Tokens {
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  return Object.fromEntries(rows.map(([token, , id]) => [id, token])) as Record<User, string>;
}

/** What a kubeconfig may say beside. */
export interface KubeconfigOptions {
  /** @default 'default' */
  readonly namespace?: string;
  /**
   * A file with the token, for clients that read it again when it changes.
   *
   * @default - none
   */
  readonly tokenFile?: string;
}

/** A kubeconfig for one user of one cluster. */
export function kubeconfig(url: string, ca: string, token: string, options: KubeconfigOptions = {}): string {
  const { namespace = 'default', tokenFile } = options;
  return printYaml({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'trunnion',
    contexts: [{ name: 'trunnion', context: { cluster: 'trunnion', user: 'trunnion', namespace } }],
    clusters: [
      {
        name: 'trunnion',
        cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
      },
    ],
    users: [{ name: 'trunnion', user: { token, ...(tokenFile !== undefined && { tokenFile }) } }],
  });
}
