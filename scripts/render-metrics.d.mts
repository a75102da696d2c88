import type { MetricDescription } from '../server/infra/observability/metrics-registry.js';

export function renderMetrics(
  figures: readonly MetricDescription[],
  supervisor: readonly MetricDescription[],
): string;
