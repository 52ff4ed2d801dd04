import type { V1ResourceQuota } from '@kubernetes/client-node';
import { compareQuantities, parseQuantity } from '../../../constructs/parts/values/index.ts';
import type { CommonStatus } from '../../../operator/engine/api/index.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';
import { primaryCondition } from '../../status/primary-condition.ts';
import type { Check, Observed } from '../types.ts';

/** Whether the namespace has room. */
export function checkQuotas({ quotas, namespace }: Observed): readonly Check[] {
  const about = 'Quota';
  if (!quotas.known) return [{ about, verdict: 'warn', found: 'can not be looked at', advice: quotas.because }];
  if (quotas.value.length === 0) return [{ about, verdict: 'ok', found: `${namespace} has none` }];
  return quotas.value.map((quota): Check => {
    const { name } = quota.metadata;
    const full = usedUp(quota);
    if (full.length === 0) return { about, verdict: 'ok', found: `${name} has room` };
    const advice = 'What asks for more is not made. Raise the quota, or stop what is not needed.';
    return { about, verdict: 'warn', found: `${name} is used up: ${full.join(', ')}`, advice };
  });
}

/** What of a quota is used up: `requests.nvidia.com/gpu (8 of 8)`. */
function usedUp(quota: KubeObject): readonly string[] {
  const { status } = quota as KubeObject & Pick<V1ResourceQuota, 'status'>;
  return Object.entries(status?.hard ?? {}).flatMap(([resource, hard]) => {
    const used = status?.used?.[resource] ?? '0';
    const [most, now] = [parseQuantity(hard), parseQuantity(used)];
    return most && now && compareQuantities(now, most) >= 0 ? [`${resource} (${used} of ${hard})`] : [];
  });
}

/** How many resources in trouble are told one by one. */
const MOST_REPORTED = 5;

/** The phases of what waiting alone does not fix: an AgentService says Error. */
const FAILED: ReadonlySet<string> = new Set(['Failed', 'Error']);

/** Whether the resources of the namespace are well. */
export function checkResources({ resources, namespace }: Observed): readonly Check[] {
  const about = 'Resources';
  if (!resources.known) return [{ about, verdict: 'warn', found: 'can not be looked at', advice: resources.because }];
  const failed = resources.value.filter((resource) => FAILED.has(statusOf(resource).phase ?? ''));
  const unready = resources.value.filter((resource) => !failed.includes(resource) && isUnready(statusOf(resource)));
  const counts = [
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(unready.length > 0 ? [`${unready.length} not ready`] : []),
  ];
  const unwell = [...failed, ...unready];
  const names = unwell.slice(0, MOST_REPORTED).map((resource) => {
    const reason = primaryCondition(statusOf(resource).conditions ?? [])?.reason;
    return `${resource.kind.toLowerCase()}/${resource.metadata.name}${reason === undefined ? '' : ` (${reason})`}`;
  });
  const more = unwell.length > MOST_REPORTED ? ', …' : '';
  const advice = [
    ...(unwell.length > 0 ? [`trunnion status tells why of each: ${names.join(', ')}${more}.`] : []),
    ...(resources.lacking === undefined ? [] : [resources.lacking]),
  ];
  const found = [`${resources.value.length} in ${namespace}`, ...(counts.length > 0 ? [counts.join(', ')] : [])].join(
    ': ',
  );
  return [
    advice.length === 0 ? { about, verdict: 'ok', found } : { about, verdict: 'warn', found, advice: advice.join(' ') },
  ];
}

/** Whether a resource says of itself that it is not as was asked for; a training has no such condition. */
const isUnready = ({ conditions = [] }: CommonStatus): boolean =>
  conditions.some(({ type, status }) => type === 'Ready' && status !== 'True');

const statusOf = ({ status = {} }: KubeObject & { readonly status?: CommonStatus }): CommonStatus => status;

/** Whether the caller may use Trunnion in the namespace. */
export function checkRights({ rights, namespace }: Observed): readonly Check[] {
  const about = 'Your rights';
  if (!rights.known) return [{ about, verdict: 'warn', found: 'can not be looked at', advice: rights.because }];
  const missing = rights.value.filter(({ allowed }) => !allowed).map(({ words }) => words);
  if (missing.length === 0) return [{ about, verdict: 'ok', found: `you may use all of it in ${namespace}` }];
  const advice =
    'Commands say what they do not show for lack of it. Ask who runs the cluster for a role with these: the ClusterRole edit has them.';
  return [{ about, verdict: 'warn', found: `in ${namespace} you may not ${missing.join(', ')}`, advice }];
}
