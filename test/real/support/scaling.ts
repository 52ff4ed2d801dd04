import { expect } from 'vitest';
import { apply } from '../../../cli/kube/apply.ts';
import { type Api, api } from '../../../cluster/api.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { ResourceType } from '../../../operator/kube/client/types.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import type { Testbed } from './testbed.ts';

export const SCALED_OBJECT: ResourceType = {
  group: 'keda.sh',
  version: 'v1alpha1',
  kind: 'ScaledObject',
  plural: 'scaledobjects',
};

/** How soon KEDA's autoscalers of this cluster give a replica up, in seconds. */
const LULL = 20;

const target = '/spec/behavior/scaleDown';
const replaced = (path: string): string => `JSONPatch{op: "replace", path: "${target}${path}", value: ${LULL}}`;
const name = 'short-lulls';

/**
 * Trunnion waits ten minutes before it gives a replica up, and two between two of them, which no spec changes. In this cluster
 * the API server shortens that in what KEDA writes. Ends once it does: it knows a policy some moments after it was made.
 */
export async function shortenLulls(client: KubeClient): Promise<void> {
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      reinvocationPolicy: 'Never',
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['autoscaling'],
            apiVersions: ['v2'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['horizontalpodautoscalers'],
          },
        ],
      },
      matchConditions: [
        {
          name: 'of-keda',
          expression:
            'has(object.metadata.ownerReferences) && object.metadata.ownerReferences.exists(o, o.kind == "ScaledObject")',
        },
      ],
      mutations: [
        {
          patchType: 'JSONPatch',
          jsonPatch: {
            expression: `[${replaced('/stabilizationWindowSeconds')}, ${replaced('/policies/0/periodSeconds')}]`,
          },
        },
      ],
    },
  };
  const binding = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name },
  };
  for (const manifest of [policy, binding]) await apply(client, manifest, 'default');
  await eventually(async () => {
    const { spec } = (await client.apply(TYPES.horizontalPodAutoscaler, ofKeda, {
      fieldManager: name,
      dryRun: true,
    })) as {
      readonly spec?: typeof ofKeda.spec;
    };
    expect(spec?.behavior.scaleDown.stabilizationWindowSeconds).toBe(LULL);
  });
}

/** An autoscaler as KEDA writes it, which is tried and not made. */
const ofKeda = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: {
    name,
    namespace: 'default',
    ownerReferences: [{ apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', name, uid: name }],
  },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    maxReplicas: 2,
    behavior: {
      scaleDown: { stabilizationWindowSeconds: 600, policies: [{ type: 'Pods', value: 1, periodSeconds: 120 }] },
    },
  },
};

/** The names of the pods that serve a model now. */
export async function serversOf(client: KubeClient, namespace: string, of: string): Promise<readonly string[]> {
  const labelSelector = `app.kubernetes.io/instance=${of},app.kubernetes.io/component=server`;
  const { items } = await client.list(TYPES.pod, { namespace, labelSelector });
  return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.name);
}

/** How many tokens a server has made. */
async function tokensOf(server: Api, namespace: string, pod: string): Promise<number> {
  const text = String(await server.get(`/api/v1/namespaces/${namespace}/pods/${pod}:8000/proxy/metrics`));
  return Number(/^vllm:generation_tokens_total\{.*\} (.*)$/m.exec(text)?.[1] ?? 0);
}

/** Waits until another server than these makes tokens. */
export async function firstTokenBeside(
  { client, cluster: { url, ca, token } }: Testbed,
  namespace: string,
  of: string,
  known: readonly string[],
): Promise<void> {
  const server = api(url, ca, token);
  try {
    await eventually(
      async () => {
        const others = (await serversOf(client, namespace, of)).filter((pod) => !known.includes(pod));
        const made = await Promise.all(others.map((pod) => tokensOf(server, namespace, pod)));
        if (!made.some((tokens) => tokens > 0)) throw new Error(`${others.length} new servers made no token`);
      },
      { timeout: 240_000 },
    );
  } finally {
    await server.close();
  }
}

/** Waits for a number of replicas; where they do not come, the error has what the autoscaler saw. */
export async function scaled<T>(client: KubeClient, namespace: string, waiting: Promise<T>): Promise<T> {
  try {
    return await waiting;
  } catch (error) {
    const [{ items: autoscalers }, { items: pods }] = [
      await client.list(TYPES.horizontalPodAutoscaler, { namespace }),
      await client.list(TYPES.pod, { namespace }),
    ];
    const seen = { autoscalers: autoscalers.map(statusOf), pods: pods.map(({ metadata }) => metadata.name) };
    throw new Error(`${error instanceof Error ? error.message : ''} with ${JSON.stringify(seen)}`, { cause: error });
  }
}

const statusOf = (object: object): unknown => ('status' in object ? object.status : undefined);
