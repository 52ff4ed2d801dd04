import { expect, test } from 'vitest';
import { agentService } from '../../../operator/kinds/agent-service/index.ts';
import { distributedTraining } from '../../../operator/kinds/distributed-training/index.ts';
import { TRUNNION } from '../../../operator/trunnion.ts';
import { killAtEachWrite, simulate } from '../../../testing/index.ts';
import { shared } from '../kinds/model-serving/support.ts';
import { minimal, referring } from '../kinds/agent-service/support.ts';
import { specOf } from '../kinds/distributed-training/support.ts';

const agent = { name: 'support', namespace: 'agents', spec: minimal, identity: TRUNNION };
const training = { name: 'resnet', namespace: 'training', spec: specOf({ replicas: 2 }), identity: TRUNNION };

test('an AgentService rolls out, and follows its spec', async () => {
  const life = simulate(agentService, agent);
  await life.rollOut();
  expect(life.status.phase).toBe('Running');
  life.edit((spec) => ({ ...spec, image: 'support-agent:3.0.0' }));
  await life.settle();
  expect(life.condition('Ready').status).toBe('False');
  await life.rollOut();
  expect(life.condition('Ready').status).toBe('True');
  expect(life.objects('Pod')).toHaveLength(2);
});

test('an AgentService waits for the model that it refers to', async () => {
  const life = simulate(agentService, { ...agent, spec: referring });
  await life.settle();
  expect(life.condition('Ready')).toMatchObject({ status: 'False' });
  expect(life.children.map(({ kind }) => kind)).not.toContain('Deployment');
  life.create({
    apiVersion: 'trunnion.dev/v1alpha1',
    kind: 'ModelServing',
    metadata: { name: 'llama' },
    spec: shared,
    status: { phase: 'Running', conditions: [{ type: 'Available', status: 'True', reason: 'Available', message: '' }] },
  });
  await life.rollOut();
  expect(life.condition('Ready').status).toBe('True');
});

test('an AgentService sees that a Secret changes, by its own query', async () => {
  const env = [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 'api', key: 'key' } } }];
  const life = simulate(agentService, { ...agent, spec: { ...minimal, env } });
  await life.rollOut();
  expect(life.queries.map(({ type }) => type)).toContain('secret');
  expect(life.condition('Ready')).toMatchObject({ status: 'False' });
  life.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'api' }, data: { key: 'b25l' } });
  await life.rollOut();
  expect(life.condition('Ready').status).toBe('True');
  life.change('Secret', { data: { key: 'dHdv' } });
  expect((await life.settle()).writes).toContain('update Deployment/support');
});

test('a training whose ranks fail is tried again after its pause, and completes', async () => {
  const life = simulate(distributedTraining, training);
  await life.settle();
  life.fail('Job', { exitCode: 1, message: 'loss is NaN' });
  await life.settle();
  expect(life.status).toMatchObject({ phase: 'Restarting', attempt: 2, failures: 1 });
  expect(life.status.attempts).toMatchObject([{ reason: 'ProgramFailed', exitCode: 1, charged: 1 }]);
  expect(life.objects('Job')).toEqual([]);
  await life.advance('1m');
  expect(life.objects('Job')).toHaveLength(1);
  await life.rollOut();
  expect(life.status.phase).toBe('Completed');
  expect(life.condition('Complete').status).toBe('True');
});

test('the lives of an AgentService and of a training are the same whenever their operator was killed', async () => {
  await killAtEachWrite(agentService, agent, async (life) => {
    await life.rollOut();
    life.edit((spec) => ({ ...spec, image: 'support-agent:3.0.0' }));
    await life.rollOut();
    life.delete();
    await life.advance('1h');
  });
  await killAtEachWrite(distributedTraining, training, async (life) => {
    await life.settle();
    life.fail('Job');
    await life.advance('1m');
    await life.rollOut();
  });
});
