import type { BareCondition } from '../../engine/api/index.ts';

/** Why a condition is as it is. */
export type Why = Pick<BareCondition, 'reason' | 'message'>;

export const trueCondition = (type: string, { reason, message }: Why): BareCondition => ({
  type,
  status: 'True',
  reason,
  message,
});

export const falseCondition = (type: string, { reason, message }: Why): BareCondition => ({
  type,
  status: 'False',
  reason,
  message,
});

/** What is said of any spec that can work; one that can't is refused when it is rendered. */
export const ACCEPTED = trueCondition('Accepted', { reason: 'Accepted', message: 'The spec is valid.' });

/** The step that says so. */
export const acceptSpec = (): { readonly conditions: readonly BareCondition[] } => ({ conditions: [ACCEPTED] });
