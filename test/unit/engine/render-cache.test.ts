import { TRUNNION } from '../../../operator/trunnion.ts';
import { describe, expect, it } from 'vitest';
import type { Resource } from '../../../operator/engine/api/resource.ts';
import { RenderCache } from '../../../operator/engine/plan/render-cache.ts';

function resource(change: Partial<Resource['metadata']> = {}): Resource {
  const metadata = {
    name: 'w',
    namespace: 'ns',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '',
    generation: 1,
    ...change,
  };
  return { apiVersion: 'x/v1', kind: 'Widget', metadata, spec: {} };
}

/** Counts how often anything is rendered. */
function counted(): { readonly renderCache: RenderCache<Resource, unknown>; readonly times: () => number } {
  let times = 0;
  const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'w' } };
  const render = () => {
    times += 1;
    return [{ id: 'config', manifest, after: [], unmanagedFields: [], retain: false }];
  };
  return { renderCache: new RenderCache<Resource, unknown>({ render, label: 'widget' }, TRUNNION), times: () => times };
}

describe('what was rendered is kept', () => {
  it('while nothing that it depends on changes: a status does not', () => {
    const { renderCache, times } = counted();
    const [first] = renderCache.of(resource(), { draining: false });
    const status = { phase: 'Running' };
    const [second] = renderCache.of({ ...resource({ resourceVersion: '2' }), status }, { draining: false });
    expect(second?.object).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', namespace: '', name: 'w' });
    expect(second?.digest).toBe(first?.digest);
    expect(times()).toBe(1);
  });

  it('but for the manifests, which are rendered again once one is asked for', () => {
    const { renderCache, times } = counted();
    const [first] = renderCache.of(resource(), {});
    expect(first?.manifest.metadata.labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'trunnion' });
    expect(times()).toBe(1);
    const [second] = renderCache.of(resource(), {});
    expect([second?.manifest, second?.manifest]).toEqual([first?.manifest, first?.manifest]);
    expect(times()).toBe(2);
  });

  it.for([
    ['the spec', resource({ generation: 2 }), {}],
    ['an annotation', resource({ annotations: { a: 'b' } }), {}],
    ['a label', resource({ labels: { a: 'b' } }), {}],
    ['what the reconcile says', resource(), { draining: true }],
    ['the resource, by another of its name', resource({ uid: 'other' }), {}],
  ] as const)('until %s changes', ([, changed, state]) => {
    const { renderCache, times } = counted();
    renderCache.of(resource(), {});
    renderCache.of(changed, state);
    expect(times()).toBe(2);
  });

  it('of those that were asked for last', () => {
    const { renderCache, times } = counted();
    const query = (count: number) =>
      Array.from({ length: count }, (_, index) => renderCache.of(resource({ uid: `${index}` }), {}));
    query(1_000);
    renderCache.of(resource({ uid: '0' }), {});
    expect(times()).toBe(1_000);
    renderCache.of(resource({ uid: 'one more' }), {});
    renderCache.of(resource({ uid: '0' }), {});
    expect(times()).toBe(1_001);
    renderCache.of(resource({ uid: '1' }), {});
    expect(times()).toBe(1_002);
  });
});
