import { takesKeda } from '../../../constructs/model-serving/scaling.ts';
import type { Ask } from '../../engine/asks.ts';
import type { Finding } from '../shared/finding.ts';
import * as shared from '../shared/trouble.ts';
import type { View } from './view.ts';

/** Children without which nothing serves; the service runs without the others. */
const ESSENTIAL: ReadonlySet<string> = new Set([
  'service-account',
  'fetcher-script',
  'network-policy',
  'fetcher-network-policy',
  'fetch-network-policy',
  'weights',
  'fetch',
  'deployment',
  'service',
]);

/** What of the spec takes more than Kubernetes. */
export const neededBy = ({ spec }: View): readonly shared.Extension[] => [
  ...(spec.autoscaling && takesKeda(spec.autoscaling) ? [shared.KEDA] : []),
  ...(spec.expose?.gateway ? [shared.GATEWAY_API] : []),
  ...shared.neededByEgress(spec),
];

/** Asks whether the cluster has what the spec needs. */
export const extensionAsks = (view: View): readonly Ask[] => shared.extensionAsks(neededBy(view));

/** What the service runs without, though it was asked for. */
export const missingExtensions = (view: View): readonly Finding[] =>
  shared.missingExtensions(view.snapshot, neededBy(view));

/** What keeps a child from being made that nothing serves without. */
export const essentialProblems = ({ snapshot }: View): readonly Finding[] =>
  shared.essentialProblems(snapshot, ESSENTIAL);

/** What keeps another child from being made. */
export const otherProblems = (view: View): readonly Finding[] =>
  shared.otherProblems(view.snapshot, ESSENTIAL, neededBy(view));
