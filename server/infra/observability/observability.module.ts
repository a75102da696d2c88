import { Global, Module } from '@nestjs/common';
import { Readiness } from './readiness.js';
import { MetricsServer } from './metrics-server.js';
import { Metrics } from './metrics.js';

@Global()
@Module({ providers: [Readiness, Metrics, MetricsServer], exports: [Readiness, Metrics] })
export class ObservabilityModule {}
