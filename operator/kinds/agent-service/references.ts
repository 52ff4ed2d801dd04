import type { AgentServiceSpec } from '../../../constructs/agent-service/spec.ts';
import type { BareCondition, Query } from '../../engine/api/index.ts';
import { carriedOver } from '../shared/carried-over.ts';
import { falseCondition, trueCondition } from '../shared/conditions.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import {
  queriesFor,
  changeHash,
  isAbsent,
  learn,
  missing,
  referencesOfTemplate,
  referencesOfVariables,
  variablesFrom,
  whole,
} from '../shared/references.ts';
import type { KnownReferences, Reference } from '../shared/references.ts';
import { extensionQueries } from '../shared/trouble.ts';
import type { Context, Model, Part } from './context.ts';
import type { Observed } from './observed.ts';

/** How soon a status that has been written is acted on: a changed Secret rolls the pods once that is recorded. */
const ACKNOWLEDGED_MS = 1000;

/** All that the spec refers to is looked up, and what the cluster must have for it. */
export function resolveReferences({ now, observed, resolvedRefs }: Context): Part {
  const references = knownReferences(observed);
  const hash = referencesHash(observed);
  const isRecorded = JSON.stringify(references) === JSON.stringify(observed.status.references);
  return {
    state: { ...(hash !== undefined && { referencesHash: hash }) },
    status: { ...(references && { references }) },
    conditions: [resolvedRefs],
    queries: [...referenceQueries(observed), ...extensionQueries(observed.extensions)],
    ...(!isRecorded && { requeueAt: now + ACKNOWLEDGED_MS }),
  };
}

/** ResolvedRefs: whether all that the spec refers to is there. */
export function resolvedRefsOf(observed: Observed, { unresolved }: Model): BareCondition {
  const absent = [...(unresolved ? [unresolved] : []), ...missingReferences(observed)];
  const [first] = absent;
  if (first) {
    const message = absent.map((each) => each.message).join(' ');
    return falseCondition('ResolvedRefs', { reason: first.reason, message });
  }
  const earlier = carriedOver(observed.snapshot, 'ResolvedRefs', referenceQueries(observed));
  if (earlier) return falseCondition('ResolvedRefs', earlier);
  return trueCondition('ResolvedRefs', { reason: 'Resolved', message: 'All that the spec refers to is there.' });
}

/** Asks for every Secret and ConfigMap that matters. */
export const referenceQueries = ({ spec }: Observed): readonly Query[] =>
  queriesFor([...referencesIn(spec), ...(spec.imagePullSecrets ?? []).map(whole)]);

/** What is known of their content, for the status. */
const knownReferences = ({ spec, status, snapshot }: Observed): KnownReferences | undefined =>
  learn(referencesIn(spec), status.references, snapshot.answers);

/** The hash for the pod template. */
const referencesHash = ({ spec, status }: Observed): string | undefined =>
  changeHash(referencesIn(spec), status.references);

/** Those, or the keys, that are not there. */
export const missingReferences = ({ spec, snapshot }: Observed): readonly Diagnosis[] =>
  Object.entries(byField(spec)).flatMap(([field, references]) => missing(references, snapshot.answers, field));

/** The Secrets to pull images with that are not there: no harm where the image is public. */
export const missingPullSecrets = ({ spec, snapshot }: Observed): readonly string[] =>
  (spec.imagePullSecrets ?? []).filter((secret) => isAbsent(whole(secret), snapshot.answers)).map(({ name }) => name);

const referencesIn = (spec: AgentServiceSpec): readonly Reference[] => Object.values(byField(spec)).flat();

/** What is read, by the field that refers to it. The Secret of the queue is read by KEDA, not by pods. */
function byField({ autoscaling, credentials = [], env, podTemplate }: AgentServiceSpec) {
  const queue = autoscaling?.queue?.credentials;
  return {
    credentials: variablesFrom(credentials.map(({ secretName, key }) => ({ name: secretName, key }))),
    env: referencesOfVariables(env),
    podTemplate: referencesOfTemplate(podTemplate),
    'autoscaling.queue.credentials': queue
      ? [{ name: queue.secretName, keys: [queue.key], required: [queue.key], rolls: false }]
      : [],
  } satisfies Record<string, readonly Reference[]>;
}
