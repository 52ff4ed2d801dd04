import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { AgentService, DistributedTraining, ModelServing } from '../../../constructs/index.ts';
import type { AnnotationClass } from '../../../constructs/parts/annotations/group.ts';
import { kinds } from '../../../compat/kinds/index.ts';
import { annotationsOn, everything, find, kindsOf, placed, refusalOf, resourceOf, SPECS } from './support/annotated.ts';

describe('what no list allows, in any host', () => {
  const never: readonly (readonly [AnnotationClass, string, string])[] = [
    ['ingress', 'nginx.ingress.kubernetes.io/auth-secret', 'other/users'],
    ['ingress', 'nginx.ingress.kubernetes.io/auth-tls-secret', 'other/ca'],
    ['ingress', 'nginx.ingress.kubernetes.io/custom-headers', 'other/headers'],
    ['ingress', 'nginx.ingress.kubernetes.io/fastcgi-params-configmap', 'other/params'],
    ['ingress', 'haproxy.org/cr-backend', 'models/a,other/b'],
    ['ingress', 'haproxy-ingress.github.io/auth-url', 'svc://other/auth:80'],
    ['ingress', 'haproxy-ingress.github.io/secure-verify-ca-secret', 'other/ca'],
    ['ingress', 'traefik.ingress.kubernetes.io/router.middlewares', 'models-a@kubernetescrd,other-b@kubernetescrd'],
    ['ingress', 'traefik.ingress.kubernetes.io/router.middlewares', 'other_b@kubernetescrd'],
    ['ingress', 'projectcontour.io/tls-cert-namespace', 'other'],
    ['ingress', 'nginx.org/policies', 'mine, other/policy'],
    ['ingress', 'konghq.com/plugins', 'other:plugin'],
    ['ingress', 'appprotect.f5.com/app-protect-security-log', 'other/log'],
    ['ingress', 'nginx.ingress.kubernetes.io/configuration-snippet', 'a'],
    ['ingress', 'example.com/note', 'a\nb'],
    ['ingress', 'trunnion.dev/paused', 'a'],
    ['ingress', 'app.kubernetes.io/name', 'a'],
    ['serviceAccount', 'example.com/note', 'a\u0000b'],
    ['serviceAccount', 'trunnion.dev/naming', 'AIAgent'],
    ['pod', 'k8s.v1.cni.cncf.io/networks', 'models/a,other/b@eth1'],
    [
      'pod',
      'k8s.v1.cni.cncf.io/networks',
      '[{"name":"a","namespace":"models"},{"name":"b","n\\u0061meSpace":"other"}]',
    ],
    ['pod', 'k8s.v1.cni.cncf.io/networks', '["other/b"]'],
    ['pod', 'k8s.v1.cni.cncf.io/networks', 'models/a+other/b'],
    ['pod', 'example.com/policy', '{"namespaces": ["models", "other"]}'],
    ['pod', 'example.com/policy', 'namespaces: [other]'],
    ['pod', 'example.com/namespaces', 'models,other'],
    ['ingress', 'nginx.ingress.kubernetes.io/auth-secret', "'other/users'"],
    ['ingress', 'nginx.ingress.kubernetes.io/auth-secret', 'other/users:key'],
    ['ingress', 'nginx.com/jwt-key', 'other/keys'],
    ['ingress', 'example.com/token', 'other/token'],
    ['ingress', 'example.com/credentials', 'other/login'],
    ['ingress', 'example.com/service', 'other/backend'],
    ['ingress', 'example.com/issuer', 'other/issuer'],
    ['pod', 'v1.multus-cni.io/default-network', 'kube-system/a'],
    ['pod', 'instrumentation.opentelemetry.io/inject-java', 'other/java'],
    ['pod', 'example.com/settings', '{namespace: other}'],
    ['pod', 'example.com/note', 'a\u001b[2J'],
    ['pod', 'example.com/note', 'a\rb'],
    ['pod', 'example.com/note', 'a\u0085b'],
    ['pod', 'example.com/note', 'a\u2028b'],
    ['pod', 'example.com/note', 'admin\u202e'],
  ];

  test.for(never)('%s: %s %j', ([of, key, value]) => {
    const spec = placed(of, { [key]: value });
    const resource = resourceOf('ModelServing', spec);
    expect(refusalOf(() => find(everything, 'ModelServing').render(resource, {}))?.refusal).toBe('InvalidSpec');
    expect(
      refusalOf(() => inStaticHost(spec))
        ?.problems.map(({ path }) => path)
        .join(),
    ).toContain('annotations');
  });

  test.for([
    ['ingress', 'nginx.ingress.kubernetes.io/auth-tls-secret', 'models/ca'],
    ['ingress', 'nginx.ingress.kubernetes.io/auth-url', 'http://oauth2-proxy.auth.svc.cluster.local/oauth2/auth'],
    ['ingress', 'nginx.ingress.kubernetes.io/rewrite-target', '/a/$1'],
    ['ingress', 'traefik.ingress.kubernetes.io/router.middlewares', 'models-a@kubernetescrd,auth@file'],
    ['ingress', 'alb.ingress.kubernetes.io/certificate-arn', 'arn:aws:acm:eu-west-1:1:certificate/a'],
    ['ingress', 'konghq.com/plugins', 'limit,auth'],
    ['pod', 'k8s.v1.cni.cncf.io/networks', '[{"name":"a","namespace":"models"}]'],
    ['pod', 'vault.hashicorp.com/agent-inject-secret-token', 'kv/token'],
    ['pod', 'vault.hashicorp.com/namespace', 'team'],
    ['pod', 'example.com/owner', 'team/infra'],
    ['pod', 'example.com/note', 'Größe: 中文 🙂'],
  ] as const)('an administrator may allow %s: %s %j', ([of, key, value]) => {
    const resource = resourceOf('ModelServing', placed(of, { [key]: value }));
    expect(annotationsOn(of, find(everything, 'ModelServing').render(resource, {}))).toMatchObject({ [key]: value });
  });
});

const inStaticHost = (spec: object) =>
  new ModelServing(new Chart(new App(), 'static'), 'llama', {
    name: 'llama',
    namespace: 'models',
    spec: { ...SPECS['ModelServing'], ...spec } as never,
  });

describe('in a static host', () => {
  test('all are applied, and what the operator would refuse is warned of', () => {
    const annotations = { 'nginx.ingress.kubernetes.io/server-alias': 'a.example.com', 'cert-manager.io/issuer': 'a' };
    const serving = inStaticHost(placed('ingress', annotations));
    expect(annotationsOn('ingress', serving.render())).toEqual(annotations);
    expect(serving.warnings.filter((words) => words.includes('annotations'))).toEqual([
      'spec.expose.ingress.annotations[nginx.ingress.kubernetes.io/server-alias]: is applied here with your own rights; the operator refuses it unless an administrator adds the key to its setting allowedAnnotations.ingress',
    ]);
  });

  test.for([
    ['AgentService', AgentService],
    ['DistributedTraining', DistributedTraining],
  ] as const)('%s warns as well', ([kind, Construct]) => {
    const spec = { ...SPECS[kind], ...placed('pod', { 'example.com/note': 'a' }) } as never;
    const made = new Construct(new Chart(new App(), 'static'), 'a', { name: 'a', namespace: 'models', spec });
    expect(made.warnings.join()).toContain('spec.podTemplate.metadata.annotations[example.com/note]');
  });
});

describe('what else of a resource might reach its objects', () => {
  test.for(Object.keys(SPECS))('annotations of a %s itself are copied to none', (kind) => {
    const metadata = {
      annotations: { 'nginx.ingress.kubernetes.io/server-alias': 'mark.example.com', 'example.com/mark': 'mark' },
    };
    const spec = kindsOf('ingress').includes(kind) ? placed('ingress', {}) : {};
    const children = find(everything, kind).render(resourceOf(kind, spec, metadata), {});
    expect(children.length).toBeGreaterThan(2);
    expect(JSON.stringify(children)).not.toContain('mark');
  });

  test.for(Object.keys(SPECS))('labels of a %s itself are copied to none', (kind) => {
    const children = find(everything, kind).render(resourceOf(kind, {}, { labels: { mark: 'mark' } }), {});
    expect(JSON.stringify(children)).not.toContain('mark');
  });

  test.for([
    [{ 'app.kubernetes.io/name': 'other' }, 'set by Trunnion'],
    [{ 'app.kubernetes.io/instance': 'other' }, 'set by Trunnion'],
    [{ 'trunnion.dev/attempt': '1' }, 'set by Trunnion'],
    [{ team: 'a\nb' }, 'that of a label'],
    [{ team: 'a b' }, 'that of a label'],
    [{ team: 'a,app.kubernetes.io/name=other' }, 'that of a label'],
    [{ 'team\n': 'a' }, 'the name of a label'],
  ] as const)('the labels %j of a pod are refused', ([labels, words]) => {
    const resource = resourceOf('ModelServing', { podTemplate: { metadata: { labels } } });
    expect(() => find(everything, 'ModelServing').render(resource, {})).toThrow(words);
  });

  test.for(['AIAgent/a b', 'MLTrainingJob/a\nb', `AIAgent/${'a'.repeat(64)}`, 'AIAgent/-'])(
    'a name of an earlier operator that is no label is refused: %j',
    (naming) => {
      const resource = resourceOf('AgentService', {}, { annotations: { 'trunnion.dev/naming': naming } });
      expect(() => find(kinds, 'AgentService').render(resource, {})).toThrow(
        'metadata.annotations[trunnion.dev/naming]',
      );
    },
  );
});
