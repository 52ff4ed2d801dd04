import { describe, expect, it } from 'vitest';
import { operatorDashboard } from '../../../stacks/operator/monitoring/dashboards/operator.ts';
import { workloadsDashboard } from '../../../stacks/operator/monitoring/dashboards/workloads.ts';
import { panelsOf } from '../../../stacks/operator/monitoring/grafana/dashboard.ts';
import { dashboardJson } from '../../../stacks/operator/monitoring/grafana/json.ts';
import { unknownMetrics } from './known-metrics.ts';

interface Placed {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}

const overlap = ({ gridPos: a }: Placed, { gridPos: b }: Placed): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

describe.each([operatorDashboard, workloadsDashboard])('the dashboard $title', (dashboard) => {
  const panels = panelsOf(dashboard);
  const json = dashboardJson(dashboard);
  const placed = json['panels'] as readonly Placed[];

  it.each(panels)('asks in $title only for what there is', ({ queries }) => {
    expect(queries.flatMap(({ expr }) => unknownMetrics(expr))).toEqual([]);
  });

  it('says of each panel what it shows, under a title of its own', () => {
    const titles = panels.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    for (const { description } of panels) expect(description).toMatch(/[.:]/);
  });

  it('asks for nothing that a reader cannot choose', () => {
    const variables = new Set(['datasource', ...dashboard.variables.map(({ name }) => name)]);
    const used = [...JSON.stringify(json).matchAll(/\$\{?([a-z]\w*)/g)].map(([, name]) => name);
    expect(used.filter((name) => !variables.has(name ?? ''))).toEqual([]);
  });

  it('places every panel on the grid, none over another', () => {
    expect(placed.map(({ title }) => title)).toEqual(
      dashboard.rows.flatMap((row) => [row.title, ...row.panels.map(({ title }) => title)]),
    );
    expect(new Set(placed.map(({ id }) => id)).size).toBe(placed.length);
    for (const panel of placed) expect(panel.gridPos.x + panel.gridPos.w).toBeLessThanOrEqual(24);
    const pairs = placed.flatMap((panel, index) => placed.slice(index + 1).map((other) => [panel, other] as const));
    expect(
      pairs.filter(([panel, other]) => overlap(panel, other)).map((pair) => pair.map(({ title }) => title)),
    ).toEqual([]);
  });
});

it('a panel is what Grafana reads', () => {
  const { panels } = dashboardJson({
    uid: 'test',
    title: 'Test',
    description: 'A test.',
    variables: [{ name: 'job', of: 'up' }],
    rows: [
      {
        title: 'Row',
        panels: [
          { type: 'stat', title: 'Up', description: 'Up.', redFrom: 2, queries: [{ expr: 'up', legend: '{{job}}' }] },
          {
            type: 'table',
            title: 'All',
            description: 'All.',
            columns: ['job'],
            none: 'none',
            queries: [{ expr: 'up' }],
          },
        ],
      },
    ],
  }) as { panels: readonly object[] };
  expect(panels).toMatchInlineSnapshot(`
    [
      {
        "collapsed": false,
        "gridPos": {
          "h": 1,
          "w": 24,
          "x": 0,
          "y": 0,
        },
        "id": 1,
        "panels": [],
        "title": "Row",
        "type": "row",
      },
      {
        "datasource": {
          "type": "prometheus",
          "uid": "\${datasource}",
        },
        "description": "Up.",
        "fieldConfig": {
          "defaults": {
            "min": 0,
            "thresholds": {
              "mode": "absolute",
              "steps": [
                {
                  "color": "green",
                  "value": null,
                },
                {
                  "color": "red",
                  "value": 2,
                },
              ],
            },
            "unit": "short",
          },
          "overrides": [],
        },
        "gridPos": {
          "h": 4,
          "w": 8,
          "x": 0,
          "y": 1,
        },
        "id": 2,
        "options": {
          "reduceOptions": {
            "calcs": [
              "lastNotNull",
            ],
          },
        },
        "targets": [
          {
            "datasource": {
              "type": "prometheus",
              "uid": "\${datasource}",
            },
            "expr": "up",
            "instant": true,
            "legendFormat": "{{job}}",
            "range": false,
            "refId": "A",
          },
        ],
        "title": "Up",
        "type": "stat",
      },
      {
        "datasource": {
          "type": "prometheus",
          "uid": "\${datasource}",
        },
        "description": "All.",
        "fieldConfig": {
          "defaults": {
            "noValue": "none",
            "unit": "short",
          },
          "overrides": [],
        },
        "gridPos": {
          "h": 8,
          "w": 24,
          "x": 0,
          "y": 5,
        },
        "id": 3,
        "targets": [
          {
            "datasource": {
              "type": "prometheus",
              "uid": "\${datasource}",
            },
            "expr": "up",
            "format": "table",
            "instant": true,
            "range": false,
            "refId": "A",
          },
        ],
        "title": "All",
        "transformations": [
          {
            "id": "organize",
            "options": {
              "excludeByName": {
                "Time": true,
                "Value": true,
              },
              "indexByName": {
                "job": 0,
              },
            },
          },
        ],
        "type": "table",
      },
    ]
  `);
});
