/** A metric a query reads, and the labels it selects or groups by. */
export interface QueriedMetric {
  readonly name: string;
  readonly labels: readonly string[];
}

const METRIC = /\b(tollgate_[a-z0-9_]+)(?:\{([^}]*)\})?/g;
const MATCHER = /([a-zA-Z_][a-zA-Z0-9_]*)\s*(?:=~|!~|!=|=)\s*"/g;
const GROUPING = /\b(?:by|without|ignoring|on)\s*\(([^)]*)\)/g;

/** Metrics a Prometheus query reads. Labels of groupings are counted for every metric of the query. */
export function readQuery(query: string): readonly QueriedMetric[] {
  const grouped = [...query.matchAll(GROUPING)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((label) => label.trim())
      .filter((label) => label !== ''),
  );
  return [...query.matchAll(METRIC)].map(([, name = '', matchers = '']) => ({
    name,
    labels: [...new Set([...[...matchers.matchAll(MATCHER)].map(([, label = '']) => label), ...grouped])],
  }));
}

/** Every `expr` in a document, however deep. */
export function expressionsIn(document: unknown): readonly string[] {
  if (Array.isArray(document)) return document.flatMap(expressionsIn);
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([key, value]) =>
    key === 'expr' && typeof value === 'string' ? [value] : expressionsIn(value),
  );
}

/** Names and queries of a file of alert rules, as ours are written: one line, or folded (`>-`). */
export function readRules(text: string): readonly { readonly alert: string; readonly expr: string }[] {
  return text
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((rule) => {
      const [alert = ''] = rule.split('\n', 1);
      const [, folded, plain = ''] = /^ {8}expr: (?:>-\n((?: {10}.*\n)+)|(.+)$)/m.exec(rule) ?? [];
      return { alert, expr: (folded ?? plain).replaceAll(/\s+/g, ' ').trim() };
    });
}
