import type { AgentServiceSpec } from '../../../constructs/agent-service/spec.ts';
import type { Ask } from '../../engine/asks.ts';
import type { Finding } from '../shared/finding.ts';
import {
  asksFor,
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
import type { View } from './view.ts';

/** Asks for every Secret and ConfigMap that matters. */
export const referenceAsks = ({ spec }: View): readonly Ask[] =>
  asksFor([...referencesIn(spec), ...(spec.imagePullSecrets ?? []).map(whole)]);

/** What is known of their content, for the status. */
export const knownReferences = ({ spec, status, snapshot }: View): KnownReferences | undefined =>
  learn(referencesIn(spec), status.references, snapshot.facts);

/** The hash for the pod template. */
export const referencesHash = ({ spec, status }: View): string | undefined =>
  changeHash(referencesIn(spec), status.references);

/** Those, or the keys, that are not there. */
export const missingReferences = ({ spec, snapshot }: View): readonly Finding[] =>
  Object.entries(byField(spec)).flatMap(([field, references]) => missing(references, snapshot.facts, field));

/** The Secrets to pull images with that are not there: no harm where the image is public. */
export const missingPullSecrets = ({ spec, snapshot }: View): readonly string[] =>
  (spec.imagePullSecrets ?? []).filter((secret) => isAbsent(whole(secret), snapshot.facts)).map(({ name }) => name);

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
