import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import type { Files } from './components.ts';

/** The users that authenticate by token, with their groups. Roles for the two components come with Kubernetes. */
const USERS = {
  admin: ['admin', 'system:masters'],
  'kube-controller-manager': ['system:kube-controller-manager'],
  'kube-scheduler': ['system:kube-scheduler'],
} as const;
type User = keyof typeof USERS;

export type Tokens = Readonly<Record<User, string>>;

/** The users' tokens, and the keys that sign service accounts' tokens: made once, then read. */
export function credentials(files: Files): Tokens {
  if (!existsSync(files.serviceAccountKey)) {
    writeSigningKeys(files);
  }
  if (!existsSync(files.tokens)) {
    writeFileSync(files.tokens, tokenFile(), { mode: 0o600 });
  }
  return readTokens(readFileSync(files.tokens, 'utf8'));
}

function writeSigningKeys(files: Files): void {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(files.serviceAccountPublicKey, publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(files.serviceAccountKey, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
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

/** A kubeconfig for one user of one cluster. */
export function kubeconfig(url: string, ca: string, token: string): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'trunnion',
    contexts: [{ name: 'trunnion', context: { cluster: 'trunnion', user: 'trunnion', namespace: 'default' } }],
    clusters: [
      {
        name: 'trunnion',
        cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
      },
    ],
    users: [{ name: 'trunnion', user: { token } }],
  });
}
