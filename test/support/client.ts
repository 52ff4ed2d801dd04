import { KubeClient } from '../../operator/kube/client/client.ts';
import { connect } from '../../operator/kube/client/connection.ts';

/** A client of a control plane, by a token. */
export function clientOf(
  { url, ca, token }: { readonly url: string; readonly ca: string; readonly token: string },
  userAgent = 'test',
): KubeClient {
  const connection = { url, ca, authorization: `Bearer ${token}`, namespace: 'default' };
  return new KubeClient({ connection: connect({ from: 'fixed', connection }), userAgent });
}
