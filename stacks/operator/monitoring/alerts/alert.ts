/** Something that a person should look at, and what to do then. */
export interface Alert {
  /** CamelCase, and unique: the anchor of its runbook. */
  readonly name: string;
  /** critical: nothing is run any more; warning: some workload suffers; info: good to know. */
  readonly severity: 'critical' | 'warning' | 'info';
  readonly expr: string;
  /**
   * How long it must hold.
   *
   * @default - it fires at once
   */
  readonly for?: string;
  /** One line, with the labels of the series. */
  readonly summary: string;
  /** What it means for those who use the cluster, with the labels of the series. */
  readonly description: string;
  /** For the runbook: what to look at and what to do, in this order. */
  readonly steps: readonly string[];
}

/** A resource, in the words of an alert. */
export const RESOURCE = '{{ $labels.kind }} {{ $labels.namespace }}/{{ $labels.name }}';

/** The command that says why a resource is as it is. */
export const DESCRIBE = '`kubectl describe KIND NAME -n NAMESPACE`: the conditions say why, and what to do.';
