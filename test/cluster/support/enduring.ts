import { expect, onTestFinished } from 'vitest';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { ResourceType } from '../../../operator/kube/client/types.ts';
import { eventually } from './eventually.ts';
import { simulated } from './training.ts';

const ENDURING = simulated({ 'delay-seconds': '600' });

/**
 * Has the pods of Jobs in a namespace work for as long as a test looks, though what made them does not say so. They are
 * told before they exist, so that none of them is done sooner.
 */
export async function enduringPods(admin: KubeClient, namespace: string): Promise<void> {
  const name = `enduring-${namespace}`;
  const object = ({ group, version, kind }: ResourceType, spec: object) => ({
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name },
    spec,
  });
  const annotations = JSON.stringify(ENDURING);
  await admin.create(
    TYPES.mutatingAdmissionPolicy,
    object(TYPES.mutatingAdmissionPolicy, {
      failurePolicy: 'Fail',
      reinvocationPolicy: 'Never',
      matchConstraints: {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
      mutations: [
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: { expression: `Object{metadata: Object.metadata{annotations: ${annotations}}}` },
        },
      ],
    }),
  );
  await admin.create(
    TYPES.mutatingAdmissionPolicyBinding,
    object(TYPES.mutatingAdmissionPolicyBinding, { policyName: name }),
  );
  onTestFinished(async () => {
    await admin.delete(TYPES.mutatingAdmissionPolicyBinding, { name });
    await admin.delete(TYPES.mutatingAdmissionPolicy, { name });
  });
  // The API server takes a moment to learn of it.
  await eventually(async () => expect(await annotationsOfNewPods(admin, namespace)).toEqual(ENDURING));
}

/** What the API server would put on a pod. */
async function annotationsOfNewPods(admin: KubeClient, namespace: string): Promise<unknown> {
  const securityContext = {
    runAsNonRoot: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
  };
  const containers = [{ name: 'probe', image: 'example.com/probe:1', securityContext }];
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'probe', namespace }, spec: { containers } };
  return (await admin.create(TYPES.pod, body, { dryRun: true })).metadata.annotations;
}
