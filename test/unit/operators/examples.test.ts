import { describe, expect, it } from 'vitest';
import { CronJob } from '../../../examples/operators/cronjob.ts';
import { EphemeralVolumeClaim } from '../../../examples/operators/ephemeral-volume-claim.ts';
import { WebApp } from '../../../examples/operators/web-app.ts';
import { WebApp as KroWebApp } from '../../../examples/operators/web-service-kro.ts';
import { WebService } from '../../../examples/operators/web-service.ts';
import { killAtEachWrite, simulate } from '../../../testing/simulate/index.ts';

const JOB_SPEC = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } } };

describe('CronJob', () => {
  const spec = { schedule: '*/10 * * * *', jobTemplate: { spec: JOB_SPEC } };

  it('creates a Job at each of its times, and keeps the last three that completed', async () => {
    const life = simulate(CronJob, { spec, now: '2026-01-01T00:00:30Z' });
    await life.settle();
    expect(life.objects('Job')).toEqual([]);
    for (let run = 0; run < 5; run += 1) {
      await life.advance('10m');
      expect(life.status.active).toHaveLength(1);
      life.ready(`Job/${life.status.active?.[0]}`);
      await life.settle();
    }
    expect(life.objects('Job')).toHaveLength(3);
    expect(life.status).toMatchObject({ active: [], lastScheduleTime: '2026-01-01T00:50:00.000Z' });
    expect(life.condition('Ready')).toMatchObject({ status: 'True' });
  });

  it('is ready though a Job failed, and keeps that one', async () => {
    const life = simulate(CronJob, { spec, now: '2026-01-01T00:00:30Z' });
    await life.advance('10m');
    life.fail('Job');
    await life.advance('10m');
    expect(life.objects('Job')).toHaveLength(2);
    expect(life.condition('Ready')).toMatchObject({ status: 'True' });
  });

  it('makes no Job a second time whose run is in the past, though none is kept', async () => {
    const life = simulate(CronJob, { spec: { ...spec, successfulJobsHistoryLimit: 0 }, now: '2026-01-01T00:00:30Z' });
    await life.advance('10m');
    life.ready('Job');
    await life.advance('5m');
    expect(life.objects('Job')).toEqual([]);
    expect(life.writes.filter((write) => write.startsWith('create Job'))).toHaveLength(1);
  });

  it('makes one Job for each run, whichever write it is killed after', async () => {
    await killAtEachWrite(CronJob, { spec, now: '2026-01-01T00:00:30Z' }, async (life) => {
      await life.advance('10m');
      life.ready('Job');
      await life.advance('10m');
      life.edit((before) => ({ ...before, concurrencyPolicy: 'Replace', successfulJobsHistoryLimit: 0 }));
      await life.advance('10m');
    });
  });
});

describe('EphemeralVolumeClaim', () => {
  const spec = { size: '1Gi' };
  const pod = (name: string, claimName: string, phase: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [], volumes: [{ name: 'work', persistentVolumeClaim: { claimName } }] },
    status: { phase },
  });

  it('goes where no pod has used it in time', async () => {
    const life = simulate(EphemeralVolumeClaim, { spec });
    await life.settle();
    expect(life.object('PersistentVolumeClaim').metadata.name).toBe('example');
    await life.advance('29s');
    expect(life.isGone).toBe(false);
    await life.advance('15s');
    expect(life.isGone).toBe(true);
    expect(life.objects('PersistentVolumeClaim')).toEqual([]);
  });

  it('stays while a pod uses it, and for a while after', async () => {
    const life = simulate(EphemeralVolumeClaim, { spec });
    life.create(pod('worker', 'example', 'Running'));
    life.create(pod('other', 'another', 'Running'));
    await life.advance('10m');
    expect(life.status).toMatchObject({ used: true });
    life.become('Pod/worker', { status: { phase: 'Succeeded' } });
    await life.advance('20s');
    expect(life.isGone).toBe(false);
    await life.advance('30s');
    expect(life.isGone).toBe(true);
  });

  it('takes no pod for gone as long as pods can not be listed', async () => {
    const life = simulate(EphemeralVolumeClaim, { spec: { ...spec, gracePeriod: 0 } });
    life.create(pod('worker', 'example', 'Running'));
    await life.settle();
    life.answerError('pods', 'the server is away');
    life.restart();
    await life.advance('10m');
    expect(life.status).toMatchObject({ used: true });
    expect(life.status.unusedSince).toBeUndefined();
  });

  it('has the labels of its owner, and grows', async () => {
    const life = simulate(EphemeralVolumeClaim, { spec, labels: { team: 'a' } });
    await life.settle();
    life.label({ team: 'b' });
    life.edit((before) => ({ ...before, size: '2Gi' }));
    await life.settle();
    expect(life.object('PersistentVolumeClaim')).toMatchObject({
      metadata: { labels: { team: 'b' } },
      spec: { resources: { requests: { storage: '2Gi' } } },
    });
  });

  it('ends as it should, whichever write it is killed after', async () => {
    await killAtEachWrite(EphemeralVolumeClaim, { spec }, async (life) => {
      await life.settle();
      life.edit((before) => ({ ...before, size: '2Gi' }));
      await life.settle();
      life.create(pod('worker', 'example', 'Running'));
      await life.advance('1m');
      life.become('Pod/worker', { status: { phase: 'Failed' } });
      await life.advance('1m');
    });
  });
});

describe('WebApp of Pepr', () => {
  const spec = { theme: 'dark', language: 'es', replicas: 1 } as const;

  it('is Ready once its pods are, and rolls them for a new page alone', async () => {
    const life = simulate(WebApp, { spec, namespace: 'webapps' });
    await life.settle();
    expect(life.status.phase).toBe('Pending');
    await life.rollOut();
    expect(life.status.phase).toBe('Ready');
    const template = JSON.stringify(life.object('Deployment').spec?.template);
    life.remove('Service');
    life.edit((before) => ({ ...before, replicas: 2 }));
    await life.rollOut();
    expect(JSON.stringify(life.object('Deployment').spec?.template)).toBe(template);
    life.edit((before) => ({ ...before, language: 'en' }));
    await life.rollOut();
    expect(JSON.stringify(life.object('Deployment').spec?.template)).not.toBe(template);
  });

  it('is refused in a namespace that is protected, and for more pods than it may have', () => {
    expect(() => simulate(WebApp, { spec })).toThrow(/metadata.namespace: choose another one/);
    expect(() => simulate(WebApp, { spec: { ...spec, replicas: 8 }, namespace: 'webapps' })).toThrow(/replicas/);
  });

  it('ends as it should, whichever write it is killed after', async () => {
    await killAtEachWrite(WebApp, { spec, namespace: 'webapps' }, async (life) => {
      await life.rollOut();
      life.edit((before) => ({ ...before, theme: 'light', replicas: 3 }));
      await life.rollOut();
      life.remove('ConfigMap');
      await life.rollOut();
    });
  });
});

describe('WebApp of kro', () => {
  const spec = { name: 'test-app', port: 80, ingress: { enabled: true } };

  it('has an Ingress as long as it wants one, and tells where it is', async () => {
    const life = simulate(KroWebApp, { spec });
    await life.rollOut();
    life.become('Ingress', { status: { loadBalancer: { ingress: [{ hostname: 'lb.example.com' }] } } });
    await life.settle();
    expect(life.status).toMatchObject({ availableReplicas: 1, url: 'lb.example.com' });
    life.edit((before) => ({ ...before, ingress: { enabled: false } }));
    await life.settle();
    expect(life.children.map(({ kind }) => kind).toSorted()).toEqual(['Deployment', 'Service']);
    expect(life.status.url).toBeUndefined();
  });

  it('ends as it should, whichever write it is killed after', async () => {
    await killAtEachWrite(KroWebApp, { spec }, async (life) => {
      await life.rollOut();
      life.edit((before) => ({ ...before, service: { enabled: false } }));
      await life.rollOut();
    });
  });
});

describe('WebService of cdk8s', () => {
  it('ends as it should, whichever write it is killed after', async () => {
    const { writes } = await killAtEachWrite(WebService, { spec: { image: 'hello:1' } }, async (life) => {
      await life.rollOut();
      life.edit((before) => ({ ...before, replicas: 3 }));
      await life.rollOut();
      expect(life.condition('Ready')).toMatchObject({ status: 'True' });
    });
    expect(writes).toBeGreaterThan(3);
  });
});
