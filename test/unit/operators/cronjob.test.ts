import { describe, expect, it } from 'vitest';
import { CronJob } from '../../../examples/operators/cronjob.ts';
import type { ObservedChild } from '../../../operator/index.ts';

const NAME = 'sample';
const CREATED = '2026-11-28T09:59:30.000Z';
const at = (time: string): string => `2026-11-28T${time}.000Z`;
const jobOf = (time: string): string => `${NAME}-${Date.parse(at(time)) / 1000}`;

/** A Job as it is observed: `end` is the condition that says how it ended. */
const job = (time: string, end?: 'Complete' | 'Failed'): ObservedChild => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  namespace: 'default',
  name: jobOf(time),
  uid: time,
  resourceVersion: '1',
  ownerUid: 'cronjob',
  createdAt: Date.parse(at(time)),
  deleting: false,
  digest: '',
  owns: [],
  ready: true,
  slice: end === undefined ? {} : { status: { conditions: [{ type: end, status: 'True' }] } },
});

interface Situation {
  readonly it: string;
  /** What of the spec is not as by default. */
  readonly spec?: object;
  readonly jobs?: readonly ObservedChild[];
  /** The last run, as the status has it. */
  readonly last?: string;
  readonly now: string;
  /** When the Jobs that there must be were due. */
  readonly runs: readonly string[];
  /** When it looks again. */
  readonly next?: string;
}

const SITUATIONS: readonly Situation[] = [
  { it: 'starts nothing before its first time', now: '09:59:40', runs: [], next: '10:00:00' },
  { it: 'starts a Job in the moment that one is due', now: '10:00:00', runs: ['10:00:00'], next: '10:01:00' },
  { it: 'keeps a Job that runs', jobs: [job('10:00:00')], now: '10:00:20', runs: ['10:00:00'], next: '10:01:00' },
  {
    it: 'runs two at once where it may',
    jobs: [job('10:00:00')],
    now: '10:01:00',
    runs: ['10:00:00', '10:01:00'],
    next: '10:02:00',
  },
  {
    it: 'waits for the Job that runs where it must',
    spec: { concurrencyPolicy: 'Forbid' },
    jobs: [job('10:00:00')],
    now: '10:01:00',
    runs: ['10:00:00'],
    next: '10:02:00',
  },
  {
    it: 'makes up for a run that had to wait',
    spec: { concurrencyPolicy: 'Forbid' },
    jobs: [job('10:00:00', 'Complete')],
    now: '10:01:30',
    runs: ['10:00:00', '10:01:00'],
    next: '10:02:00',
  },
  {
    it: 'ends the Job that runs before it starts another in its place',
    spec: { concurrencyPolicy: 'Replace' },
    jobs: [job('10:00:00')],
    now: '10:01:00',
    runs: [],
    next: '10:02:00',
  },
  {
    it: 'starts the other once that one is gone',
    spec: { concurrencyPolicy: 'Replace' },
    last: '10:00:00',
    now: '10:01:02',
    runs: ['10:01:00'],
    next: '10:02:00',
  },
  { it: 'starts nothing while it is suspended', spec: { suspend: true }, now: '10:01:00', runs: [] },
  {
    it: 'makes up for one of hundreds of runs that it missed, the latest',
    last: '10:00:00',
    now: '17:30:30',
    runs: ['17:30:00'],
    next: '17:31:00',
  },
  {
    it: 'starts no run that is later than it may be',
    spec: { startingDeadlineSeconds: 20 },
    last: '10:00:00',
    now: '17:30:30',
    runs: [],
    next: '17:31:00',
  },
  {
    it: 'starts no run a second time whose Job is gone',
    spec: { successfulJobsHistoryLimit: 0 },
    last: '10:00:00',
    now: '10:00:40',
    runs: [],
    next: '10:01:00',
  },
  {
    it: 'keeps as many completed and as many failed Jobs as it is told, the latest',
    spec: { successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 1 },
    jobs: [
      job('10:00:00', 'Complete'),
      job('10:01:00', 'Complete'),
      job('10:02:00', 'Failed'),
      job('10:03:00', 'Failed'),
      job('10:04:00'),
    ],
    now: '10:04:30',
    runs: ['10:04:00', '10:01:00', '10:03:00'],
    next: '10:05:00',
  },
  { it: 'never runs on a day that there is not', spec: { schedule: '0 0 30 2 *' }, now: '10:00:30', runs: [] },
];

const JOBS = { spec: { template: {} } };

type Stored = Parameters<typeof CronJob.reconcile>[0]['resource'];

const resourceOf = (spec: object, last?: string): Stored => ({
  apiVersion: 'batch.tutorial.kubebuilder.io/v1',
  kind: 'CronJob',
  metadata: { name: NAME, namespace: 'default', uid: 'cronjob', resourceVersion: '1', creationTimestamp: CREATED },
  spec: CronJob.schema.spec.parse({ schedule: '* * * * *', jobTemplate: JOBS, ...spec }) as Stored['spec'],
  ...(last !== undefined && { status: { active: [], lastScheduleTime: at(last) } }),
});

describe('CronJob', () => {
  it.for(SITUATIONS)('$it', ({ spec = {}, jobs = [], last, now, runs, next }) => {
    const resource = resourceOf(spec, last);
    const snapshot = { resource, children: jobs, pods: [], related: {}, answers: {}, failures: [] };
    const { state, requeueAt } = CronJob.reconcile(snapshot, Date.parse(at(now)));
    const names = CronJob.render(resource, state).map(({ manifest }) => manifest.metadata.name);
    expect(names).toEqual(runs.map(jobOf));
    expect(requeueAt).toEqual(next === undefined ? undefined : Date.parse(at(next)));
  });
});
