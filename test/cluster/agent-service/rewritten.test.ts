import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { AgentUnderTest, agentSpec } from '../support/agent.ts';
import { mark, mutationsSince } from '../support/audit.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

const MIRROR = 'mirror.example.com/support-agent:2.0.0';

/** Has the cluster send the agent's image to a mirror, in one namespace, no matter who writes the Deployment. */
async function mirrorImages(namespace: string): Promise<void> {
  const name = `mirror-${namespace}`;
  const rules = [
    { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'], operations: ['CREATE', 'UPDATE'] },
  ];
  const expression = `[JSONPatch{op: "replace", path: "/spec/template/spec/containers/0/image", value: "${MIRROR}"}]`;
  await admin.create(TYPES.mutatingAdmissionPolicy, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: {
        resourceRules: rules,
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      },
      reinvocationPolicy: 'Never',
      failurePolicy: 'Fail',
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
    },
  });
  onTestFinished(async () => void (await admin.delete(TYPES.mutatingAdmissionPolicy, { name })));
  await admin.create(TYPES.mutatingAdmissionPolicyBinding, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name },
  });
  onTestFinished(async () => void (await admin.delete(TYPES.mutatingAdmissionPolicyBinding, { name })));
  await eventually(async () => expect(await imageOf(namespace, true)).toBe(MIRROR));
}

interface Deployment {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
  };
}

/** The image of the agent's Deployment; on trial, what would happen to one that is created. */
async function imageOf(namespace: string, trial = false): Promise<string | undefined> {
  const labels = { app: 'trial' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'example.com/a' }] } };
  const body = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'trial', namespace },
    spec: { selector: { matchLabels: labels }, template },
  };
  const seen = trial
    ? await admin.create(TYPES.deployment, body, { dryRun: true })
    : await admin.get(TYPES.deployment, { namespace, name: 'support-agent' });
  return (seen as unknown as Deployment).spec.template.spec.containers[0]?.image;
}

it('what a policy of the cluster rewrites at every apply is applied once, and runs', async () => {
  const namespace = await testNamespace(admin);
  await mirrorImages(namespace);
  await startOperator(admin, namespace);
  const agent = new AgentUnderTest(admin, namespace);
  const start = mark();
  await agent.apply(agentSpec);
  await agent.reaches('Running');
  await sleep(3_000);
  const applied = (await mutationsSince(admin, start)).filter(
    (mutation) => mutation.namespace === namespace && mutation.resource === 'deployments' && mutation.verb === 'patch',
  );
  expect(await imageOf(namespace)).toBe(MIRROR);
  expect(applied).toHaveLength(1);
});
