import { isObject, objectIn, type PlainObject } from '../../constructs/schema/json.ts';
import type { Manifest } from '../../constructs/workload.ts';
import { type LabelSelector, selects } from '../../operator/engine/api/index.ts';
import { objectsIn, type PodUse, podsOf, usesOf } from './pods.ts';

/** What tells an object from all others. */
export interface ObjectRef {
  readonly kind: string;
  /** Empty where the manifest names none. */
  readonly namespace: string;
  readonly name: string;
}

/** One object has to do with another, which may be in no manifest. */
export interface Relation {
  readonly from: ObjectRef;
  readonly to: ObjectRef;
  /** What the first does to the second, or what it is to it: `scales`, `runs as`. */
  readonly verb: string;
}

export const keyOf = ({ kind, namespace, name }: ObjectRef): string => `${kind}/${namespace}/${name}`;

export const refOf = ({ kind, metadata: { namespace = '', name } }: Manifest): ObjectRef => ({ kind, namespace, name });

/** Who has to do with whom, as the manifests say. Each pair is there once, by what was found first. */
export function relationsOf(manifests: readonly Manifest[]): readonly Relation[] {
  const found = manifests.flatMap((manifest) => [
    ...selections(manifest, manifests),
    ...namings(manifest),
    ...pods(manifest),
  ]);
  const pairs = new Map<string, Relation>();
  for (const relation of found) {
    const pair = `${keyOf(relation.from)} ${keyOf(relation.to)}`;
    if (!pairs.has(pair)) pairs.set(pair, relation);
  }
  return [...pairs.values()];
}

/** Of the kinds that select pods: what they do to them, and where their selector is. */
const SELECTORS: Readonly<Record<string, readonly [verb: string, selector: (spec: PlainObject) => unknown]>> = {
  // The selector of a Service is of labels alone, and an absent one selects no pod.
  Service: ['sends to', ({ selector }) => isObject(selector) && { matchLabels: selector }],
  PodDisruptionBudget: ['limits evictions of', ({ selector }) => selector],
  NetworkPolicy: ['guards', ({ podSelector }) => podSelector],
  CiliumNetworkPolicy: ['guards', ({ endpointSelector }) => endpointSelector],
};

function selections(manifest: Manifest, all: readonly Manifest[]): readonly Relation[] {
  const [verb, selectorOf] = SELECTORS[manifest.kind] ?? [];
  const selector = selectorOf?.(objectIn(manifest['spec']));
  if (verb === undefined || !isObject(selector)) return [];
  const from = refOf(manifest);
  return all.flatMap((other) => {
    const pods = podsOf(other);
    const to = refOf(other);
    if (pods === undefined || to.namespace !== from.namespace) return [];
    return selects(selector, pods.labels) || selects(withoutIndex(selector), pods.labels) ? [{ from, to, verb }] : [];
  });
}

/** A selector without the label that tells the pods of an Indexed Job apart, which its controller gives them. */
function withoutIndex({ matchLabels, ...others }: PlainObject): LabelSelector {
  const { 'batch.kubernetes.io/job-completion-index': _, ...labels } = objectIn(matchLabels);
  return { ...others, matchLabels: labels as NonNullable<LabelSelector['matchLabels']> };
}

/** Of the kinds that name other objects. */
function namings(manifest: Manifest): readonly Relation[] {
  const self = refOf(manifest);
  const { namespace } = self;
  const spec = objectIn(manifest['spec']);
  const to = (verb: string) => (kind: string, name: unknown) =>
    typeof name === 'string' ? [{ from: self, to: { kind, namespace, name }, verb }] : [];
  const from = (verb: string) => (kind: string, name: unknown) =>
    typeof name === 'string' ? [{ from: { kind, namespace, name }, to: self, verb }] : [];
  switch (manifest.kind) {
    case 'HorizontalPodAutoscaler':
    case 'ScaledObject': {
      const { kind, name } = objectIn(spec['scaleTargetRef']);
      const credentials = objectsIn(spec['triggers']).map((trigger) => objectIn(trigger['authenticationRef']));
      return [
        ...to('scales')(typeof kind === 'string' ? kind : 'Deployment', name),
        ...credentials.flatMap(({ kind: type, name: other }) =>
          from('read by')(typeof type === 'string' ? type : 'TriggerAuthentication', other),
        ),
      ];
    }
    case 'TriggerAuthentication':
      return [
        ...objectsIn(spec['secretTargetRef']).flatMap(({ name }) => from('read by')('Secret', name)),
        ...objectsIn(spec['configMapTargetRef']).flatMap(({ name }) => from('read by')('ConfigMap', name)),
      ];
    case 'Ingress': {
      const paths = objectsIn(spec['rules']).flatMap(({ http }) => objectsIn(objectIn(http)['paths']));
      const backends = [objectIn(spec['defaultBackend']), ...paths.map(({ backend }) => objectIn(backend))];
      return [
        ...backends.flatMap(({ service }) => to('routes to')('Service', objectIn(service)['name'])),
        ...objectsIn(spec['tls']).flatMap(({ secretName }) => from('read by')('Secret', secretName)),
      ];
    }
    case 'HTTPRoute':
      return [
        ...objectsIn(spec['rules'])
          .flatMap(({ backendRefs }) => objectsIn(backendRefs))
          .flatMap(({ name }) => to('routes to')('Service', name)),
        ...objectsIn(spec['parentRefs']).flatMap(({ name, namespace: other = namespace }) =>
          typeof name === 'string'
            ? [{ from: { kind: 'Gateway', namespace: String(other), name }, to: self, verb: 'routes to' }]
            : [],
        ),
      ];
    default:
      return [];
  }
}

/** How the objects that a pod uses have to do with its workload. */
function pods(manifest: Manifest): readonly Relation[] {
  const template = podsOf(manifest);
  if (template === undefined) return [];
  const self = refOf(manifest);
  return usesOf(template).map(({ kind, name, verb, writes }: PodUse) => {
    const used = { kind, namespace: self.namespace, name };
    // A Job that may write to a volume fills it: that is what others read.
    return writes && manifest.kind === 'Job'
      ? { from: self, to: used, verb: 'writes to' }
      : { from: used, to: self, verb };
  });
}
