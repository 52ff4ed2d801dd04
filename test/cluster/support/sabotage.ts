import { onTestFinished } from 'vitest';
import { isNotFound } from '../../../operator/kube/client/errors.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { Reflector } from '../../../operator/kube/cache/reflector.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { Store } from '../../../operator/kube/cache/store.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';

/**
 * Gives every pod of a component that appears in a namespace the annotations that make the simulated kubelet fail it:
 * see cluster/manifests/pod-step.jq.
 *
 * @returns a function that ends it; pods that come later are left alone
 */
export function sabotage(
  admin: KubeClient,
  namespace: string,
  component: string,
  annotations: Readonly<Record<string, string>>,
): () => Promise<void> {
  const named = Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [`sim.trunnion.dev/${key}`, value]),
  );
  const reflector = new Reflector<KubeObject>({
    client: admin,
    type: TYPES.pod,
    namespace,
    labelSelector: `app.kubernetes.io/component=${component}`,
    store: new Store<KubeObject>({ transform: (object) => object }),
  });
  reflector.onChange((change) => {
    if (change.type !== 'added') return;
    const { name } = change.value.metadata;
    void admin.patch(TYPES.pod, { namespace, name }, { metadata: { annotations: named } }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  });
  reflector.start();
  const end = (): Promise<void> => reflector.stop();
  onTestFinished(end);
  return end;
}
