import { isGrouped } from '../../../constructs/model-serving/launch.ts';
import { takesKeda } from '../../../constructs/model-serving/scaling.ts';
import type { Query } from '../../engine/api/index.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import * as shared from '../shared/trouble.ts';
import type { Observed } from './observed.ts';

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
  'groups',
  'worker-network-policy',
  'service',
]);

/** What nothing serves without, and takes more than Kubernetes. */
const essentialTo = ({ spec, status }: Observed): readonly shared.Extension[] =>
  [spec, status.served?.spec ?? spec].some(isGrouped) ? [shared.LEADER_WORKER_SET] : [];

/** What else of the spec takes more than Kubernetes. */
export const neededBy = ({ spec }: Observed): readonly shared.Extension[] => [
  ...(spec.autoscaling && takesKeda(spec.autoscaling) ? [shared.KEDA] : []),
  ...(spec.expose?.gateway ? [shared.GATEWAY_API] : []),
  ...shared.neededByEgress(spec),
];

/** Asks whether the cluster has what the spec needs. */
export const extensionQueries = (observed: Observed): readonly Query[] =>
  shared.extensionQueries([...essentialTo(observed), ...neededBy(observed)]);

/** What the service runs without, though it was asked for. */
export const missingExtensions = (observed: Observed): readonly Diagnosis[] =>
  shared.missingExtensions(observed.snapshot, neededBy(observed));

/** What keeps a child from being made that nothing serves without. */
export function essentialFailures(observed: Observed): readonly Diagnosis[] {
  const { snapshot } = observed;
  const needed = essentialTo(observed);
  return [...shared.missingExtensions(snapshot, needed), ...shared.essentialFailures(snapshot, ESSENTIAL, needed)];
}

/** What keeps another child from being made. */
export const otherFailures = (observed: Observed): readonly Diagnosis[] =>
  shared.otherFailures(observed.snapshot, ESSENTIAL, neededBy(observed));
