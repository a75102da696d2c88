import { Global, Module } from '@nestjs/common';
import { ClockWatch } from './clock-watch.js';
import { DegradedModes } from './degraded-modes.js';
import { DependencyWatch } from './dependency-watch.js';
import { EventLoopWatch } from './event-loop-watch.js';
import { Figures } from './figures.js';
import { Readiness } from './readiness.js';
import { Tracing } from './tracing/tracing.js';
import { MetricsServer } from './metrics-server.js';
import { Metrics } from './metrics.js';
import { PlatformFigures } from './platform-figures.js';

@Global()
@Module({
  providers: [
    DegradedModes,
    ClockWatch,
    DependencyWatch,
    Figures,
    PlatformFigures,
    Tracing,
    EventLoopWatch,
    Readiness,
    Metrics,
    MetricsServer,
  ],
  exports: [ClockWatch, DegradedModes, DependencyWatch, Figures, Tracing, EventLoopWatch, Readiness, Metrics],
})
export class ObservabilityModule {}
