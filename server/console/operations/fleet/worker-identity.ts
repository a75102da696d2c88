import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { contained } from '../../../common/contain-faults.js';
import { instancePlace } from '../../../common/instance-place.js';
import { Env } from '../../../config/env.js';
import { Clock } from '../../../common/clock.js';
import { BOOT_ID } from '../../../base/billing/ledger/billing.tokens.js';
import { PRODUCT_VERSION } from '../../../common/product.js';
import type { WorkerReport } from '../model/worker-report.js';

/** One machine and data folder: the same after a restart, another for every instance. */
function instanceIdOf(host: string, dataDir: string): string {
  return createHash('sha256').update(`${host}\n${dataDir}`).digest('hex').slice(0, 8);
}

type IdentityPart = Pick<
  WorkerReport,
  'bootId' | 'instance' | 'host' | 'worker' | 'pid' | 'version' | 'address' | 'startedAtMs'
>;

/** Identity of this worker: name, address and start. */
@Injectable()
export class WorkerIdentity {
  private readonly startedAtMs: number;

  constructor(
    @Inject(BOOT_ID) private readonly bootId: string,
    @Inject(Env) private readonly env: Env,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(Clock) clock: Clock,
  ) {
    this.startedAtMs = clock.nowMs();
  }

  describe(): IdentityPart {
    return {
      bootId: this.bootId,
      instance: instanceIdOf(hostname(), this.env.dataDir),
      host: hostname().slice(0, 64),
      worker: this.env.workerIndex,
      pid: process.pid,
      version: PRODUCT_VERSION,
      address: this.address(),
      startedAtMs: this.startedAtMs,
    };
  }

  /** Name of this process for instances and jobs. */
  place(): string {
    return instancePlace(this.env.port);
  }

  /** Calls back when this worker listens: at once when it does already. */
  whenListening(begin: () => void): void {
    if (this.httpServer.listening) begin();
    else this.httpServer.once('listening', contained(begin));
  }

  private get httpServer(): Server {
    return this.host.httpAdapter.getInstance<FastifyInstance>().server;
  }

  private address(): string {
    const socket = (this.httpServer.address() ?? null) as AddressInfo | string | null;
    const port = socket !== null && typeof socket === 'object' ? socket.port : this.env.port;
    return `${this.env.host}:${port}`;
  }
}
