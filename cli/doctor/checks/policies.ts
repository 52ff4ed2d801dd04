import { TRUNNION } from '../../../operator/trunnion.ts';
import { staysFor } from '../../../operator/engine/observe/index.ts';
import { wordsFor } from '../../handover/objects.ts';
import type { Check, Observed } from '../types.ts';
import { checkOperator } from './operator.ts';

/** Policies that are being deleted and wait for the operator, which lets them go once their pods have stopped. */
export function checkPolicies(observed: Observed): readonly Check[] {
  const about = 'Policies';
  const { policies, namespace } = observed;
  if (!policies.known)
    return [{ about, verdict: 'warn', found: 'Policies of pods can not be looked at', advice: policies.because }];
  const leaving = policies.value.filter((object) => staysFor(object, TRUNNION) !== undefined);
  if (leaving.length === 0) return [];
  const names = leaving.map(wordsFor).join(', ');
  const found = `being deleted in ${namespace}, and enforced until their pods have stopped: ${names}`;
  const isAway = checkOperator(observed).some(({ verdict }) => verdict === 'fail');
  if (!isAway) return [{ about, verdict: 'ok', found }];
  const advice = `No operator is running, so nobody lets them go, and ${namespace} can't be deleted. Bring the operator back; or take it away for good with trunnion uninstall, which lets go of those whose pods have stopped.`;
  return [{ about, verdict: 'warn', found, advice }];
}
