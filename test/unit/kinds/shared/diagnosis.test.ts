import { describe, expect, it } from 'vitest';
import { unschedulable } from '../../../../operator/kinds/shared/scheduling.ts';
import { diagnosePod } from '../../../../operator/kinds/shared/diagnosis.ts';
import { container, ends, server, shared } from '../model-serving/support.ts';

const one = { gpu: 1, gpuResource: 'nvidia.com/gpu' };
const a100 = { ...one, gpuProduct: 'NVIDIA-A100-SXM4-80GB' };
const none = { gpu: 0, gpuResource: 'nvidia.com/gpu' };

const NO_HELP = (nodes: number) =>
  `preemption: 0/${nodes} nodes are available: ${nodes} Preemption is not helpful for scheduling.`;
/** An autoscaler says that none of its nodes would take the pod. */
const NEVER = { outlook: { nodes: 'none', words: '2 Insufficient memory' } } as const;
const NO_VICTIMS =
  'preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.';

describe("the scheduler's words", () => {
  it.each([
    [
      'a GPU that no node has',
      one,
      `0/3 nodes are available: 3 Insufficient nvidia.com/gpu. ${NO_HELP(3)}`,
      'NoSuchGPU',
    ],
    [
      'a product that no node has',
      a100,
      `0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. ${NO_HELP(3)}`,
      'NoSuchGPU',
    ],
    [
      'a product whose nodes are in use',
      a100,
      `0/3 nodes are available: 1 Insufficient nvidia.com/gpu, 2 node(s) didn't match Pod's node affinity/selector. ${NO_VICTIMS}`,
      'InsufficientGPUs',
    ],
    [
      'GPUs, told by a scheduler that says nothing of preemption',
      one,
      '0/3 nodes are available: 3 Insufficient nvidia.com/gpu.',
      'InsufficientGPUs',
    ],
    [
      // Kubernetes 1.36, pkg/scheduler/framework/plugins/defaultpreemption, PodEligibleToPreemptOthers
      'GPUs, for a pod that may not have others removed',
      one,
      '0/3 nodes are available: 3 Insufficient nvidia.com/gpu. preemption: not eligible due to preemptionPolicy=Never.',
      'InsufficientGPUs',
    ],
    [
      'a selector of the user, without a product',
      one,
      `0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. ${NO_HELP(3)}`,
      'Unschedulable',
    ],
    ['a taint', one, `0/1 nodes are available: 1 node(s) had untolerated taint(s). ${NO_HELP(1)}`, 'Unschedulable'],
    ['CPU', none, `0/1 nodes are available: 1 Insufficient cpu. ${NO_HELP(1)}`, 'Unschedulable'],
    ['a claim that does not exist', one, 'persistentvolumeclaim "shared" not found', 'VolumeNotBound'],
    ['a storage class that does not exist', one, 'storageclass.storage.k8s.io "nope" not found', 'VolumeNotBound'],
    [
      'a claim that is not bound',
      one,
      `0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. ${NO_HELP(3)}`,
      'VolumeNotBound',
    ],
    [
      'a volume that is bound to a node whose GPUs are in use',
      one,
      `0/3 nodes are available: 1 Insufficient nvidia.com/gpu, 2 node(s) didn't match PersistentVolume's node affinity. ${NO_VICTIMS}`,
      'InsufficientGPUs',
    ],
  ])('about %s', (_, asked, words, reason) => {
    const diagnosis = unschedulable(words, asked, NEVER);
    expect(diagnosis.reason).toBe(reason);
    expect(diagnosis.stuck).toBe(reason !== 'InsufficientGPUs' && !words.includes('unbound immediate'));
    expect(diagnosis.message).toContain(words.slice(0, 40));
  });
});

describe('the diagnosis of a pod', () => {
  const diagnose = (over: Parameters<typeof server>[1]) => diagnosePod(server(shared, over), one);

  it('finds nothing where only time is needed, or all is well', () => {
    expect(diagnose({})).toBeUndefined();
    expect(
      diagnose({ containers: [container('server', { waiting: { reason: 'ContainerCreating', message: '' } })] }),
    ).toBeUndefined();
    expect(
      diagnose({ containers: [container('server', { ready: true, restarts: 3, lastTerminated: ends(1) })] }),
    ).toBeUndefined();
  });

  it('says the same while the kubelet pulls and while it backs off', () => {
    const pulling = (reason: string, message: string) =>
      diagnose({ containers: [container('server', { image: 'a:1', waiting: { reason, message } })] });
    expect(pulling('ErrImagePull', 'manifest unknown')).toEqual(
      pulling('ImagePullBackOff', 'Back-off pulling image "a:1": ErrImagePull: manifest unknown'),
    );
  });

  it('keeps the end of words that are too long to be read, and joins their lines', () => {
    const words = `Traceback:\n  ${'x '.repeat(2500)}\nValueError: no such file.`;
    const { message } = diagnose({ containers: [container('server', { terminated: ends(1, words) })] }) ?? {
      message: '',
    };
    expect(message.length).toBeLessThan(800);
    expect(message).toContain('x x ValueError: no such file. Read the log');
  });

  it('tells a pod that its node turned away', () => {
    const evicted = { phase: 'Failed', reason: 'UnexpectedAdmissionError', containers: [] };
    expect(diagnose(evicted)).toMatchObject({ reason: 'PodFailed', stuck: false });
  });
});

// Words of Kubernetes 1.36: pkg/scheduler/framework/types.go and its plugins nodeunschedulable, tainttoleration and
// noderesources.
describe('nodes that are there, and take no pod', () => {
  const message = (asked: Parameters<typeof unschedulable>[1], words: string): string =>
    unschedulable(words, asked).message;

  it('are cordoned: the message says how many, and how to undo it', () => {
    const words = `0/4 nodes are available: 4 node(s) were unschedulable. ${NO_HELP(4)}`;
    expect(unschedulable(words, a100).reason).toBe('NodesCordoned');
    expect(message(a100, words)).toMatch(/^All nodes are cordoned.*4 nodes are cordoned.*kubectl uncordon/);
    expect(message(a100, words)).not.toContain('gpuProduct');
  });

  it('are cordoned, and the scheduler of Kubernetes 1.36 says more after its first sentence', () => {
    const words =
      '0/5 nodes are available: 5 node(s) were unschedulable. no new claims to deallocate, preemption: 0/5 nodes are available: 5 Preemption is not helpful for scheduling.';
    expect(unschedulable(words, a100).reason).toBe('NodesCordoned');
    expect(message(a100, words)).toContain('5 nodes are cordoned');
  });

  it('are cordoned in part: either they have what is asked for, or it must be corrected', () => {
    const words = `0/6 nodes are available: 2 Insufficient nvidia.com/gpu, 4 node(s) were unschedulable. ${NO_HELP(6)}`;
    expect(unschedulable(words, one).reason).toBe('NodesCordoned');
    expect(message(one, words)).toMatch(
      /No node has 1 × nvidia.com\/gpu, unless a cordoned one.*4 nodes.*resources.gpu/,
    );
  });

  it('are cordoned beside others whose GPUs are in use: it continues by itself, and sooner without the cordon', () => {
    const words = `0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient nvidia.com/gpu. ${NO_VICTIMS}`;
    expect(unschedulable(words, one)).toMatchObject({ reason: 'InsufficientGPUs', stuck: false });
    expect(message(one, words)).toContain('1 node is cordoned');
  });

  it.each([
    ['1.36', '4 node(s) had untolerated taint(s)'],
    ['1.31', '4 node(s) had untolerated taint {sku: gpu}'],
  ])('have a taint: the message names the field that lets it in, by the words of %s', (_, taint) => {
    const words = `0/6 nodes are available: 2 Insufficient nvidia.com/gpu, ${taint}. ${NO_HELP(6)}`;
    expect(unschedulable(words, one).reason).toBe('NoSuchGPU');
    expect(message(one, words)).toMatch(/4 nodes are tainted.*tolerations/);
  });
});

describe('more CPU or memory than any node has', () => {
  const large = { ...one, cpu: 4, memory: '9000Gi' };

  it.each([
    ['beside nodes without GPUs', '2 Insufficient nvidia.com/gpu, 6 Insufficient memory', large],
    [
      'on the nodes of a product',
      "2 node(s) didn't match Pod's node affinity/selector, 4 Insufficient memory",
      { ...large, ...a100 },
    ],
    ['without a GPU', '6 Insufficient memory', { ...large, gpu: 0 }],
  ])('is reported with the field and its value, and not as a missing GPU: %s', (_, lacks, asked) => {
    const diagnosis = unschedulable(`0/6 nodes are available: ${lacks}. ${NO_HELP(6)}`, asked, NEVER);
    expect(diagnosis).toMatchObject({ reason: 'Unschedulable', stuck: true });
    expect(diagnosis.message).toMatch(
      /none has so much even when it is empty: resources\.memory: 9000Gi\..*larger nodes/,
    );
    expect(diagnosis.message).not.toContain('gpuProduct');
  });

  it('is no cause where each node that lacks it lacks the GPU as well', () => {
    const words = `0/6 nodes are available: 6 Insufficient memory, 6 Insufficient nvidia.com/gpu. ${NO_HELP(6)}`;
    expect(unschedulable(words, large).reason).toBe('NoSuchGPU');
  });

  it.each([
    ['CPU that others use', '3 Insufficient cpu'],
    ['as many pods as nodes take', '3 Too many pods'],
  ])('waits where it is %s: it continues by itself', (_, lacks) => {
    const diagnosis = unschedulable(`0/3 nodes are available: ${lacks}. ${NO_VICTIMS}`, { ...none, cpu: 4 });
    expect(diagnosis).toMatchObject({ reason: 'Unschedulable', stuck: false });
    expect(diagnosis.message).toContain('it continues by itself');
  });
});

describe('GPUs that are all in use, where an autoscaler was asked', () => {
  const words = `0/3 nodes are available: 3 Insufficient nvidia.com/gpu. ${NO_VICTIMS}`;
  const reported = (nodes: 'coming' | 'later' | 'none' | 'open', held = 0) =>
    unschedulable(words, one, { outlook: { nodes, words: nodes === 'none' ? '1 Insufficient cpu' : nodes }, held });

  it('wait for the node that it adds', () => {
    expect(reported('coming', 1)).toMatchObject({ reason: 'WaitingForNode', stuck: false });
    expect(reported('coming', 1).message).toMatch(/^All nvidia\.com\/gpu are in use.*An autoscaler adds one/);
    expect(reported('coming', 1).message).not.toContain('maxSurge');
  });

  it('say what it lacks for now, and the field that makes room without it', () => {
    expect(reported('later', 2)).toMatchObject({ reason: 'WaitingForNode', stuck: false });
    expect(reported('later', 2).message).toMatch(/adds none for now.*2 pods of its own.*rollout\.maxSurge: 0/);
    expect(reported('later').message).not.toContain('maxSurge');
  });

  it('continue by themselves where it adds none', () => {
    expect(reported('none')).toMatchObject({ reason: 'InsufficientGPUs', stuck: false });
    expect(reported('none').message).toMatch(/it continues by itself\. The autoscaler says: 1 Insufficient cpu/);
    expect(reported('open')).toMatchObject({ reason: 'InsufficientGPUs', stuck: false });
  });
});
