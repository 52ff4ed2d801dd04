import type { AgentServiceStatus } from '../../../constructs/agent-service/status.ts';
import type { BareCondition } from '../../engine/api/index.ts';

export type Phase = NonNullable<AgentServiceStatus['phase']>;

/** The phases that are under way, by what Progressing says. */
const UNDER_WAY: Readonly<Record<string, Phase>> = { Scaling: 'Scaling', RollingOut: 'Updating' };

/** The phase: one word for people, which holds nothing that the conditions don't. */
export function phaseOf(conditions: readonly BareCondition[]): Phase {
  const of = (type: string) => conditions.find((condition) => condition.type === type);
  const progressing = of('Progressing');
  const isUp = of('Available')?.status === 'True';
  if (of('Accepted')?.status === 'False') return 'Error';
  if (progressing?.status === 'False') return isUp ? 'Updating' : 'Error';
  if (progressing?.reason !== 'Complete')
    return UNDER_WAY[progressing?.reason ?? ''] ?? (isUp ? 'Updating' : 'Pending');
  return of('Available')?.reason === 'ScaledToZero' ? 'Stopped' : 'Running';
}
