import type { MetricDescription } from '../server/infra/observability/figures.js';

export function renderMetrics(
  figures: readonly MetricDescription[],
  supervisor: readonly MetricDescription[],
): string;
