import type { DataSource, QueryRunner } from 'typeorm';
import { AcquireGate, type AcquireLimits } from './acquire-gate.js';

/**
 * Puts a gate before the connection pool of a MySQL or PostgreSQL data source: every query runner passes it before it asks
 * the pool, so that waiting has a deadline and a bound whatever the driver does.
 */
export function gateConnections(dataSource: DataSource, limits: AcquireLimits): void {
  const gate = new AcquireGate(limits);
  const { driver } = dataSource;
  const createRunner = driver.createQueryRunner.bind(driver);
  driver.createQueryRunner = (mode) => gateRunner(createRunner(mode), gate);
}

function gateRunner(runner: QueryRunner, gate: AcquireGate): QueryRunner {
  const connect = runner.connect.bind(runner);
  const release = runner.release.bind(runner);
  let connecting: Promise<unknown> | undefined;
  let isInside = false;

  const leave = (): void => {
    if (!isInside) return;
    isInside = false;
    gate.leave();
  };

  const enterAndConnect = async (): Promise<unknown> => {
    await gate.enter();
    isInside = true;
    if (runner.isReleased) {
      leave();
      throw new Error('the query runner was released while it waited for a connection');
    }
    try {
      return await connect();
    } catch (error) {
      leave();
      throw error;
    }
  };

  runner.connect = () => (connecting ??= enterAndConnect());
  runner.release = async () => {
    try {
      await release();
    } finally {
      leave();
    }
  };
  return runner;
}
