import { Global, Module } from '@nestjs/common';
import { ClockWatch } from './clock-watch.js';
import { DegradedModes } from '../observability/degraded-modes.js';
import { DatabaseMetrics } from './database-metrics.js';
import { DependencyWatch } from './dependency-watch.js';
import { EventLoopWatch } from './event-loop-watch.js';
import { MetricsRegistry } from '../observability/metrics-registry.js';
import { Readiness } from './readiness.js';
import { ReferenceClocks } from './clock-watch.js';
import { Tracing } from '../observability/tracing/tracing.js';
import { MetricsServer } from '../observability/metrics-server.js';
import { Metrics } from '../observability/metrics.js';
import { PlatformMetrics } from './platform-metrics.js';

@Global()
@Module({
  providers: [
    DegradedModes,
    ReferenceClocks,
    ClockWatch,
    DependencyWatch,
    MetricsRegistry,
    DatabaseMetrics,
    PlatformMetrics,
    Tracing,
    EventLoopWatch,
    Readiness,
    Metrics,
    MetricsServer,
  ],
  exports: [
    ClockWatch,
    DegradedModes,
    DependencyWatch,
    MetricsRegistry,
    Tracing,
    EventLoopWatch,
    Readiness,
    Metrics,
  ],
})
export class ObservabilityModule {}
