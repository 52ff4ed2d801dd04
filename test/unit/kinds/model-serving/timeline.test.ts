import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortHash } from '../../../../constructs/parts/weights/key.ts';
import type { ModelServingSpec } from '../../../../constructs/model-serving/spec.ts';
import { Simulation } from './simulation.ts';
import { OTHER_URI, URI, conditionOf, shared, single, withUri } from './support.ts';

const THIRD_URI = 's3://models/third/';

const running = (simulation: Simulation) => () =>
  simulation.status.phase === 'Running' &&
  simulation.status.observedGeneration === simulation.resource.metadata.generation;

function started(spec: ModelServingSpec): Simulation {
  const simulation = new Simulation(spec);
  simulation.until(running(simulation));
  return simulation;
}

const claimOf = (uri: string) => `llama-weights-${shortHash(uri)}`;

describe('a life in a simulated cluster', () => {
  it.each([
    ['a Job fetches', shared],
    ['the server fetches', single],
  ])('goes through its phases where %s', (_, spec) => {
    const simulation = started(spec);
    expect(simulation.phases.filter((phase) => phase !== 'Pending')).toEqual(['Downloading', 'Deploying', 'Running']);
    expect(simulation.status.weights).toMatchObject({ bytes: 9, totalBytes: 9 });
    expect(conditionOf(simulation.status, 'Ready')).toBe('True Ready');
  });

  it('writes nothing once it runs', () => {
    const simulation = started(shared);
    simulation.run(1);
    const { writes } = simulation;
    simulation.run(120);
    expect(simulation.writes).toBe(writes);
  });

  it.each([
    ['a Job fetches', shared],
    ['the server fetches', single],
  ])('takes another model up without a moment out of service where %s, and drops the old weights', (_, spec) => {
    const simulation = started(spec);
    simulation.edit(withUri(spec, OTHER_URI));
    const outages: number[] = [];
    simulation.until(running(simulation), () => {
      if (!simulation.answers) outages.push(simulation.now);
    });
    simulation.run(5);
    expect(outages).toEqual([]);
    expect(simulation.phases.slice(-2)).toEqual(['Updating', 'Running']);
    expect(simulation.names('PersistentVolumeClaim')).toEqual([claimOf(OTHER_URI)]);
    expect(simulation.names('Job').length).toBe(spec === shared ? 1 : 0);
    expect(simulation.status.served?.spec.model.uri).toBe(OTHER_URI);
  });

  it('serves on with the old model while the new one cannot be had, and takes it up when it can', () => {
    const simulation = started(shared);
    simulation.missing.add(OTHER_URI);
    simulation.edit(withUri(shared, OTHER_URI));
    simulation.run(300, () => expect(simulation.answers).toBe(true));
    expect(conditionOf(simulation.status, 'Ready')).toBe('False DownloadFailed');
    simulation.missing.clear();
    // As if the fetch had not failed before: the Job is created again ten minutes later.
    simulation.until(running(simulation), () => expect(simulation.answers).toBe(true));
  });

  it('tries a failed download again every ten minutes, and no more often', () => {
    const simulation = new Simulation(shared);
    simulation.missing.add(URI);
    simulation.run(60);
    const { writes } = simulation;
    simulation.run(500);
    expect(simulation.writes).toBe(writes);
    simulation.run(50);
    expect(simulation.writes).toBeGreaterThan(writes);
    expect(simulation.names('Job')).toHaveLength(1);
  });

  it('serves on with the old model while the new one does not start', () => {
    const simulation = started(single);
    simulation.broken.add(OTHER_URI);
    simulation.edit(withUri(single, OTHER_URI));
    simulation.run(120, () => expect(simulation.answers).toBe(true));
    expect(conditionOf(simulation.status, 'Progressing')).toBe('False CrashLoop');
    simulation.edit(single);
    simulation.until(running(simulation), () => expect(simulation.answers).toBe(true));
    simulation.run(2);
    expect(simulation.names('PersistentVolumeClaim')).toEqual([claimOf(URI)]);
  });

  it('drains for as long as there are requests, and no longer', () => {
    const simulation = started(shared);
    simulation.inFlight = 2;
    simulation.edit({ ...shared, retired: true });
    simulation.run(60);
    expect(simulation.status.phase).toBe('Draining');
    expect(simulation.names('Service')).toEqual([]);
    expect(simulation.names('Deployment')).toEqual(['llama']);
    simulation.inFlight = 0;
    simulation.run(4);
    expect(simulation.status.phase).toBe('Retired');
    expect(simulation.names('Deployment')).toEqual([]);
    expect(simulation.names('PersistentVolumeClaim')).toEqual([claimOf(URI)]);
    simulation.edit(shared);
    simulation.until(running(simulation));
  });

  it('cuts what has not ended in time', () => {
    const simulation = started(shared);
    simulation.inFlight = 2;
    simulation.delete();
    simulation.run(119);
    expect(simulation.isReleased).toBe(false);
    simulation.run(10);
    expect(simulation.isReleased).toBe(true);
    expect(simulation.status.drain).toMatchObject({ requestsInFlight: 2 });
  });

  it('ends where it should whatever is edited when, and is never out of service meanwhile', () => {
    const edit = fc.record({
      uri: fc.constantFrom(URI, OTHER_URI, THIRD_URI),
      replicas: fc.constantFrom(1, 2, 3),
      args: fc.constantFrom([], ['--max-model-len=8192']),
      pause: fc.nat(25),
    });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 5 }), (edits) => {
        const simulation = started(shared);
        const observe = () => expect(simulation.answers).toBe(true);
        for (const { uri, replicas, args, pause } of edits) {
          simulation.edit({ ...withUri(shared, uri), replicas, engine: { type: 'vllm', args } });
          simulation.run(pause, observe);
        }
        simulation.until(running(simulation), observe);
        simulation.run(30, observe);
        const { writes } = simulation;
        simulation.run(5);
        expect(simulation.writes).toBe(writes);
        const last = simulation.resource.spec;
        expect(simulation.status).toMatchObject({
          phase: 'Running',
          readyReplicas: last.replicas,
          weights: { uri: last.model.uri },
        });
        expect(simulation.names('PersistentVolumeClaim')).toEqual([claimOf(last.model.uri)]);
        expect(simulation.names('Job')).toHaveLength(1);
      }),
      { numRuns: 40 },
    );
  });
});
