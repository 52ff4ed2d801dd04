import type { DefinedKind } from '../../operator/index.ts';
import type { FaultsOptions, FaultsStep, StepContext } from '../../testing/faults/index.ts';
import { CronJob } from '../../examples/operators/cronjob.ts';
import { EphemeralVolumeClaim } from '../../examples/operators/ephemeral-volume-claim.ts';
import { WebApp } from '../../examples/operators/web-app.ts';
import { WebApp as KroWebApp } from '../../examples/operators/web-service-kro.ts';
import { WebService } from '../../examples/operators/web-service.ts';
import { BOUND, bind, STANDARD } from './volumes.ts';

/** An example under the campaign: the program as it is, and what a user does with it. */
export type Subject = Pick<FaultsOptions, 'operator' | 'kinds' | 'scenario' | 'crds' | 'ignore' | 'stepSeconds'>;

const NAME = 'demo';

/** The longest that a schedule of minutes is waited for, and how near the next minute may be. */
const MINUTE_MS = 60_000;
const NEAR_MS = 5_000;

function subject(file: string, kind: DefinedKind, scenario: readonly FaultsStep[]): Subject {
  const at = (path: string): string => new URL(`../../${path}`, import.meta.url).pathname;
  const command = [process.execPath, '--import', at('test/support/published.mjs'), at(`examples/operators/${file}.ts`)];
  return { operator: { command, ready: '/readyz' }, kinds: [kind], scenario };
}

const resource = (apiVersion: string, kind: string, spec: object) => ({
  apiVersion,
  kind,
  metadata: { name: NAME },
  spec,
});

const deletion = ({ type }: DefinedKind): FaultsStep => ({ name: 'delete', delete: { kind: type, name: NAME } });

/** By its type: two examples have kinds of one name. */
const readyOf = ({ type }: DefinedKind) => ({ kind: type, name: NAME, condition: 'Ready' });

function webService(): Subject {
  const ready = readyOf(WebService);
  const apply = (spec: object) => resource('example.com/v1', 'WebService', { image: 'hello:1', ...spec });
  return subject('web-service', WebService, [
    { name: 'create', apply: apply({}), until: ready },
    { name: 'change', apply: apply({ replicas: 3, port: 8000 }), until: ready },
    deletion(WebService),
  ]);
}

function webApp(): Subject {
  const ready = readyOf(WebApp);
  const apply = (spec: object) =>
    resource('pepr.io/v1alpha1', 'WebApp', { theme: 'dark', language: 'es', replicas: 1, ...spec });
  return subject('web-app', WebApp, [
    { name: 'create', apply: apply({}), until: ready },
    { name: 'change', apply: apply({ theme: 'light', replicas: 2 }), until: ready },
    deletion(WebApp),
  ]);
}

function kroWebApp(): Subject {
  const ready = readyOf(KroWebApp);
  const apply = (spec: object) => resource('kro.run/v1alpha1', 'WebApp', { name: 'test-app', port: 80, ...spec });
  return subject('web-service-kro', KroWebApp, [
    { name: 'create', apply: apply({ ingress: { enabled: true } }), until: ready },
    { name: 'without an Ingress', apply: apply({ ingress: { enabled: false }, replicas: 2 }), until: ready },
    deletion(KroWebApp),
  ]);
}

function ephemeralVolumeClaim(): Subject {
  const kind = 'EphemeralVolumeClaim';
  const patch = (spec: object) => ({ kind, name: NAME, body: { spec } });
  const status = async ({ objects }: StepContext) => (await objects.find(kind, NAME))?.['status'] as Status | undefined;
  const claim = { name: 'work', persistentVolumeClaim: { claimName: NAME } };
  const spec = { containers: [{ name: 'main', image: 'busybox' }], volumes: [claim] };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'user' }, spec };
  const holds = (size: string) => ({ kind: 'PersistentVolumeClaim', name: NAME, holds: isOf(size) });
  return {
    ...subject('ephemeral-volume-claim', EphemeralVolumeClaim, [
      {
        name: 'create',
        apply: resource('kopf.dev/v1', kind, { size: '1Gi', expiryPeriod: 3600, gracePeriod: 3600 }),
        until: holds('1Gi'),
      },
      { name: 'bind', do: (context) => bind(context, NAME), until: BOUND(NAME) },
      { name: 'grow', patch: patch({ size: '2Gi' }), until: holds('2Gi') },
      { name: 'use', apply: pod, until: async (context) => (await status(context))?.used === true },
      {
        name: 'end the use',
        delete: { kind: 'Pod', name: 'user' },
        until: async (context) => (await status(context))?.unusedSince !== undefined,
      },
      { name: 'let it go', patch: patch({ gracePeriod: 0 }), until: { kind, name: NAME, gone: true } },
    ]),
    crds: [EphemeralVolumeClaim.crd(), STANDARD],
  };
}

interface Status {
  readonly used?: boolean;
  readonly unusedSince?: string;
}

interface Claim {
  readonly spec: { readonly resources: { readonly requests: { readonly storage: string } } };
}

const isOf =
  (size: string) =>
  (claim: object): boolean =>
    (claim as Claim).spec.resources.requests.storage === size;

function cronJob(): Subject {
  const kind = 'CronJob';
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };
  const jobTemplate = { spec: { backoffLimit: 0, template } };
  const spec = { schedule: '0 0 1 1 *', suspend: true, jobTemplate };
  const jobs = ({ objects }: StepContext) => objects.list('Job');
  const isComplete = (job: object) => JSON.stringify(job).includes('"type":"Complete"');
  const idle = async ({ objects }: StepContext) => {
    const { active = ['none yet'] } = ((await objects.find(CronJob.type, NAME))?.['status'] ?? {}) as {
      active?: string[];
    };
    return active.length === 0;
  };
  const scenario: readonly FaultsStep[] = [
    {
      name: 'create',
      apply: resource(`${CronJob.type.group}/v1`, kind, spec),
      until: { kind: CronJob.type, name: NAME, condition: 'Ready' },
    },
    {
      name: 'run once',
      do: ({ objects }) => objects.patch(CronJob.type, NAME, { spec: { suspend: false, schedule: nextMinute() } }),
      until: [async (context) => (await jobs(context)).some(isComplete), idle],
    },
    {
      name: 'keep none',
      patch: { kind: CronJob.type, name: NAME, body: { spec: { successfulJobsHistoryLimit: 0 } } },
      until: async (context) => (await jobs(context)).length === 0,
    },
    { name: 'delete', delete: { kind: CronJob.type, name: NAME } },
  ];
  // Its schedule is a minute of the run, and the name of the Job that minute.
  const ignore = ['CronJob*.spec.schedule', 'Job/*.metadata.name', 'Job/*.spec.template.metadata.labels'];
  return { ...subject('cronjob', CronJob, scenario), ignore };
}

/** A schedule of one minute of the year: the next one that isn't too near. */
function nextMinute(): string {
  const at = new Date((Math.floor((Date.now() + NEAR_MS) / MINUTE_MS) + 1) * MINUTE_MS);
  return `${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} *`;
}

/** The examples, by the names of their files. */
export const SUBJECTS: Readonly<Record<string, () => Subject>> = {
  'web-service': webService,
  'web-app': webApp,
  'web-service-kro': kroWebApp,
  'ephemeral-volume-claim': ephemeralVolumeClaim,
  cronjob: cronJob,
};
