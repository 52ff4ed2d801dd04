/** What Pulumi's provider waits for, told by annotations that it reads. */
import * as pulumi from '@pulumi/pulumi';
import { EXIT } from '../../constructs/parts/weights/index.ts';
import type { MergedManifest } from './rendering.ts';

/** What the custom resource says of itself once it is what Pulumi waits for. */
export type Awaited = 'Accepted' | 'Ready' | 'Complete';

/**
 * The end of a Job, a good one or a bad one. By itself the provider takes only BackoffLimitExceeded and DeadlineExceeded
 * for a failure, and would wait for a Job that failed by its pod failure policy until its patience ends.
 */
const JOB_ENDED = '?@.status=="True" && (@.type=="Complete" || @.type=="Failed")';

/** Where no waiting helps any more, or all is well. A condition that is neither is still under way. */
const DECIDED: Readonly<Record<Awaited, string>> = {
  Accepted: '?@.type=="Accepted" && (@.status=="True" || @.status=="False")',
  Ready:
    '?(@.type=="Ready" && @.status=="True") || ((@.type=="Accepted" || @.type=="Progressing") && @.status=="False")',
  Complete: `${JOB_ENDED} || (@.type=="Accepted" && @.status=="False")`,
};

const until = (filter: string): Readonly<Record<string, string>> => ({
  'pulumi.com/waitFor': `jsonpath={.status.conditions[${filter}].type}`,
});

/** Has Pulumi wait until a custom resource is as awaited, or says that it won't be. */
export const waitingFor = (awaited: Awaited): Readonly<Record<string, string>> => until(DECIDED[awaited]);

/** How Pulumi waits for one object of a workload. */
export interface Waiting {
  readonly annotations: Readonly<Record<string, string>>;
  /** Whether the state of a Job tells, once Pulumi has waited, that it failed. */
  readonly ends: boolean;
}

/** What is ready, for Pulumi, only once pods are: a Service has endpoints, an Ingress leads to one. */
const WAITS_FOR_PODS = new Set(['Deployment', 'Ingress', 'Service']);

/** What decides how Pulumi waits for an object. */
export interface WaitingOptions {
  /** Whether the workload has pods to wait for, or an end. */
  readonly waits: boolean;
  /** Whether it is a Job that does not end by itself. */
  readonly endless: boolean;
  /** Whether it is a Job that may be stopped at any time, since it continues where it was: a fetch. */
  readonly resumes: boolean;
  /** Whether it stays when the program no longer has it. */
  readonly retained: boolean;
}

/**
 * How Pulumi waits for an object.
 *
 * - A Job is waited for until it ends. One that has not completed is created again by the next `up`; so is a fetch that nobody
 *   waits for, or one that failed would never come back.
 * - Not waited for is what has no pods, and a Job that does not end.
 * - A claim that is retained may be bound already, and the provider waits without success for one that waits for its first
 *   consumer to be Pending; the Deployment waits for it anyway. Who wrote its fields before is not asked: its name has a
 *   hash of what is on it.
 */
export function waitingOf({ kind }: MergedManifest, { waits, endless, resumes, retained }: WaitingOptions): Waiting {
  if (kind === 'PersistentVolumeClaim' && retained)
    return { annotations: { ...SKIPPED, 'pulumi.com/patchForce': 'true' }, ends: false };
  const isAwaited = waits && !endless;
  if (kind === 'Job') {
    const again = isAwaited || resumes ? { 'pulumi.com/replaceUnready': 'true' } : {};
    return { annotations: { ...(isAwaited ? until(JOB_ENDED) : SKIPPED), ...again }, ends: isAwaited };
  }
  return { annotations: WAITS_FOR_PODS.has(kind) && !isAwaited ? SKIPPED : {}, ends: false };
}

const SKIPPED = { 'pulumi.com/skipAwait': 'true' };

/** The status of a Job or of a custom resource, as the provider gave it. */
type Status = Readonly<Record<string, unknown>> | undefined;

/** What went wrong with a Job: undefined where nothing did, or it is not over. */
export function jobFailure(name: string, namespace: string, status: Status): string | undefined {
  const failed = conditionOf(status, 'Failed');
  if (failed?.status !== 'True') return undefined;
  return `Job ${namespace}/${name} failed: ${wordsOf(failed)}${meaningOf(failed)} Its log says more: kubectl logs -n ${namespace} job/${name}. Once the cause is fixed, the next pulumi up runs it again`;
}

/**
 * A Job that Pulumi has waited for, once it is known that it did not fail.
 *
 * @throws pulumi.ResourceError with its cause, later: so whatever waits for it is not made
 */
export function completed(job: pulumi.CustomResource): pulumi.Output<pulumi.Resource> {
  const { metadata, status } = job as pulumi.CustomResource & {
    readonly metadata: pulumi.Output<{ readonly name: string; readonly namespace: string }>;
    readonly status: pulumi.Output<Status>;
  };
  return pulumi.unsecret(pulumi.all([metadata, status])).apply(([{ name, namespace }, seen]) => {
    const failure = jobFailure(name, namespace, seen);
    if (failure !== undefined) throw new pulumi.ResourceError(failure, job, true);
    return job;
  });
}

/** A custom resource of ours whose status is judged. */
interface Judged {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly awaited: Awaited;
  /**
   * The generation of the spec.
   *
   * @default - nobody knows: the status is taken as one of this spec
   */
  readonly generation?: number | undefined;
}

/** What went wrong with a custom resource of ours: undefined where nothing did, or the operator has not decided. */
export function resourceFailure(
  { kind, name, namespace, awaited, generation }: Judged,
  status: Status,
): string | undefined {
  if (isOfAnEarlierSpec(status, generation)) return undefined;
  const verdict = (type: string, bad: string) => {
    const condition = conditionOf(status, type);
    return condition?.status === bad ? condition : undefined;
  };
  const stuck = {
    Accepted: () => undefined,
    Ready: () => (verdict('Ready', 'True') ? undefined : verdict('Progressing', 'False')),
    Complete: () => verdict('Failed', 'True'),
  }[awaited]();
  const cause = verdict('Accepted', 'False') ?? stuck;
  if (cause === undefined) return undefined;
  return `${kind} ${namespace}/${name}: ${wordsOf(cause)} trunnion status -n ${namespace} ${name} says more. Correct the spec; or, where the cause lies elsewhere and is fixed, run pulumi up --refresh, since Pulumi remembers what it saw last`;
}

/** Whether the operator has not yet seen the spec as it is: what it says is of the one before. */
function isOfAnEarlierSpec(status: Status, generation: number | undefined): boolean {
  const seen = status?.['observedGeneration'];
  return typeof seen === 'number' && generation !== undefined && seen < generation;
}

/** What the exit codes of the fetcher mean, which the Job tells as numbers. */
const FETCH_FAILURES: Readonly<Record<number, string>> = {
  [EXIT.usage]: "spec.model.uri, or another setting of the fetch, can't be used.",
  [EXIT.corrupt]: 'What was fetched does not match the checksums of its host.',
  [EXIT.notFound]: 'There is nothing at spec.model.uri.',
  [EXIT.unauthorized]: 'The host wants credentials, or others: see spec.model.credentials.',
  [EXIT.noSpace]: 'The volume is too small: see spec.storage.size.',
  [EXIT.unsafe]: "The files can't be laid out safely.",
};

function meaningOf({ message = '' }: ConditionLike): string {
  const [, code] = /^Container fetch .*failed with exit code (\d+)/.exec(message) ?? [];
  const meaning = FETCH_FAILURES[Number(code)];
  return meaning === undefined ? '' : ` ${meaning}`;
}

const wordsOf = ({ reason = 'Unknown', message = '' }: ConditionLike): string =>
  message === '' ? `${reason}.` : `${reason}: ${/[.!?]$/.test(message) ? message : `${message}.`}`;

/** A condition of a status, as far as it is told. */
export interface ConditionLike {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The condition of a type in a status that an API server gave; undefined where there is none. */
export function conditionOf(
  status: Readonly<Record<string, unknown>> | undefined,
  type: string,
): ConditionLike | undefined {
  const conditions: unknown = status?.['conditions'];
  if (!Array.isArray(conditions)) return undefined;
  return (conditions as readonly ConditionLike[]).find((condition) => condition.type === type);
}
