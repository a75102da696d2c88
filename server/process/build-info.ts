import type { MetricsRegistry } from '../infra/observability/metrics-registry.js';
import { PRODUCT_VERSION, STARTED_AT_SECONDS } from '../common/product.js';

/** Registers version, Node version and start time as metrics. */
export function registerBuildInfo(figures: MetricsRegistry): void {
  figures.gauge(
    'tollgate_build_info',
    'Always 1; its labels name the running version.',
    () => [{ labels: { version: PRODUCT_VERSION, node: process.versions.node }, value: 1 }],
    ['version', 'node'],
  );
  figures.gauge(
    'tollgate_start_time_seconds',
    'When this process started, seconds since 1970.',
    () => STARTED_AT_SECONDS,
  );
}
