/**
 * What Pulumi's Kubernetes provider waits for, read in its own source: pulumi/pulumi-kubernetes at 94977969 (after
 * v4.32.0), below `provider/pkg`. Each rule names its file. What is left out: that a Service has 10 seconds to settle
 * (await/service.go), since our tests would only take longer.
 */
import { conditionIn } from './conditions.ts';
import { finds } from './json-path.ts';
import { isObject, type Properties } from './wire.ts';

/** How an object stands: it is waited for, it is ready, or no longer waited for, with what is wrong. */
export type Health = 'waits' | 'ready' | { readonly failure: string };

/** What decides beside the object itself. */
export interface Surroundings {
  /** Whether the object was there before it was written. */
  readonly updated: boolean;
  /** The phases of the claims of a Deployment's pods, by their names. */
  readonly claims: Readonly<Record<string, string>>;
  /** How the class of a claim binds it. */
  readonly bindingMode?: string;
  /** The addresses behind a Service, and whether each is ready; undefined where there is no list of them yet. */
  readonly endpoints?: readonly boolean[];
}

/** metadata/annotations.go */
export const annotationOf = (object: unknown, name: string): string | undefined => {
  const annotations = at(object, 'metadata', 'annotations');
  const value = isObject(annotations) ? annotations[`pulumi.com/${name}`] : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** metadata/overrides.go, TimeoutDuration; await/await.go has 10 minutes where neither is given. */
export const timeoutOf = (object: unknown, custom: number): number =>
  custom || Number(annotationOf(object, 'timeoutSeconds') ?? 600);

/** metadata/overrides.go, DeletionPropagation */
export function propagationOf(object: unknown): 'Orphan' | 'Background' | 'Foreground' {
  const policy = annotationOf(object, 'deletionPropagationPolicy')?.toLowerCase();
  if (policy === 'orphan') return 'Orphan';
  return policy === 'background' ? 'Background' : 'Foreground';
}

/** metadata/overrides.go, ReadyCondition: skipAwait and waitFor take the place of the provider's own rules. */
export function healthOf(object: Properties, around: Surroundings): Health {
  if (annotationOf(object, 'skipAwait') === 'true') return 'ready';
  const waitFor = annotationOf(object, 'waitFor');
  if (waitFor !== undefined) return waitFor.startsWith('condition=') ? custom(object, waitFor) : path(object, waitFor);
  // await/awaiters.go: a map by kind; a custom resource is in none of its lines, so nothing waits for it.
  return RULES[String(object['kind'])]?.(object, around) ?? 'ready';
}

/** What the provider says of what it waited for without success: the sub-errors of await/error.go. */
export function complaintOf(object: Properties): string {
  if (object['kind'] === 'Ingress' && annotationOf(object, 'waitFor') === undefined)
    return 'Ingress .status.loadBalancer field was not updated with a hostname/IP address.';
  return 'timed out waiting to be Ready';
}

/** await/condition/custom.go and kubectl.go: nothing of an older generation counts. */
function custom(object: Properties, expression: string): Health {
  const [type = '', status = 'True'] = expression.replace('condition=', '').split('=');
  return isCurrent(object) && conditionIn(object, type)?.status === status ? 'ready' : 'waits';
}

/** await/condition/jsonpath.go */
const path = (object: Properties, expression: string): Health =>
  isCurrent(object) && finds(expression, object) ? 'ready' : 'waits';

/** await/checker/job/check.go: of all reasons, these two are failures. */
function job(object: Properties): Health {
  const failed = conditionIn(object, 'Failed');
  if (failed?.status === 'True' && /^(BackoffLimitExceeded|DeadlineExceeded)$/.test(failed.reason ?? ''))
    return { failure: `[${failed.reason}] ${failed.message}` };
  return isJobReady(object) ? 'ready' : 'waits';
}

/** await/checker/job/check.go; provider/provider.go, Diff, has a Job created again that is not, with `replaceUnready`. */
export const isJobReady = (object: unknown): boolean =>
  at(object, 'status', 'startTime') !== undefined && conditionIn(object, 'Complete')?.status === 'True';

/** await/ingress.go: an address in its status, and a list of endpoints for each of its Services. */
const ingress = (object: Properties): Health => {
  const addresses = at(object, 'status', 'loadBalancer', 'ingress');
  return Array.isArray(addresses) && addresses.length > 0 ? 'ready' : 'waits';
};

/** await/awaiters.go, untilCoreV1PersistentVolumeClaimReady: a new claim that waits for its consumer must be Pending. */
function claim(object: Properties, { updated, bindingMode }: Surroundings): Health {
  const phase = at(object, 'status', 'phase');
  if (updated && phase === 'Bound') return 'ready';
  return phase === (bindingMode === 'WaitForFirstConsumer' ? 'Pending' : 'Bound') ? 'ready' : 'waits';
}

/** await/service.go: no address may be unready; none at all is none that is. A headless one is ready at once. */
function service(object: Properties, { endpoints }: Surroundings): Health {
  const selector = at(object, 'spec', 'selector');
  if (at(object, 'spec', 'clusterIP') === 'None' || !isObject(selector)) return 'ready';
  return endpoints?.every(Boolean) === true ? 'ready' : 'waits';
}

/** await/deployment.go: seen by its controller, available, the new ReplicaSet rolled out, and every claim bound. */
function deployment(object: Properties, { claims }: Surroundings): Health {
  const [status, wanted] = [at(object, 'status'), Number(at(object, 'spec', 'replicas') ?? 1)];
  const updated = Number(at(status, 'updatedReplicas') ?? 0);
  const isRolledOut =
    isCurrent(object) &&
    conditionIn(object, 'Available')?.status === 'True' &&
    conditionIn(object, 'Progressing')?.reason === 'NewReplicaSetAvailable' &&
    updated >= wanted &&
    Number(at(status, 'readyReplicas') ?? 0) >= wanted;
  return isRolledOut && Object.values(claims).every((phase) => phase === 'Bound') ? 'ready' : 'waits';
}

function isCurrent(object: Properties): boolean {
  const [generation, seen] = [at(object, 'metadata', 'generation'), at(object, 'status', 'observedGeneration')];
  return seen === undefined || generation === undefined || Number(seen) >= Number(generation);
}

const RULES: Readonly<Record<string, (object: Properties, around: Surroundings) => Health>> = {
  Deployment: deployment,
  Ingress: ingress,
  Job: job,
  PersistentVolumeClaim: claim,
  Service: service,
};

/** What lies at a path. */
export const at = (value: unknown, ...steps: readonly string[]): unknown =>
  steps.reduce<unknown>((found, step) => (isObject(found) ? found[step] : undefined), value);
