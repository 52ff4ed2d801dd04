import { describe, expect, test } from 'vitest';
import { MAX_NAME_LENGTH } from '../../../constructs/model-serving/rules.ts';
import { ADDS_EGRESS } from '../../../constructs/parts/network/isolation.ts';
import { childOf, construct, idsOf, parsed, podOf, render, specOf, templateOf } from './support/render.ts';
import { podTemplatesIn } from '../../../constructs/parts/objects/index.ts';
import { scaled, shared, single, SPECS } from './support/specs.ts';

const { storage: _, ...unmounted } = shared;
const mounted = { ...unmounted, model: { uri: 'pvc://models' } };
const nextModel = { uri: 'hf://meta-llama/Meta-Llama-3.1-8B-Instruct' };
/** What every pod waits for. */
const guards = ['service-account', 'network-policy'];
const namesOf = (kind: string, children: ReturnType<typeof render>) =>
  children.filter(({ manifest }) => manifest.kind === kind).map(({ manifest }) => manifest.metadata.name);

describe('weights', () => {
  test('on a ReadWriteOnce volume are fetched by the pod that serves, and by no Job', () => {
    expect(idsOf(single)).not.toContain('fetch');
    expect(podOf(single).initContainers?.map(({ name }) => name)).toEqual(['fetch']);
    expect(childOf('deployment', single).after).toEqual([guards[0], 'fetch-network-policy', guards[1], 'weights']);
  });

  test.each([undefined, 'open', 'closed'] as const)(
    'are fetched by the pod that serves through a policy of its own, which is %s, and not through that of the pod',
    (fetchEgress) => {
      const state = fetchEgress && { fetchEgress };
      const anywhere = expect.stringContaining('0.0.0.0/0');
      expect(JSON.stringify(specOf('network-policy', single, state))).not.toEqual(anywhere);
      const policy = childOf('fetch-network-policy', single, state).manifest;
      expect(policy.metadata).toMatchObject({
        name: 'llama-fetch',
        annotations: { [ADDS_EGRESS]: 'fetch' },
      });
      const closed = {
        podSelector: { matchLabels: construct(single).selector },
        policyTypes: ['Egress'],
      };
      expect(policy['spec']).toEqual(
        fetchEgress === 'closed'
          ? closed
          : { ...closed, egress: [expect.objectContaining({ ports: [{ port: 443, protocol: 'TCP' }] })] },
      );
    },
  );

  test('are fetched by a pod that is the same whether its policy is open or closed', () => {
    const pod = (fetchEgress: 'open' | 'closed') => childOf('deployment', single, { fetchEgress }).manifest;
    expect(pod('closed')).toEqual(pod('open'));
  });

  test('on a shared volume are fetched by a Job, which the pods wait for', () => {
    expect(podOf(shared).initContainers?.map(({ name }) => name)).toEqual(['wait']);
    expect(childOf('fetch', shared).after).toEqual([...guards, 'fetcher-network-policy', 'weights']);
    expect(childOf('deployment', shared).after).toEqual([...guards, 'fetcher-network-policy', 'fetch']);
  });

  test.each([single, shared])(
    'keep no server from being scaled away, so that a volume that is deleted goes',
    (spec) => {
      expect(childOf('deployment', { ...spec, replicas: 0 }).after).not.toContain(
        childOf('deployment', spec).after.at(-1),
      );
    },
  );

  test('that are there already are mounted, with nothing to wait for', () => {
    expect(idsOf(mounted)).toEqual(['service-account', 'network-policy', 'deployment', 'service', 'disruption-budget']);
    expect(podOf(mounted).initContainers).toBeUndefined();
  });

  test('outlive the resource where the spec says so', () => {
    expect(childOf('weights', scaled).retain).toBe(true);
    expect(childOf('weights', shared).retain).toBe(false);
  });

  test('are then kept from Argo CD and Flux, which delete what Git does not have', () => {
    expect(childOf('weights', scaled).manifest.metadata.annotations).toEqual({
      'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
      'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
    });
    expect(childOf('weights', shared).manifest.metadata.annotations).toBeUndefined();
  });

  test('of another URI have a volume and a Job of their own', () => {
    const next = { ...shared, model: nextModel };
    expect(childOf('weights', next).manifest.metadata.name).not.toBe(childOf('weights', shared).manifest.metadata.name);
    expect(childOf('fetch', next).manifest.metadata.name).not.toBe(childOf('fetch', shared).manifest.metadata.name);
  });
});

describe('while the weights of a new model are fetched', () => {
  const next = { ...shared, model: nextModel, engine: { type: 'sglang' as const }, replicas: 3 };
  const state = { serving: parsed(shared) };

  test('the pods stay as they are, and all else follows the new spec', () => {
    const [before, during] = [childOf('deployment', shared).manifest, childOf('deployment', next, state).manifest];
    expect(templateOf(during)).toEqual(templateOf(before));
    expect(specOf('deployment', next, state)['replicas']).toBe(3);
    expect(childOf('service', next, state)).toEqual(childOf('service', next));
  });

  test('the volumes of both are kept, and the Deployment does not wait for the new one', () => {
    expect(namesOf('PersistentVolumeClaim', render(next, state))).toEqual([
      ...namesOf('PersistentVolumeClaim', render(shared)),
      ...namesOf('PersistentVolumeClaim', render(next)),
    ]);
    expect(childOf('fetch', next, state)).toEqual(childOf('fetch', next));
    expect(childOf('deployment', next, state).after).toEqual([...guards, 'fetcher-network-policy', 'earlier-weights']);
  });

  test('pods of either port may be reached, since the policy goes by its name', () => {
    expect(specOf('network-policy', next, state)['ingress']).toEqual([{ ports: [{ protocol: 'TCP', port: 'http' }] }]);
  });

  test('the autoscaler reads the metrics of the engine that serves', () => {
    const onSglang = { ...scaled, model: nextModel, engine: { type: 'sglang' as const } };
    const queries = JSON.stringify(specOf('autoscaler', onSglang, { serving: parsed(scaled) })['triggers']);
    expect(queries).toContain('vllm:num_requests_waiting');
    expect(queries).not.toContain('sglang:');
  });

  test('on ReadWriteOnce volumes the new pod fetches onto its own volume beside the old pod', () => {
    const moved = { ...single, model: nextModel };
    const strategy = (runtimeOf: object) => specOf('deployment', moved, runtimeOf)['strategy'];
    expect(strategy({ serving: parsed(single) })).toMatchObject({ rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
    expect(strategy({})).toMatchObject({ rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } });
    expect(templateOf(childOf('deployment', moved, { serving: parsed(single) }).manifest)).toEqual(
      templateOf(childOf('deployment', moved).manifest),
    );
  });

  test('an earlier spec of the same model adds no volume', () => {
    const other = { ...shared, engine: { ...shared.engine, args: ['--enforce-eager'] } };
    expect(namesOf('PersistentVolumeClaim', render(other, state))).toHaveLength(1);
  });
});

describe('lifecycle', () => {
  test('draining takes it out of the Service and leaves the pods as they are', () => {
    const ids = idsOf(scaled, { lifecycle: 'draining' });
    expect(ids).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(service|disruption-budget|autoscaler|ingress)$/)]),
    );
    const drained = childOf('deployment', shared, { lifecycle: 'draining' });
    expect(templateOf(drained.manifest)).toEqual(templateOf(childOf('deployment', shared).manifest));
  });

  test('draining leaves the number of replicas as it is', () => {
    const drained = childOf('deployment', shared, { lifecycle: 'draining' });
    expect(drained.manifest['spec']).not.toHaveProperty('replicas');
    expect(drained.unmanagedFields).toEqual(['spec.replicas']);
  });

  test('retired keeps the ServiceAccount and the weights, so that it comes back without a download', () => {
    expect(idsOf({ ...shared, retired: true }, { lifecycle: 'retired' })).toEqual(['service-account', 'weights']);
  });
});

describe('replicas', () => {
  test('are left to the autoscaler of the user where the spec has none', () => {
    const { replicas: _, ...unset } = shared;
    expect(specOf('deployment', unset)).not.toHaveProperty('replicas');
    expect(childOf('deployment', unset).unmanagedFields).toEqual(['spec.replicas']);
    expect(childOf('deployment', scaled).unmanagedFields).toEqual(['spec.replicas']);
  });

  test('are ours where the spec has them, 0 included', () => {
    expect(specOf('deployment', { ...shared, replicas: 0 })['replicas']).toBe(0);
    expect(childOf('deployment', shared).unmanagedFields).toEqual([]);
  });

  test('are protected by a budget where there may be more than one', () => {
    const { replicas: _, ...unset } = shared;
    expect(idsOf(shared)).toContain('disruption-budget');
    expect(idsOf(unset)).toContain('disruption-budget');
    expect(idsOf(single)).not.toContain('disruption-budget');
    expect(idsOf({ ...shared, replicas: 1 })).not.toContain('disruption-budget');
  });
});

describe('names and labels', () => {
  test.each(Object.entries(SPECS))('all objects and pods of %s say what they are', (_, spec) => {
    for (const { manifest } of render(spec)) {
      const labels = {
        'app.kubernetes.io/name': 'model-serving',
        'app.kubernetes.io/instance': 'llama',
        'app.kubernetes.io/component': expect.stringMatching(/^(server|worker|fetcher)$/),
        'app.kubernetes.io/part-of': 'trunnion',
      };
      expect(manifest.metadata.labels).toEqual(labels);
      expect(manifest.metadata.namespace).toBe('models');
      for (const template of podTemplatesIn(manifest)) expect(template).toHaveProperty('metadata.labels', labels);
    }
  });

  test('the longest name that is allowed leaves room for all that is derived from it', () => {
    const children = render(shared, undefined, 'a'.repeat(MAX_NAME_LENGTH));
    for (const { manifest } of children) expect(manifest.metadata.name.length).toBeLessThanOrEqual(63);
  });

  test('a longer name is refused, not cut', () => {
    expect(() => render(shared, undefined, 'a'.repeat(MAX_NAME_LENGTH + 1))).toThrow(
      /metadata\.name: must have at most/,
    );
  });
});

describe('what others build on', () => {
  test('the endpoint is the base URL of the API of the engine', () => {
    const endpoints = Object.values(SPECS).map((spec) => construct(spec).endpoint);
    expect(endpoints).toEqual([
      'http://llama.models.svc:8000/v1',
      'http://llama.models.svc:8000/v1',
      'http://llama.models.svc:30000/v1',
      'http://llama.models.svc:8080/v1',
      'http://llama.models.svc:8000/v2',
      'http://llama.models.svc:8000/v1',
      'http://llama.models.svc:30000/v1',
      'http://llama.models.svc:8000/v1',
      'http://llama.models.svc:8000/v1',
      'http://llama.models.svc:8501/v1',
      'http://llama.models.svc:9000',
    ]);
  });

  test('served name, port, selector and weights key are those of the children', () => {
    const serving = construct(shared);
    expect(serving.servedName).toBe('llama');
    expect(serving.port).toBe(8000);
    expect(specOf('service', shared)['selector']).toEqual(serving.selector);
    expect(childOf('weights', shared).manifest.metadata.name).toBe(`llama-weights-${serving.weightsKey}`);
  });
});
