import { crdName } from '../../constructs/schema/crd.ts';
import { isObject, objectIn } from '../../constructs/schema/json.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import { type KubeClient, type KubeObject, TYPES } from '../kube/index.ts';

/** The CRD of a kind, as it says whom to trust. */
export interface TrustingCrd {
  readonly name: string;
  /** What it was when it was read. */
  readonly resourceVersion: string;
  /** PEM; empty where it names nobody. */
  readonly trusted: string;
}

/** A CRD that no certificate can be written into. */
export class UnfitCrdError extends Error {
  override readonly name = 'UnfitCrdError';
}

/** @throws UnfitCrdError where it is not there, or has no webhook to convert by */
export async function readCrd(client: KubeClient, kind: KindSchema): Promise<TrustingCrd> {
  const name = crdName(kind);
  return trustingCrd(name, await client.find(TYPES.customResourceDefinition, { name }));
}

/** @throws UnfitCrdError where it is not there, or has no webhook to convert by */
export function trustingCrd(name: string, crd: KubeObject | undefined): TrustingCrd {
  if (crd === undefined) throw new UnfitCrdError(`there is no CRD ${name}: apply the one of this operator`);
  const conversion = objectIn(objectIn(crd['spec'])['conversion']);
  const client = objectIn(objectIn(conversion['webhook'])['clientConfig']);
  if (conversion['strategy'] !== 'Webhook' || !(isObject(client['service']) || typeof client['url'] === 'string')) {
    throw new UnfitCrdError(
      `the CRD ${name} has no spec.conversion by a webhook, so the API server stores all versions as they are: apply the CRD of this operator`,
    );
  }
  const bundle = client['caBundle'];
  const trusted = typeof bundle === 'string' ? Buffer.from(bundle, 'base64').toString() : '';
  return { name, resourceVersion: crd.metadata.resourceVersion, trusted };
}

/**
 * Writes into a CRD whom the API server trusts, where it says something else. It must have been read before the
 * certificates were: then what is written is never older than what is there.
 *
 * @throws ApiError 409 where the CRD has changed since it was read
 */
export async function trustIn(
  client: KubeClient,
  { name, resourceVersion, trusted }: TrustingCrd,
  wanted: string,
  fieldManager: string,
): Promise<boolean> {
  if (trusted === wanted) return false;
  const caBundle = Buffer.from(wanted).toString('base64');
  const patch = { metadata: { resourceVersion }, spec: { conversion: { webhook: { clientConfig: { caBundle } } } } };
  await client.patch(TYPES.customResourceDefinition, { name }, patch, { fieldManager });
  return true;
}
