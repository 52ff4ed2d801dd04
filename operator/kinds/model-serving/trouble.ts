import type { Problem } from '../../engine/kind.ts';
import type { Ask, ResourceType } from '../../engine/kind.ts';
import { because } from '../shared/finding.ts';
import type { Finding } from '../shared/finding.ts';
import type { View } from './view.ts';

export const SCALED_OBJECT: ResourceType = {
  group: 'keda.sh',
  version: 'v1alpha1',
  kind: 'ScaledObject',
  plural: 'scaledobjects',
};

export const HTTP_ROUTE: ResourceType = {
  group: 'gateway.networking.k8s.io',
  version: 'v1',
  kind: 'HTTPRoute',
  plural: 'httproutes',
};

/** What a cluster may not have, and a spec may need. */
const EXTENSIONS = [
  {
    child: 'autoscaler',
    type: SCALED_OBJECT,
    needed: ({ spec }: View) => spec.autoscaling?.prometheus !== undefined,
    finding: {
      reason: 'KedaNotInstalled',
      message:
        'KEDA is not installed, so nothing scales; the service runs with the replicas that it has. Install KEDA, or use the target cpuPercent alone.',
      stuck: true,
    },
  },
  {
    child: 'route',
    type: HTTP_ROUTE,
    needed: ({ spec }: View) => spec.expose?.gateway !== undefined,
    finding: {
      reason: 'GatewayApiNotInstalled',
      message:
        'The Gateway API is not installed, so there is no route; the service answers inside the cluster. Install its CRDs, or use expose.ingress.',
      stuck: true,
    },
  },
] as const;

/** Children without which nothing serves; the service runs without the others. */
const ESSENTIAL: ReadonlySet<string> = new Set([
  'service-account',
  'fetcher-script',
  'weights',
  'fetch',
  'deployment',
  'service',
]);

const ADVICE: Readonly<Record<string, string>> = {
  NameTaken: 'Rename one of them, or delete the object that is in the way.',
  Forbidden: 'Give the operator the right, or change the spec so that it is not needed.',
  Invalid: 'Correct the spec.',
  QuotaExceeded: 'Raise the quota of the namespace or ask for less.',
  NotServed: 'Install what serves it.',
};

/** Asks whether the cluster has what the spec needs. */
export const extensionAsks = (view: View): readonly Ask[] =>
  EXTENSIONS.filter(({ needed }) => needed(view)).map(({ type }) => ({
    id: askId(type),
    type: 'served',
    resource: type,
    everySeconds: 60,
  }));

/** What the service runs without, though it was asked for. */
export function missingExtensions(view: View): readonly Finding[] {
  const { facts, problems } = view.snapshot;
  return EXTENSIONS.filter(({ child, type, needed }) => {
    const fact = facts[askId(type)];
    const isServed = fact?.type === 'served' ? fact.served : !problems.some((each) => isNotServed(each, child));
    return needed(view) && !isServed;
  }).map(({ finding }) => finding);
}

/** What keeps a child from being made that nothing serves without. */
export const essentialProblems = (view: View): readonly Finding[] =>
  view.snapshot.problems.filter(({ child }) => child === undefined || ESSENTIAL.has(child)).map(findingOf);

/** What keeps another child from being made. */
export const otherProblems = (view: View): readonly Finding[] =>
  view.snapshot.problems
    .filter(({ child }) => child !== undefined && !ESSENTIAL.has(child))
    .filter((problem) => !EXTENSIONS.some(({ child, needed }) => needed(view) && isNotServed(problem, child)))
    .map(findingOf);

const isNotServed = ({ child, reason }: Problem, id: string): boolean => child === id && reason === 'NotServed';

/** An error of the API server passes by itself, and is tried again. */
const findingOf = ({ child, reason, message }: Problem): Finding => ({
  reason,
  message: `${child === undefined ? 'The children' : `The ${child}`} could not be brought up to date${because(message)}. ${ADVICE[reason] ?? 'It is tried again.'}`,
  stuck: reason !== 'ApiError',
});

const askId = ({ kind }: ResourceType): string => `served/${kind}`;
