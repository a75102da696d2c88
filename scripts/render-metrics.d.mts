import type { FigureDescription } from '../server/infra/observability/figures.js';

export function renderMetrics(
  figures: readonly FigureDescription[],
  supervisor: readonly FigureDescription[],
): string;
