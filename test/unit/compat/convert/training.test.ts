import { describe, expect, test } from 'vitest';
import { huggingFace, pytorchJob, specOf, noteOn, trainJob } from '../../../support/equivalents.ts';

describe('a PyTorchJob', () => {
  test('that counts one process a pod in WORLD_SIZE does so here, whatever GPUs it has', () => {
    const gpus = 'resources: {limits: {nvidia.com/gpu: 2}}';
    for (const spec of ['', 'nprocPerNode: auto,', 'nprocPerNode: gpu,']) {
      const equivalent = pytorchJob(`command: [python, train.py], ${gpus}`, { spec });
      expect(specOf(equivalent)).toMatchObject({ replicas: 3, procsPerNode: 1, resources: { gpu: 2 } });
      expect(noteOn(equivalent, 'spec.procsPerNode')).toContain('WORLD_SIZE');
    }
  });

  test('whose launcher starts a process for each GPU leaves that to the launcher, and says so', () => {
    const equivalent = pytorchJob('command: [torchrun, train.py], resources: {limits: {nvidia.com/gpu: 2}}');
    expect(specOf(equivalent)).not.toHaveProperty('procsPerNode');
    expect(noteOn(equivalent, 'spec.procsPerNode')).toContain('launcher');
  });

  test('that Kueue queues names its queue, and is not left suspended forever', () => {
    const equivalent = pytorchJob('', {
      spec: 'runPolicy: {suspend: true},',
      metadata: 'labels: {kueue.x-k8s.io/queue-name: team}',
    });
    expect(specOf(equivalent)).toMatchObject({ queue: 'team' });
    expect(specOf(equivalent)).not.toHaveProperty('suspend');
    expect(equivalent.manifest.metadata.labels).toBeUndefined();
    expect(noteOn(equivalent, 'spec.runPolicy.suspend')).toContain('Kueue');
  });

  test('that nobody queues stays suspended', () => {
    expect(specOf(pytorchJob('', { spec: 'runPolicy: {suspend: true},' }))).toMatchObject({ suspend: true });
  });

  test('that is never started again is tried once', () => {
    expect(specOf(pytorchJob('', { replica: 'restartPolicy: Never,' }))).toMatchObject({ retry: { limit: 0 } });
    const again = pytorchJob('', { replica: 'restartPolicy: OnFailure,' });
    expect(specOf(again)).not.toHaveProperty('retry');
    expect(noteOn(again, 'spec.pytorchReplicaSpecs.Worker.restartPolicy')).toContain('6 by default');
  });

  test('is told that it reaches nothing and is not root', () => {
    const equivalent = pytorchJob('');
    expect(noteOn(equivalent, 'spec.egress')).toContain('download');
    expect(noteOn(equivalent, 'spec.security.level')).toContain('user 1000');
  });
});

describe('a TrainJob', () => {
  test('of a runtime that is none of Kubeflow’s own has no framework before its user says it', () => {
    const equivalent = trainJob('runtimeRef: {name: team-torch}');
    expect(specOf(equivalent)).not.toHaveProperty('framework');
    expect(equivalent.problems.map(({ path }) => path)).toEqual(['spec.framework']);
    expect(noteOn(equivalent, 'spec.framework')).toContain('say what the program uses');
  });

  test('that Kueue queues names its queue', () => {
    const equivalent = trainJob(
      'suspend: true, runtimeRef: {name: torch-distributed}',
      'labels: {kueue.x-k8s.io/queue-name: team}',
    );
    expect(specOf(equivalent)).toMatchObject({ framework: 'pytorch', queue: 'team' });
    expect(specOf(equivalent)).not.toHaveProperty('suspend');
  });

  test('is told that it reaches nothing and is not root', () => {
    const equivalent = trainJob('runtimeRef: {name: torch-distributed}');
    expect(noteOn(equivalent, 'spec.egress')).toContain('download');
    expect(noteOn(equivalent, 'spec.security.level')).toContain('user 1000');
  });
});

describe('what is said in another form', () => {
  test('by an annotation is a queue as well', () => {
    const equivalent = pytorchJob('', { metadata: 'annotations: {kueue.x-k8s.io/queue-name: team}' });
    expect(specOf(equivalent)).toMatchObject({ queue: 'team' });
  });

  test('of MPI is one process a node, as Kubeflow’s runtime has it', () => {
    const equivalent = trainJob('runtimeRef: {name: deepspeed-distributed}');
    expect(specOf(equivalent)).toMatchObject({ framework: 'mpi', procsPerNode: 1 });
  });

  test('and is what Kubernetes has anyway is not reported', () => {
    const equivalent = pytorchJob('terminationMessagePath: /dev/termination-log, securityContext: {}, stdin: false');
    expect(equivalent.notes.map(({ path }) => path)).toEqual([
      'spec.egress',
      'spec.security.level',
      'spec.procsPerNode',
      'spec.retry.limit',
    ]);
  });

  test('of an argument twice is the last', () => {
    const equivalent = huggingFace('args: [--model_name=one, --model_name=two]');
    expect(specOf(equivalent)).toMatchObject({ model: { name: 'two' } });
    expect(noteOn(equivalent, 'spec.predictor.model.args[1]')).toContain('twice');
  });
});
