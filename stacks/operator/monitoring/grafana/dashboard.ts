/** A query of a panel, to Prometheus. */
export interface Query {
  readonly expr: string;
  /** How a series is called: `{{controller}}`. */
  readonly legend?: string;
}

/** Grafana's name of a unit: `s`, `bytes`, `percentunit`, `reqps`, `ops`, `short`. */
export type Unit = 'Bps' | 'bytes' | 'ops' | 'percentunit' | 'reqps' | 's' | 'short';

interface PanelBase {
  readonly title: string;
  /** What it shows, and what to make of it: the panel's help. */
  readonly description: string;
  readonly queries: readonly Query[];
  /** @default 'short' */
  readonly unit?: Unit;
  /**
   * Columns that it takes of 24.
   *
   * @default 8, a table 24
   */
  readonly width?: number;
  /** What is shown where there is no series, of those that need not have any. */
  readonly none?: string;
}

/** Lines over time. */
export interface TimeSeries extends PanelBase {
  readonly type: 'timeseries';
  /** Whether the series are piled up. */
  readonly stacked?: boolean;
}

/** One number, or a bar, a series. */
export interface Numbers extends PanelBase {
  readonly type: 'stat' | 'bargauge';
  /** From this value on it is red. */
  readonly redFrom?: number;
}

/** A line a series, and a column a label, in this order. */
export interface Table extends PanelBase {
  readonly type: 'table';
  readonly columns: readonly string[];
}

export type Panel = TimeSeries | Numbers | Table;

/** Panels under a title. */
export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** What a reader chooses among: the values of a label. */
export interface Variable {
  readonly name: string;
  /** A metric, perhaps with labels, that has all of its values. */
  readonly of: string;
}

/** A dashboard of Grafana, as far as ours go. */
export interface Dashboard {
  /** Part of its URL, so it never changes. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly variables: readonly Variable[];
  readonly rows: readonly Row[];
}

/** All panels of a dashboard. */
export const panelsOf = ({ rows }: Pick<Dashboard, 'rows'>): readonly Panel[] => rows.flatMap(({ panels }) => panels);
