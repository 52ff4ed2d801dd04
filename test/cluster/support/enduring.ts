import { expect, onTestFinished } from 'vitest';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import type { ResourceType } from '../../../operator/kube/client/types.ts';
import { eventually } from './eventually.ts';
import { simulated } from './training.ts';
import { types } from './types.ts';

const ENDURING = simulated({ 'delay-seconds': '600' });
const GROUP = 'admissionregistration.k8s.io';

const type = (kind: string, plural: string): ResourceType => ({ group: GROUP, version: 'v1', kind, plural });

const POLICY = type('MutatingAdmissionPolicy', 'mutatingadmissionpolicies');
const BINDING = type('MutatingAdmissionPolicyBinding', 'mutatingadmissionpolicybindings');

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
    POLICY,
    object(POLICY, {
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
  await admin.create(BINDING, object(BINDING, { policyName: name }));
  onTestFinished(async () => {
    await admin.delete(BINDING, { name });
    await admin.delete(POLICY, { name });
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
  return (await admin.create(types.pod, body, { dryRun: true })).metadata.annotations;
}
