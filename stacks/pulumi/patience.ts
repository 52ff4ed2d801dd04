/** How long Pulumi waits, where the caller says nothing. */
import type * as pulumi from '@pulumi/pulumi';
import { QUEUE_LABEL } from '../../constructs/distributed-training/gang.ts';
import { podTemplatesIn } from '../../constructs/parts/objects/index.ts';
import { largest } from '../../constructs/parts/values/index.ts';
import type { MergedManifest } from './rendering.ts';
import type { Awaited } from './waiting.ts';

/** Longer than most models of several hundred GiB take to be fetched, loaded and warmed up. */
const LEAST_SECONDS = 4 * 3600;

/** How long a training without a deadline is waited for: nobody knows how long it takes, and a failure ends the wait. */
const TRAINING_SECONDS = 30 * 24 * 3600;

/** What Kubernetes takes to tell that a deadline is over, and to stop the pods. */
const SLACK_SECONDS = 600;

/** Longer than an hour's drain takes. */
const LEAST_DELETION_SECONDS = 5400;

/** What an operator that runs has decided about, in seconds; nothing is fetched or started for that. */
const ACCEPTANCE_SECONDS = 600;

/** Seconds that a workload may take. */
export interface Patience {
  /** Until its pods are ready. */
  readonly start: number;
  /** Until its pods are gone, and with them what they hold: a volume stays as long as a pod drains. */
  readonly stop: number;
}

/**
 * The patience with a workload: as long as its Deployments give themselves, so that Kubernetes' own verdict comes first,
 * and as long as its pods may drain.
 */
export const patienceFor = (manifests: readonly MergedManifest[], awaited: Awaited): Patience => ({
  start:
    awaited === 'Complete'
      ? TRAINING_SECONDS
      : largest(
          manifests.flatMap(({ spec }) => secondsIn(spec, 'progressDeadlineSeconds') ?? []).map((limit) => limit + 60),
          LEAST_SECONDS,
        ),
  stop: largest(
    manifests.flatMap(gracesOf).map((seconds) => seconds + SLACK_SECONDS),
    LEAST_DELETION_SECONDS,
  ),
});

/** The timeouts of one object. Those that are left out are the provider's own: 10 minutes. */
export function timeoutsFor(manifest: MergedManifest, patience: Patience): pulumi.CustomTimeouts {
  const gone = { delete: `${patience.stop}s` };
  const seconds = {
    Job: jobSeconds(manifest, patience),
    Deployment: patience.start,
    Service: patience.start,
  }[manifest.kind];
  return seconds === undefined ? gone : { create: `${seconds}s`, update: `${seconds}s`, ...gone };
}

/** The timeouts of a custom resource: for its pods, or until the operator has seen it. */
export function timeoutsWithOperator(
  awaited: Awaited,
  manifests: readonly MergedManifest[],
  patience: Patience,
): pulumi.CustomTimeouts {
  const jobs = manifests.filter(({ kind }) => kind === 'Job').map((job) => jobSeconds(job, patience));
  const seconds = {
    Accepted: ACCEPTANCE_SECONDS,
    Ready: patience.start,
    // A search has no Job yet, and trials of unknown length.
    Complete: jobs.length === 0 ? patience.start : largest(jobs, 0),
  }[awaited];
  return { create: `${seconds}s`, update: `${seconds}s`, delete: `${patience.stop}s` };
}

/** A deadline counts from the moment in which a Job may run: how long it is queued before, nobody knows. */
function jobSeconds({ metadata, spec }: MergedManifest, { start }: Patience): number {
  const deadline = secondsIn(spec, 'activeDeadlineSeconds');
  if (deadline === undefined) return start;
  const labels = metadata['labels'] as Readonly<Record<string, unknown>> | undefined;
  return deadline + (labels?.[QUEUE_LABEL] === undefined ? SLACK_SECONDS : start);
}

function secondsIn(spec: unknown, field: string): number | undefined {
  const seconds = (spec as Readonly<Record<string, unknown>> | undefined)?.[field];
  return typeof seconds === 'number' ? seconds : undefined;
}

const gracesOf = (manifest: MergedManifest): readonly number[] =>
  podTemplatesIn({ ...manifest }).flatMap(({ spec }) => secondsIn(spec, 'terminationGracePeriodSeconds') ?? []);
