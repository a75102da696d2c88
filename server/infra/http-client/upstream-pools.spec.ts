import { describe, expect, it } from '@jest/globals';
import { Http1Pool } from './http1-pool.js';
import { OutboundPolicy } from './safe-url.js';
import { UndiciPool } from './upstream-pool.js';
import { UpstreamPools } from './pooled-http-sender.js';

const LIMITS = { connectTimeoutMs: 1_000, maxHeaderBytes: 32 * 1024, connections: 4 };

describe('which pool carries calls to an upstream', () => {
  it.each([
    ['ours', true, undefined, Http1Pool],
    ['ours, through a proxy', true, 'http://127.0.0.1:3128', UndiciPool],
    ['without ours', false, undefined, UndiciPool],
    ['without ours, through a proxy', false, 'socks5://127.0.0.1:1080', UndiciPool],
  ])('%s', async (_, usesHttp1Pool, proxy, kind) => {
    const policy = new OutboundPolicy({ allowedPrivateHosts: [], isLoopback: true });
    const pools = new UpstreamPools(policy, 'channel', LIMITS, usesHttp1Pool);
    const { pool, path } = pools.destinationOf('http://127.0.0.1:8009/v1/x?y=1', proxy);
    expect(pool).toBeInstanceOf(kind);
    expect(path).toBe('/v1/x?y=1');
    await pools.close();
  });
});
