import type { Ask } from '../../engine/asks.ts';
import type { Snapshot } from '../../engine/kind.ts';
import type { ObservedChild } from '../../engine/observed.ts';
import { because } from './finding.ts';
import type { Finding } from './finding.ts';

/** What of the API server's words is about one pod among many: another try has another name. */
const ABOUT_ONE_POD = /^(?:Error creating: )?(?:pods|Pod) "[^"]*" is (?:forbidden|invalid): (?:pod rejected: )?/;

/** What to do, by what the API server says; the first that fits. */
const ADVICE: readonly { readonly says: RegExp; readonly advice: (name: string) => string }[] = [
  {
    says: /no PriorityClass with name (\S{1,253}) was found/,
    advice: (name) => `Create the PriorityClass ${name}, or correct priorityClassName.`,
  },
  {
    says: /RuntimeClass "([^"]{1,253})" not found/,
    advice: (name) => `Create the RuntimeClass ${name}, or correct runtimeClassName.`,
  },
  {
    says: /(?:serviceaccount|service account) (?:\S{1,253}\/)?"?[^"\s]{1,253}"? (?:was )?not found/i,
    advice: () => 'It is made anew, and the pods then come by themselves.',
  },
  { says: /failed calling webhook/, advice: () => 'See that this webhook runs; the pods then come by themselves.' },
  { says: /violates PodSecurity/, advice: () => 'Change the spec (security.level) or the policy.' },
];

/** Pods that the API server refuses to make, in its own words. */
export function refusedPods(words: string): Finding {
  const said = words.replace(ABOUT_ONE_POD, '');
  if (/exceeded quota/.test(said)) {
    return {
      reason: 'QuotaExceeded',
      message: `The namespace's quota leaves no room for the pods${because(said)}. Raise the quota or ask for less.`,
      stuck: true,
    };
  }
  const [advice] = ADVICE.flatMap((one) => {
    const found = one.says.exec(said);
    return found ? [one.advice(found[1] ?? '')] : [];
  });
  return {
    reason: 'PodsForbidden',
    message: `The API server refuses the pods${because(said)}. ${advice ?? 'Change the spec or the policy.'}`,
    stuck: true,
  };
}

/** How soon after a Job was made it is asked why it has no pods, in milliseconds: most have them within a second. */
export const REFUSAL_MS = 5_000;

const REFUSAL_SECONDS = 15;

/** Asks why a Job that lacks pods does not get them. */
export const refusalAsk = ({ name, uid }: Pick<ObservedChild, 'name' | 'uid'>): Ask => ({
  id: `refusal/${name}`,
  type: 'refusal',
  uid,
  everySeconds: REFUSAL_SECONDS,
});

/** Why a Job that lacks pods does not get them, where the API server has refused them. */
export function refusalOf({ facts }: Snapshot, { name }: Pick<ObservedChild, 'name'>): Finding | undefined {
  const fact = facts[`refusal/${name}`];
  return fact?.type === 'refusal' && fact.message !== undefined ? refusedPods(fact.message) : undefined;
}
