import { describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { HttpAdapterHost } from '@nestjs/core';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { loadEnv } from '../../../config/env-file.js';
import { WorkerIdentity } from './worker-identity.js';

function identity(source: Record<string, string> = {}, address: unknown = null) {
  const server = Object.assign(new EventEmitter(), { listening: false, address: () => address });
  const host = { httpAdapter: { getInstance: () => ({ server }) } } as unknown as HttpAdapterHost;
  const worker = new WorkerIdentity(
    'boot',
    loadEnv({ DATA_DIR: '/data', ...source }),
    host,
    new FakeClock(5),
  );
  return { server, worker };
}

describe('WorkerIdentity', () => {
  it('names one machine and data folder the same after a restart, and others otherwise', () => {
    const { instance } = identity().worker.describe();
    expect(instance).toMatch(/^[0-9a-f]{8}$/);
    expect(identity().worker.describe().instance).toBe(instance);
    expect(identity({ DATA_DIR: '/other' }).worker.describe().instance).not.toBe(instance);
  });

  it('returns its address: the port it was given, else the requested one', () => {
    expect(identity({ PORT: '0', HOST: '10.0.0.1' }, { port: 4_321 }).worker.describe().address).toBe(
      '10.0.0.1:4321',
    );
    expect(identity({ PORT: '3100', HOST: '10.0.0.1' }).worker.describe().address).toBe('10.0.0.1:3100');
    expect(identity({ PORT: '3100', HOST: '10.0.0.1' }, '/a/socket').worker.describe().address).toBe(
      '10.0.0.1:3100',
    );
  });

  it('returns its process and its start', () => {
    expect(identity().worker.describe()).toMatchObject({ bootId: 'boot', pid: process.pid, startedAtMs: 5 });
  });

  it('begins when it listens: at once when it does already, and once', () => {
    const begun: string[] = [];
    const { server, worker } = identity();
    worker.whenListening(() => begun.push('later'));
    expect(begun).toEqual([]);
    server.emit('listening');
    server.emit('listening');
    server.listening = true;
    worker.whenListening(() => begun.push('now'));
    expect(begun).toEqual(['later', 'now']);
  });
});
