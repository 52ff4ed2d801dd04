/** Labels as a map of plain text. */
export type Labels = Readonly<Record<string, string>>;

/** Who a pod or an object belongs to. */
export interface Identity {
  /** The kind, as `app.kubernetes.io/name` has it: `model-serving`. */
  readonly kind: string;
  /** The name of the resource. */
  readonly name: string;
  /** The part that it plays in its workload: `server`, `fetcher`. */
  readonly component: string;
}

/** What selects the pods of one component: what can never change, and nothing else. */
export const selectorLabels = ({ kind, name, component }: Identity): Labels => ({
  ...workloadSelector({ kind, name }),
  'app.kubernetes.io/component': component,
});

/** What selects the pods of all components of a workload. */
export const workloadSelector = ({ kind, name }: Pick<Identity, 'kind' | 'name'>): Labels => ({
  'app.kubernetes.io/name': kind,
  'app.kubernetes.io/instance': name,
});

/** The labels of every object and pod. */
export const labelsOf = (identity: Identity): Labels => ({
  ...selectorLabels(identity),
  'app.kubernetes.io/part-of': 'trunnion',
});

/** A selector as text, as `kubectl -l` and the scale subresource take it. */
export const selectorText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
