import { objectIn } from '../../constructs/schema/json.ts';
import { ApiError, type KubeClient, type KubeObject, type ObjectRef, TYPES } from '../kube/index.ts';
import { renewed, type SharedCertificate } from './certificate.ts';

/** The names of what a Secret of the type kubernetes.io/tls has, and of what others put beside it. */
const DATA = { certificate: 'tls.crt', key: 'tls.key', trusted: 'ca.crt' } as const;

/** How often another replica may be faster. */
const MOST_TRIES = 5;

export interface SharedSecretOptions {
  readonly client: KubeClient;
  readonly ref: ObjectRef;
  /** Of the operator. */
  readonly name: string;
  /** By which the API server asks. */
  readonly hosts: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly now: () => number;
}

/**
 * The certificate that all replicas share in a Secret: made where there is none, and replaced before its end. Of two
 * replicas that do so at once, the first one wins, and the other takes what it made.
 */
export async function sharedCertificate(options: SharedSecretOptions): Promise<SharedCertificate> {
  const { client, ref, name, hosts, now } = options;
  for (let tries = 1; ; tries += 1) {
    const secret = await client.find(TYPES.secret, ref);
    const shared = secret === undefined ? undefined : sharedIn(secret);
    const wanted = renewed(shared, { name, hosts, now: now() });
    if (wanted === shared) return wanted;
    try {
      await write(options, secret, wanted);
      return wanted;
    } catch (error) {
      const wasFaster = error instanceof ApiError && error.status === 409;
      if (!wasFaster || tries === MOST_TRIES) throw error;
    }
  }
}

function sharedIn(secret: KubeObject): SharedCertificate {
  const data = objectIn(secret['data']);
  const text = (name: string): string => {
    const value = data[name];
    return typeof value === 'string' ? Buffer.from(value, 'base64').toString() : '';
  };
  return { certificate: text(DATA.certificate), key: text(DATA.key), trusted: text(DATA.trusted) };
}

async function write(
  { client, ref, labels, name }: SharedSecretOptions,
  secret: KubeObject | undefined,
  { certificate, key, trusted }: SharedCertificate,
): Promise<void> {
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  const data = { [DATA.certificate]: encoded(certificate), [DATA.key]: encoded(key), [DATA.trusted]: encoded(trusted) };
  const options = { fieldManager: name };
  if (secret !== undefined) {
    const { resourceVersion } = secret.metadata;
    await client.replace(TYPES.secret, { ...secret, metadata: { ...secret.metadata, resourceVersion }, data }, options);
    return;
  }
  const head = { apiVersion: 'v1', kind: 'Secret', metadata: { ...ref, labels } };
  await client.create(TYPES.secret, { ...head, type: 'kubernetes.io/tls', data }, options);
}
