import type { PlainObject } from '../../../../constructs/schema/json.ts';
import type { Dashboard, Panel, Row, Variable } from './dashboard.ts';

/** The version of the JSON model that is written; Grafana 10.4 and newer bring it to their own. */
const SCHEMA_VERSION = 39;

const COLUMNS = 24;
const HEIGHTS: Readonly<Record<Panel['type'], number>> = { timeseries: 8, stat: 4, bargauge: 8, table: 8 };

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

/** A dashboard as Grafana imports it. The user who imports it chooses the Prometheus. */
export const dashboardJson = ({ uid, title, description, variables, rows }: Dashboard): PlainObject => ({
  uid,
  title,
  description,
  tags: ['trunnion'],
  schemaVersion: SCHEMA_VERSION,
  editable: true,
  graphTooltip: 1,
  refresh: '30s',
  time: { from: 'now-1h', to: 'now' },
  templating: {
    list: [
      { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
      ...variables.map(variableJson),
    ],
  },
  panels: place(rows),
});

const variableJson = ({ name, of }: Variable): PlainObject => ({
  name,
  label: name,
  type: 'query',
  datasource: DATASOURCE,
  query: { query: `label_values(${of}, ${name})`, refId: name },
  refresh: 2,
  sort: 1,
  multi: true,
  includeAll: true,
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
});

/** Panels from left to right, and in a new line where one has no room. */
function place(rows: readonly Row[]): readonly PlainObject[] {
  const placed: PlainObject[] = [];
  let y = 0;
  for (const row of rows) {
    const id = placed.length + 1;
    placed.push({
      id,
      type: 'row',
      title: row.title,
      collapsed: false,
      panels: [],
      gridPos: position(0, y, COLUMNS, 1),
    });
    y += 1;
    let x = 0;
    let height = 0;
    for (const panel of row.panels) {
      const width = widthOf(panel);
      if (x + width > COLUMNS) [x, y, height] = [0, y + height, 0];
      placed.push({ id: placed.length + 1, gridPos: position(x, y, width, HEIGHTS[panel.type]), ...panelJson(panel) });
      x += width;
      height = Math.max(height, HEIGHTS[panel.type]);
    }
    y += height;
  }
  return placed;
}

const position = (x: number, y: number, w: number, h: number): PlainObject => ({ x, y, w, h });

const widthOf = ({ type, width = type === 'table' ? COLUMNS : 8 }: Panel): number => width;

function panelJson(panel: Panel): PlainObject {
  const { type, title, description, queries, unit = 'short', none } = panel;
  const isNow = type !== 'timeseries';
  return {
    type,
    title,
    description,
    datasource: DATASOURCE,
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: DATASOURCE,
      expr,
      ...(legend !== undefined && { legendFormat: legend }),
      ...(isNow && { instant: true, range: false }),
      ...(type === 'table' && { format: 'table' }),
    })),
    fieldConfig: {
      defaults: { unit, ...(none !== undefined && { noValue: none }), ...defaultsOf(panel) },
      overrides: [],
    },
    ...rest(panel),
  };
}

function defaultsOf(panel: Panel): PlainObject {
  if (panel.type === 'table') return {};
  if (panel.type === 'timeseries') {
    const { stacked = false } = panel;
    return { custom: { fillOpacity: stacked ? 40 : 10, stacking: { mode: stacked ? 'normal' : 'none' } } };
  }
  const { redFrom, unit } = panel;
  const steps = [{ color: 'green', value: null }, ...(redFrom === undefined ? [] : [{ color: 'red', value: redFrom }])];
  return { min: 0, ...(unit === 'percentunit' && { max: 1 }), thresholds: { mode: 'absolute', steps } };
}

function rest(panel: Panel): PlainObject {
  switch (panel.type) {
    case 'timeseries':
      return { options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } } };
    case 'table':
      return { transformations: [organised(panel.columns)] };
    default:
      return { options: { reduceOptions: { calcs: ['lastNotNull'] } } };
  }
}

/** Without the time and the value, which say nothing in a table of labels. */
const organised = (columns: readonly string[]): PlainObject => ({
  id: 'organize',
  options: {
    excludeByName: { Time: true, Value: true },
    indexByName: Object.fromEntries(columns.map((column, index) => [column, index])),
  },
});
