import { TRUNNION } from '../../../operator/trunnion.ts';
import type { V1Deployment } from '@kubernetes/client-node';
import { largest } from '../../../constructs/parts/values/index.ts';
import { GROUP } from '../../../constructs/schema/kind.ts';
import { groupOf, pauseOf, type CommonStatus } from '../../../operator/engine/api/index.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';
import { OPERATOR_NAME } from '../../../operator/rbac.ts';
import { span } from '../../layout.ts';
import { leaseStateOf, secondsAway } from '../../leader/lease.ts';
import type { Check, Observed } from '../types.ts';

const about = 'Operator';

/** Whether an operator is at work: by its Deployment, by the Lease, and by what it should have done. */
export function checkOperator(observed: Observed): readonly Check[] {
  return [...checkDeployment(observed), ...checkLease(observed), ...checkWork(observed)];
}

function checkDeployment({ deployment, operatorNamespace, lease, resources }: Observed): readonly Check[] {
  if (!deployment.known)
    return [{ about, verdict: 'warn', found: 'it can not be looked at', advice: deployment.because }];
  if (deployment.value === undefined) {
    // One that was started by hand may hold the Lease, or none: then it is known by what it has done.
    const isElsewhere =
      (lease.known && lease.value !== undefined) ||
      (resources.known &&
        resources.value.some(isOurs) &&
        resources.value.filter(isOurs).every((one) => !isUnseen(one)));
    const advice = 'Install it: trunnion install. If it is elsewhere, say where with --operator-namespace.';
    const found = `${operatorNamespace} has no Deployment ${OPERATOR_NAME}`;
    return [{ about, verdict: isElsewhere ? 'warn' : 'fail', found, advice }];
  }
  const { spec, status } = deployment.value as KubeObject & Pick<V1Deployment, 'spec' | 'status'>;
  const [ready, wanted] = [status?.readyReplicas ?? 0, spec?.replicas ?? 1];
  const found = `${ready} of ${wanted} pods are ready`;
  const podsAdvice = `kubectl -n ${operatorNamespace} describe pods tells why.`;
  if (ready === 0) {
    const advice = `Nothing happens to resources meanwhile; what runs, runs on. ${podsAdvice}`;
    return [{ about, verdict: 'fail', found, advice }];
  }
  return [ready < wanted ? { about, verdict: 'warn', found, advice: podsAdvice } : { about, verdict: 'ok', found }];
}

function checkLease({ lease, now }: Observed): readonly Check[] {
  if (!lease.known || lease.value === undefined) return [];
  const state = leaseStateOf(lease.value, now);
  const isAway = secondsAway(state) !== undefined;
  const advice = 'No operator is running. Check its pods, and the clock of this machine.';
  switch (state.is) {
    case 'held':
      return [{ about, verdict: 'ok', found: `${state.by} leads` }];
    case 'stale':
      return [
        {
          about,
          verdict: 'fail',
          found: `${state.by} held its Lease, and has not renewed it for ${span(state.seconds)}`,
          advice,
        },
      ];
    case 'free':
      return isAway
        ? [{ about, verdict: 'fail', found: `nobody has held its Lease for ${span(state.seconds)}`, advice }]
        : [
            {
              about,
              verdict: 'warn',
              found: 'nobody holds its Lease',
              advice: 'One that starts takes it within seconds.',
            },
          ];
  }
}

/** Any operator that is at work has looked at a resource by then, in milliseconds. */
const LOOKED_AT_MS = 60_000;
/** So many resources are named. */
const MOST_NAMED = 5;

/** Whether resources have been looked at since they changed: an operator may run, and not be able to do anything. */
function checkWork({ resources, operatorNamespace, now }: Observed): readonly Check[] {
  if (!resources.known) return [];
  const waiting = resources.value.filter(
    (resource) => isOurs(resource) && isUnseen(resource) && now - changedAt(resource) > LOOKED_AT_MS,
  );
  const [first, ...others] = waiting.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`);
  if (first === undefined) return [];
  const names = [first, ...others.slice(0, MOST_NAMED - 1), ...(waiting.length > MOST_NAMED ? ['…'] : [])].join(', ');
  const longest = span(largest(waiting.map((one) => (now - changedAt(one)) / 1000)));
  return [
    {
      about,
      verdict: 'fail',
      found: `${names}: nobody has looked at ${waiting.length === 1 ? 'it' : 'them'} since the last change, up to ${longest} ago`,
      advice: `Where an operator runs, its log says what keeps it from that, such as rights: kubectl -n ${operatorNamespace} logs deploy/${OPERATOR_NAME}`,
    },
  ];
}

const isOurs = ({ apiVersion }: KubeObject): boolean => groupOf(apiVersion) === GROUP;

/** Whether the operator has not seen a resource as it is now; one that is paused it does not look at. */
function isUnseen(resource: KubeObject & { readonly status?: CommonStatus }): boolean {
  const { metadata, status } = resource;
  return (
    pauseOf({ metadata }, TRUNNION) === undefined && (status?.observedGeneration ?? 0) < (metadata.generation ?? 0)
  );
}

/** When somebody last wrote the resource, but for its status, in milliseconds since the epoch. */
function changedAt({ metadata: { creationTimestamp, managedFields = [] } }: KubeObject): number {
  const times = managedFields
    .filter(({ subresource }) => subresource !== 'status')
    .map(({ time = '' }) => Date.parse(time));
  return largest([Date.parse(creationTimestamp), ...times.filter((time) => !Number.isNaN(time))]);
}
