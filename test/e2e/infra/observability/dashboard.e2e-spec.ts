import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { renderMetrics } from '../../../../scripts/render-metrics.mjs';
import type { MetricDescription } from '../../../../server/infra/observability/metrics-registry.js';
import { Metrics } from '../../../../server/infra/observability/metrics.js';
import { SUPERVISOR_METRICS } from '../../../../server/process/supervisor/gather-metrics.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { expressionsIn, readQuery, readRules } from './dashboard-queries.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** Labels Prometheus or the scrape address adds, and the bound of a bucket. */
const ADDED_LABELS = new Set(['instance', 'job', 'worker', 'le']);

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}

describe('what is written about metrics fits the metrics', () => {
  let app: TestApp;
  let figures: readonly MetricDescription[];
  const dashboard = JSON.parse(textOf('docker/grafana/tollgate.json')) as {
    readonly title: string;
    readonly uid: string;
    readonly panels: readonly Panel[];
  };

  beforeAll(async () => {
    app = await startTestApp({});
    figures = await app.app.get(Metrics, { strict: false }).describe();
  });
  afterAll(() => app.close());

  it('docs/metrics.md lists them all', () => {
    expect(textOf('docs/metrics.md')).toBe(renderMetrics(figures, SUPERVISOR_METRICS));
  });

  it('each has a sentence, and a measured one its unit at the end', () => {
    const own = figures.filter(({ name }) => !/^tollgate_(process|nodejs)_/.test(name));
    for (const { name, help, type } of [...own, ...SUPERVISOR_METRICS]) {
      expect([name, help]).toEqual([name, expect.stringMatching(/^[A-Z\d].{8,}\.$/)]);
      if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    }
  });

  function check(query: string): void {
    const known = new Map(
      [...figures, ...SUPERVISOR_METRICS].flatMap(({ name, type, labelNames }) =>
        (type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']).map((suffix) => [
          name + suffix,
          labelNames,
        ]),
      ),
    );
    const queried = readQuery(query);
    expect([query, queried.length > 0 || query.startsWith('up{')]).toEqual([query, true]);
    for (const { name, labels } of queried) {
      expect([query, name, known.has(name)]).toEqual([query, name, true]);
      const unknown = labels.filter(
        (label) => !ADDED_LABELS.has(label) && known.get(name)?.includes(label) !== true,
      );
      // In a quotient the groupings of one side are read for both.
      if (!query.includes('ignoring(')) expect([query, unknown]).toEqual([query, []]);
    }
    const depth = [...query].reduce((open, sign) => open + (sign === '(' ? 1 : sign === ')' ? -1 : 0), 0);
    expect([query, depth]).toEqual([query, 0]);
  }

  it('every query of the Grafana dashboard names a metric that is there, with labels it has', () => {
    const queries = expressionsIn(dashboard);
    expect(queries.length).toBeGreaterThan(50);
    for (const query of queries) check(query);
  });

  it('the panels of the dashboard have ids of their own and do not overlap', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ title, gridPos: { x, y, w, h } }) => {
      expect([title, x + w <= 24]).toEqual([title, true]);
      return Array.from(
        { length: w * h },
        (_unused, index) => `${x + (index % w)},${y + Math.floor(index / w)}`,
      );
    });
    expect(new Set(cells).size).toBe(cells.length);
    for (const { targets = [] } of panels)
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
  });

  it('so does every rule of docker/grafana/tollgate-alerts.yml, and prometheus.yml loads them', () => {
    const rules = readRules(textOf('docker/grafana/tollgate-alerts.yml'));
    expect(rules.length).toBeGreaterThan(10);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { expr } of rules) check(expr);
    const prometheus = textOf('docker/grafana/prometheus.yml');
    expect(prometheus).toContain('- tollgate-alerts.yml');
    expect(prometheus).toContain('job_name: tollgate');
  });
});
