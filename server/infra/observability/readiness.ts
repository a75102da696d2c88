import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const PROBE_TIMEOUT_MS = 2_000;

/** Whether this process may receive traffic: not while it stops, not without its database. */
@Injectable()
export class Readiness {
  private isStopping = false;

  constructor(private readonly dataSource: DataSource) {}

  beginStopping(): void {
    this.isStopping = true;
  }

  get stopping(): boolean {
    return this.isStopping;
  }

  async isReady(): Promise<boolean> {
    if (this.isStopping) return false;
    const timeout = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => timeout.resolve(false), PROBE_TIMEOUT_MS);
    const probe = this.dataSource.query('SELECT 1').then(
      () => true,
      // Away is an answer, not a fault: the load balancer sends traffic elsewhere.
      () => false,
    );
    const isUp = await Promise.race([probe, timeout.promise]);
    clearTimeout(timer);
    return isUp;
  }
}
