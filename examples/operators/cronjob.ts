// The CronJob of the kubebuilder book: a Job whenever its schedule says so, in UTC.
import { ApiObject } from 'cdk8s';
import { Cron } from 'croner';
import { defineKind, manage, operate, type ObservedChild } from 'trunnion-operator';
import * as z from 'zod';

const texts = z.record(z.string(), z.string()).default({});
const cron = (schedule: string) => new Cron(schedule, { timezone: 'UTC', mode: '5-part' });
const isSchedule = (text: string) => {
  try {
    return cron(text).getPattern() !== undefined;
  } catch {
    return false;
  }
};

/** A Job's name ends with the second that it was due. */
const dueOf = ({ name }: ObservedChild) => Number(name.slice(name.lastIndexOf('-') + 1)) * 1000;
const endOf = ({ slice }: ObservedChild) =>
  (slice['status'] as { conditions?: readonly { type: string; status: string }[] } | undefined)?.conditions?.find(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  )?.type;

export const CronJob = defineKind({
  group: 'batch.tutorial.kubebuilder.io',
  version: 'v1',
  kind: 'CronJob',
  description: 'Creates a Job whenever its schedule says so.',
  spec: z.strictObject({
    schedule: z.string().refine(isSchedule, 'must be five fields of cron').describe('Five fields of cron, in UTC.'),
    startingDeadlineSeconds: z.int().min(0).optional().describe('How late a run may start. A later one is left out.'),
    concurrencyPolicy: z.enum(['Allow', 'Forbid', 'Replace']).default('Allow').describe('What a run does to others.'),
    suspend: z.boolean().default(false).describe('Whether no run starts. Those that run continue.'),
    successfulJobsHistoryLimit: z.int().min(0).default(3).describe('How many completed Jobs stay.'),
    failedJobsHistoryLimit: z.int().min(0).default(1).describe('How many failed Jobs stay.'),
    jobTemplate: z.strictObject({
      metadata: z.strictObject({ labels: texts, annotations: texts }).default({ labels: {}, annotations: {} }),
      spec: z.looseObject({}).describe('The spec of each Job.'),
    }),
  }),
  status: z.strictObject({
    active: z.array(z.string()).describe('The Jobs that run.'),
    lastScheduleTime: z.string().describe('When the last run was due. Before the first one: when it was created.'),
  }),
  rules: [{ rule: 'size(self.metadata.name) <= 52', message: 'at most 52 characters: those of Jobs are 11 longer' }],
  children: [{ group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', ready: () => true }],
  reconcile: ({ resource, spec, status, children, now, standing }) => {
    const jobs = children.toSorted((one, other) => dueOf(other) - dueOf(one));
    const active = jobs.filter((job) => endOf(job) === undefined);
    const kept = (end: string, most: number) => jobs.filter((job) => endOf(job) === end).slice(0, most);
    const remembered = status.lastScheduleTime ?? resource.metadata.creationTimestamp ?? '';
    const last = Math.max(Date.parse(remembered), jobs[0] === undefined ? 0 : dueOf(jobs[0]));
    const earliest = Math.max(last, now - 1000 * (spec.startingDeadlineSeconds ?? Infinity));
    // The latest one alone, this moment included: of the runs that were missed, one is made up for.
    const [due] = spec.suspend ? [] : cron(spec.schedule).previousRuns(1, new Date(now + 1));
    const [next] = spec.suspend ? [] : cron(spec.schedule).nextRuns(1, new Date(now));
    const isDue = due !== undefined && due.getTime() > earliest;
    const starts = isDue && (spec.concurrencyPolicy === 'Allow' || active.length === 0);
    const past = [...kept('Complete', spec.successfulJobsHistoryLimit), ...kept('Failed', spec.failedJobsHistoryLimit)];
    const runs = [...(isDue && spec.concurrencyPolicy === 'Replace' ? [] : active), ...past].map(dueOf);
    return {
      state: { runs: starts ? [...runs, due.getTime()] : runs },
      conditions: standing({ runs }).conditions,
      status: { active: active.map(({ name }) => name), lastScheduleTime: new Date(last).toISOString() },
      ...(next !== undefined && { requeueAt: next.getTime() }),
    };
  },
  construct: (scope, { name, spec: { jobTemplate }, state }) => {
    for (const due of state.runs ?? []) {
      const scheduled = { 'batch.tutorial.kubebuilder.io/scheduled-at': new Date(due).toISOString() };
      const annotations = { ...jobTemplate.metadata.annotations, ...scheduled };
      const metadata = { name: `${name}-${due / 1000}`, labels: jobTemplate.metadata.labels, annotations };
      const job = { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: jobTemplate.spec };
      manage(new ApiObject(scope, `run-${due / 1000}`, job), { createOnly: true });
    }
  },
});

if (import.meta.main) await operate({ name: 'cronjob-operator', kinds: [CronJob] });
