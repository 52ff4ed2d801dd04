import { describe, expect, it, test } from 'vitest';
import {
  URI,
  claim,
  decide,
  deployment,
  job,
  resourceOf,
  conditionOf,
  messageOf,
  server,
  service,
  shared,
} from './support.ts';

/** A service that runs on a volume of 10Gi, of which more was asked for. */
const on = (status: object, asked = '20Gi') =>
  decide({
    resource: resourceOf(shared),
    children: [
      claim(URI, 'Bound', {
        slice: {
          spec: { storageClassName: 'fast', resources: { requests: { storage: asked } } },
          status: { phase: 'Bound', capacity: { storage: '10Gi' }, ...status },
        },
      }),
      job(URI, 'Complete'),
      deployment(),
      service(),
    ],
    pods: [server(shared)],
  }).status;

const condition = (type: string, status = 'True', message = 'the driver says no') => ({
  conditions: [{ type, status, reason: '', message }],
});
const storage = (status: string) => ({ allocatedResourceStatuses: { storage: status } });

describe('a volume that cannot be made larger', () => {
  test.each([
    ['the driver fails', condition('ControllerResizeError'), 'the driver says no'],
    ['the node fails', condition('NodeResizeError'), 'the driver says no'],
    ['the driver can not at all', storage('ControllerResizeInfeasible'), 'ControllerResizeInfeasible'],
    ['the node can not at all', storage('NodeResizeInfeasible'), 'NodeResizeInfeasible'],
    ['the driver can not at all, by its older name', storage('ControllerResizeFailed'), 'ControllerResizeFailed'],
    ['nobody says why', condition('ControllerResizeError', 'True', ''), 'ControllerResizeError'],
  ])('is told in Ready, and serves on: %s', (_, status, words) => {
    const reported = on(status);
    expect(conditionOf(reported, 'Ready')).toBe('False VolumeResizeFailed');
    expect(messageOf(reported, 'Ready')).toContain(
      `stays at 10Gi, since it can't be made larger: ${words}. Set storage.size`,
    );
    expect([conditionOf(reported, 'Available'), conditionOf(reported, 'WeightsReady')]).toEqual([
      'True Available',
      'True Fetched',
    ]);
    expect(reported.phase).toBe('Running');
  });

  test.each([
    ['is on its way', storage('ControllerResizeInProgress')],
    ['waits for the file system', condition('FileSystemResizePending')],
    ['failed before', condition('ControllerResizeError', 'False')],
  ])('is not one whose resize %s', (_, status) => {
    expect(conditionOf(on(status), 'Ready')).toBe('True Ready');
  });

  it('is not one of which no more is asked for', () => {
    expect(conditionOf(on(condition('ControllerResizeError'), '10Gi'), 'Ready')).toBe('True Ready');
  });
});
