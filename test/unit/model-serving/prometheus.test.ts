import { describe, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { servers } from '../../support/prometheus-access.ts';
import { childOf, idsOf, specOf } from './support/render.ts';
import { shared } from './support/specs.ts';

const { replicas: _, ...unscaled } = shared;
const asking = (prometheus: object, targets: object = { queueDepth: 4 }): ModelServingSpecInput => ({
  ...unscaled,
  resources: { ...shared.resources, cpu: 1 },
  autoscaling: { maxReplicas: 4, targets, prometheus: prometheus as { serverAddress: string } },
});
const triggersOf = (spec: ModelServingSpecInput) =>
  specOf('autoscaler', spec)['triggers'] as { metadata: Record<string, string>; authenticationRef?: object }[];
const secret = (parameter: string, key: string) => ({ parameter, name: 'prometheus', key });

/**
 * The parameters, modes and providers are those of KEDA 2.21.0: `pkg/scalers/prometheus_scaler.go`,
 * `pkg/scalers/authentication/authentication_types.go`, `pkg/scalers/aws/aws_common.go`, `pkg/scalers/gcp/gcp_common.go`
 * and `apis/keda/v1alpha1/triggerauthentication_types.go`.
 */
describe('a Prometheus that asks who comes', () => {
  test.each<[server: keyof typeof servers, shows: object, expected: object]>([
    [
      'a Thanos of OpenShift',
      {
        secretTargetRef: [secret('bearerToken', 'token')],
        configMapTargetRef: [{ parameter: 'ca', name: 'openshift-service-ca.crt', key: 'service-ca.crt' }],
      },
      { authModes: 'bearer', queryParameters: 'namespace=models' },
    ],
    [
      'a Mimir',
      { secretTargetRef: [secret('username', 'user'), secret('password', 'password')] },
      { authModes: 'basic', customHeaders: 'X-Scope-OrgID=models' },
    ],
    [
      'one with a header of its own',
      {
        secretTargetRef: [
          secret('customAuthHeader', 'header'),
          secret('customAuthValue', 'value'),
          { parameter: 'ca', name: 'authority', key: 'ca.crt' },
        ],
      },
      { authModes: 'custom' },
    ],
    [
      'one that asks for a certificate',
      { secretTargetRef: [secret('cert', 'tls.crt'), secret('key', 'tls.key')] },
      { authModes: 'tls' },
    ],
    [
      'a workspace of AWS',
      { podIdentity: { provider: 'aws', roleArn: 'arn:aws:iam::111122223333:role/reader' } },
      { awsRegion: 'eu-central-1' },
    ],
    [
      'a workspace of AWS by an access key',
      { secretTargetRef: [secret('awsAccessKeyID', 'id'), secret('awsSecretAccessKey', 'secret')] },
      { awsRegion: 'eu-central-1' },
    ],
    [
      'a workspace of Azure',
      {
        podIdentity: {
          provider: 'azure-workload',
          identityId: '11111111-1111-1111-1111-111111111111',
          identityTenantId: '11111111-1111-1111-1111-111111111112',
        },
      },
      {},
    ],
    ['a project of Google', { podIdentity: { provider: 'gcp' } }, {}],
    ['a project of Google by a key', { secretTargetRef: [secret('GoogleApplicationCredentials', 'key.json')] }, {}],
  ])('is shown what it wants: %s', (which, shows, expected) => {
    const spec = asking(servers[which]);
    const [trigger] = triggersOf(spec);
    const { query, ...metadata } = trigger?.metadata ?? {};
    expect(query).toBe(triggersOf(asking({ serverAddress: 'http://p' }))[0]?.metadata['query']);
    expect(metadata).toEqual({
      serverAddress: servers[which].serverAddress,
      threshold: '4',
      ignoreNullValues: 'false',
      ...expected,
    });
    expect(specOf('trigger-authentication', spec)).toEqual(shows);
    expect(trigger?.authenticationRef).toEqual({ name: 'llama' });
    expect(childOf('autoscaler', spec).after).toEqual(['trigger-authentication']);
  });

  test.each<[keyof typeof servers, ref: object, expected: object]>([
    [
      'what a TriggerAuthentication of the user says',
      { name: 'monitoring', kind: 'TriggerAuthentication' },
      { authModes: 'bearer' },
    ],
    [
      'what a ClusterTriggerAuthentication says',
      { name: 'monitoring', kind: 'ClusterTriggerAuthentication' },
      { awsRegion: 'eu-central-1' },
    ],
  ])('is shown %s, and no other one is made', (which, ref, expected) => {
    const spec = asking(servers[which]);
    expect(idsOf(spec)).not.toContain('trigger-authentication');
    expect(triggersOf(spec)).toMatchObject([{ metadata: expected, authenticationRef: ref }]);
  });

  test('is shown a certificate beside a token', () => {
    const { bearerToken } = servers['a Thanos of OpenShift'].authentication;
    const { clientCertificate } = servers['one that asks for a certificate'].authentication;
    const spec = asking({ serverAddress: 'https://p', authentication: { bearerToken, clientCertificate } });
    expect(triggersOf(spec)[0]?.metadata['authModes']).toBe('bearer,tls');
  });

  test('is shown the same for each target, but CPU, which Kubernetes measures', () => {
    const targets = { queueDepth: 4, runningRequests: 8, cpuPercent: 70 };
    const refs = triggersOf(asking(servers['a Mimir'], targets)).map((trigger) => trigger.authenticationRef);
    expect(refs).toEqual([{ name: 'llama' }, { name: 'llama' }, undefined]);
  });

  test('is shown nothing where it is not asked, since CPU is all that counts', () => {
    const spec = asking(servers['a Mimir'], { cpuPercent: 70 });
    expect(idsOf(spec)).not.toContain('trigger-authentication');
  });

  test('gets its headers in the order of their names, however they were written', () => {
    const of = (headers: object) => triggersOf(asking({ serverAddress: 'http://p', headers }))[0]?.metadata;
    expect(of({ b: '2', A: '1' })).toEqual(of({ A: '1', b: '2' }));
    expect(of({ b: '2', A: '1' })).toMatchObject({ customHeaders: 'A=1,b=2' });
  });
});
