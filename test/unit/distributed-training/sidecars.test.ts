import { describe, expect, it } from 'vitest';
import { SpecError } from '../../../constructs/index.ts';
import { construct, podOf } from './support/render.ts';

const spec = { framework: 'pytorch', image: 'torch:1', command: ['torchrun', 'train.py'] } as const;
const withInit = (...initContainers: object[]) =>
  ({ ...spec, podTemplate: { spec: { initContainers } } }) as typeof spec;
const mesh = { name: 'mesh', image: 'mesh:1', restartPolicy: 'Always' } as const;

describe('a native sidecar', () => {
  it('is an init container that is started again and may be probed, before those that wait', () => {
    const startupProbe = { httpGet: { port: 15_021, path: '/ready' } };
    const mpi = { ...spec, framework: 'mpi', mpi: { sshSecretName: 'key' } } as const;
    const podTemplate = { spec: { initContainers: [{ ...mesh, startupProbe }] } };
    expect(podOf({ ...mpi, podTemplate }, 'launcher').initContainers).toMatchObject([
      { name: 'mesh', restartPolicy: 'Always', startupProbe },
      { name: 'wait' },
    ]);
  });

  it('is distinguished from an init container that runs to its end, which has no probe', () => {
    const probed = withInit({ name: 'data', image: 'data:1', livenessProbe: { tcpSocket: { port: 80 } } });
    expect(() => construct(probed)).toThrow(
      /spec\.podTemplate\.spec\.initContainers\[0\]\.livenessProbe.*set restartPolicy to Always/,
    );
    expect(() => construct(withInit({ ...mesh, restartPolicy: 'Never' }))).toThrow(SpecError);
  });

  it('is not what a training waits for', () => {
    const wait = { name: 'wait', restartPolicy: 'Always' } as const;
    const mpi = { ...spec, framework: 'mpi', mpi: { sshSecretName: 'key' } } as const;
    const bad = { ...mpi, podTemplate: { spec: { initContainers: [wait] } } };
    expect(() => construct(bad)).toThrow(/must not set restartPolicy of wait/);
  });
});

describe('a plain container beside the program', () => {
  const beside = {
    ...spec,
    podTemplate: {
      spec: {
        containers: [
          { name: 'trainer', workingDir: '/srv' },
          { name: 'log-agent', image: 'log:1' },
        ],
      },
    },
  };

  it('is warned of where no operator sees that the program has ended', () => {
    expect(construct(beside).warnings).toEqual([
      'spec.podTemplate.spec.containers: without the operator, a pod ends with the last of its containers, and well only if all did, so log-agent may keep the training from its end or have it run again: move what runs beside the program to initContainers, with restartPolicy Always',
    ]);
    expect(construct(beside, { attempt: 1 }).warnings).toEqual([]);
  });

  it('is not one that only changes the trainer, and no native sidecar', () => {
    const [trainer] = beside.podTemplate.spec.containers;
    const changed = {
      ...spec,
      podTemplate: { spec: { containers: trainer ? [trainer] : [], initContainers: [mesh] } },
    };
    expect(construct(changed).warnings).toEqual([]);
  });
});
