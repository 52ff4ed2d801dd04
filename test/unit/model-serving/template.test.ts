import { describe, expect, test } from 'vitest';
import { childOf, construct, podOf, serverOf, templateOf } from './support/render.ts';
import { shared, single } from './support/specs.ts';

const level = { security: { level: 'baseline' as const } };

describe('what is merged into the pods', () => {
  test('changes the container of the same name and adds others', () => {
    const { containers } = podOf({
      ...single,
      podTemplate: {
        spec: {
          containers: [
            { name: 'server', workingDir: '/models' },
            { name: 'proxy', image: 'proxy:1', ports: [{ containerPort: 9443 }] },
          ],
        },
      },
    });
    expect(containers.map(({ name }) => name)).toEqual(['server', 'proxy']);
    expect(containers[0]).toMatchObject({ workingDir: '/models', image: serverOf(single).image });
    expect(containers[1]?.ports).toEqual([{ containerPort: 9443, protocol: 'TCP' }]);
  });

  test('adds variables and mounts by name and path', () => {
    const merged = serverOf({
      ...single,
      podTemplate: {
        spec: {
          volumes: [{ name: 'adapters', configMap: { name: 'adapters' } }],
          containers: [
            {
              name: 'server',
              env: [{ name: 'EXTRA', value: '1' }],
              volumeMounts: [{ name: 'adapters', mountPath: '/adapters' }],
            },
          ],
        },
      },
    });
    expect(merged.env).toEqual([...(serverOf(single).env ?? []), { name: 'EXTRA', value: '1' }]);
    expect(merged.volumeMounts?.map(({ mountPath }) => mountPath)).toEqual(
      expect.arrayContaining(['/models', '/adapters']),
    );
  });

  test('puts init containers of the user before ours', () => {
    const { initContainers } = podOf({
      ...single,
      podTemplate: { spec: { initContainers: [{ name: 'prepare', image: 'prepare:1' }] } },
    });
    expect(initContainers?.map(({ name }) => name)).toEqual(['prepare', 'fetch']);
  });

  test('takes another kind of probe in place of ours', () => {
    const { livenessProbe } = serverOf({
      ...single,
      podTemplate: { spec: { containers: [{ name: 'server', livenessProbe: { tcpSocket: { port: 'http' } } }] } },
    });
    expect(livenessProbe).toMatchObject({ tcpSocket: { port: 'http' }, periodSeconds: 10 });
    expect(livenessProbe).not.toHaveProperty('httpGet');
  });

  test('adds labels, but none of the selector', () => {
    const template = (labels: Record<string, string>) =>
      templateOf(childOf('deployment', { ...single, podTemplate: { metadata: { labels } } }).manifest);
    expect(template({ team: 'a' }).metadata.labels).toMatchObject({ team: 'a', 'app.kubernetes.io/instance': 'llama' });
    expect(() => template({ 'app.kubernetes.io/instance': 'other' })).toThrow(/set by Trunnion/);
  });

  test('comes out in the form in which the API server gives it back', () => {
    const { containers, volumes } = podOf({
      ...single,
      podTemplate: {
        spec: {
          volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '1024Mi' } }],
          containers: [{ name: 'side', image: 'side:1', resources: { requests: { cpu: '0.5', memory: '1.5Gi' } } }],
        },
      },
    });
    expect(containers[1]?.resources).toEqual({ requests: { cpu: '500m', memory: '1536Mi' } });
    expect(volumes?.find(({ name }) => name === 'scratch')).toEqual({
      name: 'scratch',
      emptyDir: { sizeLimit: '1Gi' },
    });
  });

  test.each([
    ['a security context', { securityContext: { runAsUser: 0 } }],
    ['a host namespace', { hostNetwork: true }],
    ['another ServiceAccount', { serviceAccountName: 'admin' }],
    ['a token', { automountServiceAccountToken: true }],
    ['a folder of the node', { volumes: [{ name: 'root', hostPath: { path: '/' } }] }],
    ['a privileged container', { containers: [{ name: 'server', securityContext: { privileged: true } }] }],
    ['a port of the node', { containers: [{ name: 'server', ports: [{ containerPort: 1, hostPort: 1 }] }] }],
  ])('may not be %s', (_, spec) => {
    expect(() => podOf({ ...single, podTemplate: { spec } } as unknown as typeof single)).toThrow(/spec\.podTemplate/);
  });
});

describe('security', () => {
  test('is put on every container, those of the user included', () => {
    const { containers, initContainers = [] } = podOf({
      ...single,
      podTemplate: {
        spec: {
          containers: [{ name: 'side', image: 'side:1' }],
          initContainers: [{ name: 'prepare', image: 'prepare:1' }],
        },
      },
    });
    for (const { securityContext } of [...containers, ...initContainers]) {
      expect(securityContext).toEqual(serverOf(single).securityContext);
    }
  });

  test('lets an image run as it says where the level is baseline', () => {
    expect(podOf({ ...single, ...level }).securityContext).not.toHaveProperty('runAsUser');
    expect(podOf({ ...single, ...level }).securityContext).toMatchObject({
      seccompProfile: { type: 'RuntimeDefault' },
    });
  });

  test('leaves the numbers of users to a cluster that assigns them, for the server and for its fetch', () => {
    const assigned = { ...shared, security: { ids: 'cluster' as const } };
    for (const { securityContext } of [podOf(assigned), templateOf(childOf('fetch', assigned).manifest).spec]) {
      expect(securityContext).toEqual({
        runAsNonRoot: true,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      });
    }
  });

  test('takes the numbers that the spec gives, at each level', () => {
    const numbers = { runAsUser: 2001, runAsGroup: 2002, fsGroup: 2003, supplementalGroups: [44, 109] };
    for (const each of ['restricted', 'baseline', 'rdma'] as const) {
      expect(podOf({ ...single, security: { level: each, ...numbers } }).securityContext).toMatchObject(numbers);
    }
    expect(podOf({ ...single, security: { runAsUser: 2001 } }).securityContext).toMatchObject({
      runAsUser: 2001,
      runAsGroup: 1000,
      fsGroup: 1000,
    });
  });

  test('fetches as the user of the server, but never as root', () => {
    const fetchOf = (runAsUser: number) =>
      templateOf(childOf('fetch', { ...shared, security: { level: 'baseline', runAsUser } }).manifest).spec
        .securityContext;
    expect(fetchOf(2001)).toMatchObject({ runAsNonRoot: true, runAsUser: 2001 });
    expect(fetchOf(0)).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
  });

  test('adds IPC_LOCK at the level rdma alone, and warns of what it gives up', () => {
    const rdma = { ...single, security: { level: 'rdma' as const } };
    expect(serverOf(rdma).securityContext?.capabilities).toEqual({ add: ['IPC_LOCK'] });
    expect(JSON.stringify([podOf(single), podOf({ ...single, ...level })])).not.toContain('IPC_LOCK');
    expect(construct(rdma).warnings).toContainEqual(expect.stringMatching(/^spec\.security\.level: rdma/));
  });

  test("warns of AMD's devices, which an ordinary user opens by a group of the node", () => {
    const amd = { ...shared, resources: { gpu: 1, gpuResource: 'amd.com/gpu' } };
    const warned = expect.stringMatching(/^spec\.security\.supplementalGroups: /);
    expect(construct(amd).warnings).toContainEqual(warned);
    expect(construct({ ...amd, security: { supplementalGroups: [110] } }).warnings).not.toContainEqual(warned);
    expect(construct({ ...amd, security: { level: 'baseline' } }).warnings).not.toContainEqual(warned);
  });

  test('gives no token of the ServiceAccount', () => {
    expect(podOf(single).automountServiceAccountToken).toBe(false);
    expect(childOf('service-account', single).manifest['automountServiceAccountToken']).toBe(false);
  });
});
