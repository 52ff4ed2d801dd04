import type { Verdict } from '../../engine/conditions.ts';
import { quote } from '../shared/finding.ts';
import { conditionsIn } from '../shared/slices.ts';
import type { ChildCondition } from '../shared/slices.ts';
import { standing } from '../shared/standing.ts';
import { extensionAsks, missingExtensions } from '../shared/trouble.ts';
import type { View } from './view.ts';

type Saying = Omit<Verdict, 'type'>;

/** What an autoscaler says of itself that keeps it from scaling, the weightiest first, and the status that is bad. */
const BAD: Readonly<Record<string, readonly (readonly [type: string, bad: string])[]>> = {
  HorizontalPodAutoscaler: [
    ['AbleToScale', 'False'],
    ['ScalingActive', 'False'],
  ],
  // KEDA tells what its HorizontalPodAutoscaler says as HPAActive. Active tells the load, and changes with it.
  ScaledObject: [
    ['Ready', 'False'],
    ['Paused', 'True'],
    ['Fallback', 'True'],
    ['HPAActive', 'False'],
  ],
};

/** What says that all is well, where nothing is bad. */
const GOOD: Readonly<Record<string, string>> = { HorizontalPodAutoscaler: 'ScalingActive', ScaledObject: 'Ready' };

/** Whether the autoscaler works, in its own words; nothing where there is to be none. */
export function scalingOf(view: View): Saying | undefined {
  const { autoscaler, spec, snapshot, extensions } = view;
  if (!spec.autoscaling) return undefined;
  const absent = missingExtensions(snapshot, extensions).find(({ reason }) => reason === 'KedaNotInstalled');
  const missing = absent ?? standing(snapshot, 'ScalingActive', extensionAsks(extensions));
  if (missing) return { status: 'False', reason: missing.reason, message: missing.message };
  if (!autoscaler) return unknown('The autoscaler is about to be made.');
  const conditions = conditionsIn(autoscaler.slice);
  const held = (type: string, status: string) => conditions.find((one) => one.type === type && one.status === status);
  for (const [type, bad] of BAD[autoscaler.kind] ?? []) {
    const condition = held(type, bad);
    if (condition) return mirrored(condition, 'False');
  }
  const good = held(GOOD[autoscaler.kind] ?? '', 'True');
  return good ? mirrored(good, 'True') : unknown('The autoscaler has not said yet whether it can scale.');
}

const unknown = (message: string): Saying => ({ status: 'Unknown', reason: 'NotReported', message });

const mirrored = ({ reason, message, type }: ChildCondition, status: 'True' | 'False'): Saying => ({
  status,
  reason: reason === '' ? type : reason,
  message: `The autoscaler says: ${quote(message)}.`,
});
