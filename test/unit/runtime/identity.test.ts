import { describe, expect, it } from 'vitest';
import { identityFor, MANAGED_BY_LABEL } from '../../../operator/engine/api/index.ts';
import type { RenderedChild } from '../../../constructs/workload.ts';
import { decorate } from '../../../operator/engine/plan/index.ts';
import { rbac } from '../../../operator/rbac.ts';
import { TRUNNION } from '../../../operator/trunnion.ts';
import { resourceOf, WebApp } from '../../support/web-app.ts';

const ACME = identityFor({ name: 'acme-operator', domain: 'acme.dev' });

describe('the identity of an operator', () => {
  it('follows from its name and its domain, and nothing of it is anybody else’s', () => {
    expect(ACME).toMatchObject({
      fieldManager: 'acme-operator',
      statusManager: 'acme-operator-status',
      managedBy: 'acme-operator',
      metricPrefix: 'acme_operator',
      podProtection: 'acme.dev/pod-protection',
      pausedAnnotation: 'acme.dev/paused',
    });
    expect(JSON.stringify(ACME).toLowerCase()).not.toContain('trunnion');
  });

  it.each([
    ['an empty name', '', 'acme.dev', /name: must be a DNS label/],
    ['a name in capitals', 'Acme', 'acme.dev', /name: /],
    ['a name that begins with a digit, as no metric may', '1acme', 'acme.dev', /name: /],
    ['a name of which no other can be made', 'a'.repeat(55), 'acme.dev', /name: /],
    ['a domain with a slash', 'acme', 'acme.dev/x', /domain: must be a DNS name/],
    ['both', 'A', 'B', /name: .*\ndomain: /],
  ])('is refused for %s', (_, name, domain, words) => {
    expect(() => identityFor({ name, domain })).toThrow(words);
  });
});

describe('what the engine adds to a child', () => {
  const [deployment, service] = WebApp.render(resourceOf({ image: 'nginx', replicas: 1 }), {}) as [
    RenderedChild,
    RenderedChild,
  ];
  const found = { 'acme.dev/operator': 'acme-operator', 'acme.dev/kind': 'webapp', 'acme.dev/name': 'web' };
  const owner = resourceOf({ image: 'nginx' });

  it('is the labels by which it, and its pods, are found again, and its owner', () => {
    const { manifest } = decorate(deployment, owner, WebApp, ACME);
    expect(manifest.metadata.labels).toEqual({ ...found, [MANAGED_BY_LABEL]: 'acme-operator' });
    expect(manifest.metadata['ownerReferences']).toMatchObject([{ uid: 'u', controller: true }]);
    expect(manifest['spec']).toMatchObject({
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web', ...found } } },
    });
  });

  it('reaches the pods of a CronJob, too, and changes no template that makes no pods', () => {
    const containers = [{ name: 'c', image: 'i' }];
    const cronJob = {
      ...service,
      manifest: {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'web', namespace: 'shop' },
        spec: { jobTemplate: { spec: { template: { spec: { containers } } } } },
      },
    };
    expect(decorate(cronJob, owner, WebApp, ACME).manifest['spec']).toMatchObject({
      jobTemplate: { spec: { template: { metadata: { labels: found } } } },
    });
    const other = { ...service, manifest: { ...service.manifest, spec: { template: { spec: { size: 3 } } } } };
    expect(decorate(other, owner, WebApp, ACME).manifest['spec']).toEqual({ template: { spec: { size: 3 } } });
  });

  it.each<readonly [string, string | undefined]>([
    ['in another namespace', 'other'],
    ['in none', undefined],
  ])('is no owner where it lies %s, but labels that say of whom it is', (_, namespace) => {
    const { namespace: _own, ...metadata } = service.manifest.metadata;
    const elsewhere = { ...service.manifest, metadata: { ...metadata, ...(namespace !== undefined && { namespace }) } };
    const { manifest } = decorate({ ...service, manifest: elsewhere }, owner, WebApp, ACME);
    expect(manifest.metadata['ownerReferences']).toBeUndefined();
    expect(manifest.metadata.labels).toMatchObject({ ...found, 'acme.dev/namespace': 'shop', 'acme.dev/uid': 'u' });
  });

  it('is an owner where the resource is one of the cluster', () => {
    const { namespace: _, ...metadata } = owner.metadata;
    const { manifest } = decorate(service, { ...owner, metadata }, WebApp, ACME);
    expect(manifest.metadata['ownerReferences']).toMatchObject([{ uid: 'u' }]);
  });

  it('is nothing that Trunnion’s own constructs have not said already', () => {
    const labels = {
      'app.kubernetes.io/name': 'webapp',
      'app.kubernetes.io/instance': 'web',
      'app.kubernetes.io/part-of': 'trunnion',
    };
    const labelled = {
      ...service,
      manifest: { ...service.manifest, metadata: { ...service.manifest.metadata, labels } },
    };
    expect(decorate(labelled, owner, WebApp, TRUNNION).manifest.metadata.labels).toEqual({
      ...labels,
      [MANAGED_BY_LABEL]: 'trunnion',
    });
  });
});

describe('the rights of an operator of others', () => {
  const objects = rbac({ kinds: [WebApp], identity: ACME, namespace: 'acme' });
  const rules = objects
    .filter(({ kind }) => kind === 'ClusterRole')
    .flatMap((role) => role['rules'] as { resources: string[]; verbs: string[] }[]);

  it('have its names', () => {
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'ServiceAccount acme-operator',
      'ClusterRole acme-operator',
      'ClusterRoleBinding acme-operator',
      'Role acme-operator-lease',
      'RoleBinding acme-operator-lease',
    ]);
    expect(JSON.stringify(objects)).not.toContain('trunnion');
  });

  it('are to its resources and to the types of its children, and to no Secret', () => {
    const resources = rules.flatMap((rule) => rule.resources);
    expect(resources).toEqual(expect.arrayContaining(['webapps', 'webapps/status', 'deployments', 'services', 'pods']));
    expect(resources).not.toContain('secrets');
  });

  it('are to look at what its queries look at, and no more', () => {
    const reading = { ...WebApp, reads: [{ group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' }] };
    const granted = rbac({ kinds: [reading], identity: ACME, namespace: 'acme' })
      .flatMap((role) => (role['rules'] ?? []) as { resources: string[]; verbs: string[] }[])
      .filter(({ resources }) => resources.includes('configmaps'));
    expect(granted.map(({ verbs }) => verbs)).toEqual([['get', 'list']]);
  });
});
