import { describe, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { childOf, idsOf, specOf } from './support/render.ts';
import { scaled, shared } from './support/specs.ts';

type Targets = NonNullable<ModelServingSpecInput['autoscaling']>['targets'];

const prometheus = { serverAddress: 'http://prometheus:9090' };
const { replicas: _, ...unscaled } = shared;
const aiming = (targets: Targets): ModelServingSpecInput => ({
  ...unscaled,
  autoscaling: { maxReplicas: 4, targets, prometheus },
});
const queryOf = (targets: Targets): string => {
  const [trigger] = specOf('autoscaler', aiming(targets))['triggers'] as { metadata: { query: string } }[];
  return trigger?.metadata.query ?? '';
};

describe('the autoscaler', () => {
  test('is a HorizontalPodAutoscaler where CPU is all that counts, else a ScaledObject, never both', () => {
    const kindsOf = (spec: ModelServingSpecInput) => idsOf(spec).filter((id) => id === 'autoscaler').length;
    expect(childOf('autoscaler', aiming({ cpuPercent: 50 })).manifest.kind).toBe('HorizontalPodAutoscaler');
    expect(childOf('autoscaler', aiming({ queueDepth: 1 })).manifest.kind).toBe('ScaledObject');
    expect(childOf('autoscaler', scaled).manifest.kind).toBe('ScaledObject');
    expect(kindsOf(scaled)).toBe(1);
  });

  test('has a trigger for each target', () => {
    const triggers = specOf('autoscaler', scaled)['triggers'] as { name?: string; type: string }[];
    expect(triggers.map(({ name, type }) => name ?? type)).toEqual([
      'ttft',
      'itl',
      'queue-depth',
      'running',
      'kv-cache',
      'cpu',
    ]);
  });

  test('keeps the replicas that there are where no metrics come', () => {
    const { fallback, triggers } = specOf('autoscaler', aiming({ queueDepth: 1 }));
    expect(fallback).toMatchObject({ behavior: 'currentReplicasIfHigher' });
    expect(triggers).toMatchObject([{ metadata: { ignoreNullValues: 'false' }, metricType: 'AverageValue' }]);
  });

  test('gives up replicas slowly', () => {
    const behavior = specOf('autoscaler', aiming({ cpuPercent: 50 }))['behavior'];
    expect(behavior).toMatchObject({ scaleDown: { stabilizationWindowSeconds: 600 } });
  });
});

describe('a query', () => {
  test('counts the pods of this Deployment alone', () => {
    expect(queryOf({ queueDepth: 4 })).toBe(
      'sum(max by (pod, engine, dp_rank) (vllm:num_requests_waiting{namespace="models",pod=~"llama-[a-z0-9]+-[a-z0-9]+"}))',
    );
  });

  test('of a latency is multiplied by the replicas that are scraped, is 0 for an idle service and is bounded', () => {
    const query = queryOf({ ttftMilliseconds: 500 });
    expect(query).toContain(
      'histogram_quantile(0.95, sum by (le) (max by (pod, engine, dp_rank, le) (rate(vllm:time_to_first_token_seconds_bucket',
    );
    expect(query).toContain('clamp_max(1000 *');
    expect(query).toContain(
      ', scalar(clamp_max(500 + 3000 * sum(max by (pod, engine, dp_rank) (avg_over_time(vllm:num_requests_waiting{',
    );
    expect(query).toContain(', 2000))) >= 0) or vector(0)) * count(count by (pod) (vllm:num_requests_running');
  });

  test('of the KV cache is in percent, as the target is', () => {
    expect(queryOf({ kvCachePercent: 80 })).toMatch(/^100 \* sum\(max by \(pod\) \(vllm:kv_cache_usage_perc/);
  });
});

describe('exposure', () => {
  const exposed = (expose: NonNullable<ModelServingSpecInput['expose']>) => ({ ...shared, expose });

  test('by nginx lets streams live for an hour', () => {
    for (const className of ['nginx', 'nginx-internal', undefined]) {
      const spec = exposed({ ingress: { host: 'a.example.com', ...(className !== undefined && { className }) } });
      expect(childOf('ingress', spec).manifest.metadata.annotations).toMatchObject({
        'nginx.ingress.kubernetes.io/proxy-read-timeout': '3600',
        'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
      });
    }
  });

  test('by another class has no annotations but those of the user', () => {
    const annotations = { 'cert-manager.io/cluster-issuer': 'letsencrypt' };
    const spec = exposed({ ingress: { host: 'a.example.com', className: 'traefik', annotations } });
    expect(childOf('ingress', spec).manifest.metadata.annotations).toEqual(annotations);
  });

  test('by a Gateway lets streams live for an hour', () => {
    const spec = exposed({ gateway: { name: 'public', hostname: 'a.example.com' } });
    expect(specOf('route', spec)['rules']).toMatchObject([{ timeouts: { request: '3600s', backendRequest: '3600s' } }]);
  });
});
