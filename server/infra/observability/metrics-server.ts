import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { Metrics } from './metrics.js';

/** `GET /metrics` on a port of its own (HTTP-08), only when METRICS_PORT is set. Worker n of a cluster listens n ports higher. */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Metrics');
  private server: Server | undefined;

  constructor(
    private readonly env: Env,
    private readonly metrics: Metrics,
  ) {}

  /** Where it listens; undefined = it does not. */
  get port(): number | undefined {
    return (this.server?.address() as AddressInfo | null | undefined)?.port;
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.env.metricsPort === undefined) return;
    const registry = await this.metrics.open();
    const server = createServer((request, response) => {
      if (request.method !== 'GET' || request.url !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        (error: unknown) => {
          this.logger.error(`could not collect metrics: ${String(error)}`);
          response.writeHead(500).end();
        },
      );
    });
    const port = this.env.metricsPort === 0 ? 0 : this.env.metricsPort + this.env.workerIndex;
    server.listen({ port, host: this.env.host, exclusive: true });
    await once(server, 'listening');
    this.server = server;
    this.logger.log(`metrics on http://${this.env.host}:${this.port}/metrics`);
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.server === undefined) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
