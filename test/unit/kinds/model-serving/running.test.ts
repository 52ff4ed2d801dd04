import { describe, expect, it } from 'vitest';
import {
  URI,
  claim,
  container,
  decide,
  deployment,
  ends,
  job,
  resourceOf,
  runningStatus,
  conditionOf,
  messageOf,
  server,
  service,
  shared,
} from './support.ts';

describe('the first life', () => {
  it('reports endpoint, replicas, selector and images once it runs', () => {
    expect(runningStatus(shared)).toMatchObject({
      endpoint: 'http://llama.models.svc:8000/v1',
      replicas: 1,
      readyReplicas: 1,
      selector: expect.stringContaining('app.kubernetes.io/instance=llama'),
      engine: {
        type: 'vllm',
        image: expect.stringContaining('vllm'),
        pinned: true,
        fetcherImage: expect.stringContaining('node'),
      },
      served: { spec: shared },
      observedGeneration: 1,
    });
  });

  it('names no endpoint before there is one', () => {
    const { status } = decide({ resource: resourceOf(shared), children: [claim(URI), job(URI)] });
    expect(status.endpoint).toBeUndefined();
  });

  it('counts a service that was scaled to zero as running and not available', () => {
    const { status } = decide({
      resource: resourceOf({ ...shared, replicas: 0 }),
      children: [claim(URI), job(URI, 'Complete'), deployment({ desired: 0 }), service()],
    });
    expect(status.phase).toBe('Running');
    expect(conditionOf(status, 'Available')).toBe('False ScaledToZero');
    expect(conditionOf(status, 'Ready')).toBe('False ScaledToZero');
  });

  it('stays Running with fewer replicas than asked for, and says why it is not ready', () => {
    const down = server(shared, {
      name: 'llama-server-2',
      containers: [
        container('server', {
          waiting: { reason: 'CrashLoopBackOff', message: '' },
          lastTerminated: ends(3, 'bad flag'),
        }),
      ],
    });
    const { status } = decide({
      resource: resourceOf({ ...shared, replicas: 2 }),
      children: [claim(URI), job(URI, 'Complete'), deployment({ desired: 2, ready: 1 }), service()],
      pods: [server(shared), down],
    });
    expect(status.phase).toBe('Running');
    expect(conditionOf(status, 'Available')).toBe('True Degraded');
    expect(conditionOf(status, 'Ready')).toBe('False Degraded');
    expect(messageOf(status, 'Ready')).toMatch(/1 of 2 .*bad flag/);
  });
});
