import { beforeEach, describe, expect, it } from '@jest/globals';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { until } from '../../../test/support/until.js';
import type { Env } from '../../config/env.js';
import { openai } from '../../relay-core/dialects/openai.js';
import type { CallRunner, RelayRequest, RelayRoute } from './call-runner.js';
import { RelayHandler } from './relay-handler.js';
import { ConcurrencyLimits } from './concurrency-limits.js';
import type { RelayWatch } from './watch/relay-watch.js';

const ROOM_BYTES = 512 * 1024 * 1024;
const route = { path: '/v1/chat/completions', bodyType: 'json', dialect: openai } as unknown as RelayRoute;

/** Bodies of callers not yet identified are memory too. */
describe('a small body that Node’s server reads', () => {
  let gates: ConcurrencyLimits;
  let started: string[];
  let relay: RelayHandler;
  let raw: PassThrough;
  let status: number | undefined;

  beforeEach(() => {
    gates = new ConcurrencyLimits({ maxRequestBodyBytes: 1024 * 1024 } as Env);
    started = [];
    status = undefined;
    const runner = {
      rejectUnknownCaller: () => null,
      start: (_route: unknown, _request: unknown, body: Buffer) => started.push(body.toString()),
    };
    const watch = { refusedBeforeItsBody: () => undefined };
    relay = new RelayHandler(
      runner as unknown as CallRunner,
      gates,
      watch as unknown as RelayWatch,
      { maxRequestBodyBytes: 1024 * 1024 } as Env,
    );
    const headers = { 'content-type': 'application/json', 'content-length': '20' };
    raw = Object.assign(new PassThrough(), { headers, rawHeaders: [] });
    const response = {
      destroyed: false,
      headersSent: false,
      writeHead: (code: number) => (status = code),
      end: () => undefined,
    };
    const request = { callId: 'a', url: route.path, headers } as unknown as RelayRequest;
    relay.take(route, request, raw as unknown as IncomingMessage, response as unknown as ServerResponse);
  });

  it('takes room while it comes, and gives it back', async () => {
    raw.write('0123456789');
    await until(() => !gates.hasRoomFor(ROOM_BYTES - 9));
    expect(gates.hasRoomFor(ROOM_BYTES - 10)).toBe(true);
    raw.end('0123456789');
    await until(() => started.length === 1);
    await until(() => gates.hasRoomFor(ROOM_BYTES));
    expect(started).toEqual(['01234567890123456789']);
  });

  it('refuses a call without one', async () => {
    gates.holdBytes(ROOM_BYTES - 5);
    raw.write('0123456789');
    await until(() => status !== undefined);
    expect([status, started]).toEqual([503, []]);
    raw.destroy();
    await until(() => gates.hasRoomFor(5));
  });
});
