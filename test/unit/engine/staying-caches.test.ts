import { TRUNNION } from '../../../operator/trunnion.ts';
import { expect, it } from 'vitest';
import type { Kind } from '../../../operator/engine/api/kind.ts';
import { Cache } from '../../../operator/engine/cache/cache.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { apiVersionOf } from '../../../operator/kube/client/types.ts';
import type { KubeObject, ResourceType } from '../../../operator/kube/client/types.ts';
import { DEPLOYMENT, JOB, widget } from '../../support/widget.ts';

const kind: Kind = { ...(widget as Kind), childTypes: [...widget.childTypes, TYPES.networkPolicy] };
const labels = { 'app.kubernetes.io/name': 'widget', 'app.kubernetes.io/instance': 'w' };

const child = (type: ResourceType, spec: object, metadata: object = {}): KubeObject => ({
  apiVersion: apiVersionOf(type),
  kind: type.kind,
  metadata: {
    name: 'w',
    namespace: 'ns',
    uid: `uid-of-${type.kind}`,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels,
    ...metadata,
  },
  spec,
});

/** Caches that are told of what we do ourselves alone, and what is said of policies that stay. */
function caches() {
  const reported: string[] = [];
  const nobody = () => Promise.reject(new Error('nothing is watched here'));
  const watches = new Cache({
    client: { list: nobody, watch: nobody },
    kinds: [kind],
    identity: TRUNNION,
    isServed: () => Promise.resolve(false),
    enqueue: () => undefined,
    stays: ({ name }) => {
      const made = watches.staying.get('ns', 'networking.k8s.io/NetworkPolicy', name);
      reported.push(`${name} ${made !== undefined && watches.staying.hasToStay(made) ? 'has to stay' : 'may go'}`);
    },
  });
  return { view: watches.reader(kind), reported };
}

const deletion = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [TRUNNION.podProtection] };
const policy = child(TYPES.networkPolicy, { podSelector: { matchLabels: labels } }, deletion);
const template = { metadata: { labels } };

it('a policy is looked at after our own delete of what it stays for, since the stream tells nothing new of that', () => {
  const { view, reported } = caches();
  const deployment = view.wrote(child(DEPLOYMENT, { replicas: 0, template }));
  view.wrote(policy);
  expect(reported).toEqual(['w has to stay']);
  view.wroteDelete(deployment);
  expect(reported.slice(1)).toEqual(['w may go']);
});

it.each(['wrote', 'found'] as const)('a policy is looked at where what we %s tells that its Job is over', (how) => {
  const { view, reported } = caches();
  view.wrote(child(JOB, { template }));
  view.wrote(policy);
  const status = { conditions: [{ type: 'Complete', status: 'True' }] };
  view[how]({ ...child(JOB, { template }, { resourceVersion: '2' }), status });
  expect(reported).toEqual(['w has to stay', 'w may go']);
});
