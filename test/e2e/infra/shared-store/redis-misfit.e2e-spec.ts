import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { connectRedis } from '../../../../server/infra/shared-store/redis-connection.js';
import { redisIncompatibility } from '../../../../server/infra/shared-store/redis-compatibility.js';
import { makeCertificate } from '../../../support/certificate.js';
import { freePort } from '../../../support/free-port.mjs';
import { startRedisCluster, startRedisSentinels } from '../../../support/redis-groups.js';
import { startRedis } from '../../../support/redis.js';

describe('what answers at REDIS_URL is looked at before anybody works with it', () => {
  const ends: (() => Promise<void>)[] = [];
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-misfit-'));
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    rmSync(folder, { recursive: true, force: true });
  });

  const single = async (): Promise<{ readonly place: string; readonly hand: Redis }> => {
    const redis = await startRedis();
    const hand = new Redis(redis.url);
    ends.push(async () => {
      hand.disconnect();
      await redis.stop();
    });
    return { place: redis.url.replace('redis://', ''), hand };
  };

  it('finds that a single Redis is no Cluster, no Sentinel and without TLS', async () => {
    const { place } = await single();
    expect(await redisIncompatibility(`redis://${place}`)).toBeUndefined();
    expect(await redisIncompatibility(`redis://:not-asked-for@${place}/3`)).toBeUndefined();
    expect(await redisIncompatibility(`redis+cluster://${place}`)).toBe(
      `at ${place} is a single Redis, not a node of a Cluster: write redis://`,
    );
    expect(await redisIncompatibility(`redis+sentinel://${place}/main`)).toMatch(
      /is a Redis that stores data, not a Sentinel: write redis:\/\//,
    );
    expect(await redisIncompatibility(`rediss://${place}`)).toBe(
      `Redis at ${place} does not speak TLS: write redis instead of rediss`,
    );
  });

  it('refuses a plain connection to a TLS server, and an unknown certificate', async () => {
    const { place, hand } = await single();
    const port = await freePort();
    const { key, cert } = makeCertificate();
    for (const [name, text] of Object.entries({ key, cert })) writeFileSync(join(folder, name), text);
    const files = ['tls-cert-file', 'cert', 'tls-key-file', 'key', 'tls-ca-cert-file', 'cert'];
    const settings = files.map((word, index) => (index % 2 === 0 ? word : join(folder, word)));
    await hand.call('CONFIG', 'SET', ...settings, 'tls-auth-clients', 'no', 'tls-port', String(port));
    expect(await redisIncompatibility(`redis://127.0.0.1:${port}`)).toBe(
      `Redis at 127.0.0.1:${port} speaks TLS only: write rediss instead of redis`,
    );
    expect(await redisIncompatibility(`rediss://127.0.0.1:${port}`)).toMatch(
      /certificate of Redis at .* is not trusted \(\w+\): name its issuer's in NODE_EXTRA_CA_CERTS/,
    );
    expect(await redisIncompatibility(`redis://${place}`)).toBeUndefined();
  });

  it('refuses another password, none, and another name without repeating them', async () => {
    const { place, hand } = await single();
    await hand.config('SET', 'requirepass', 'right one');
    for (const access of ['', ':hunter2@', 'somebody:hunter2@']) {
      const sentence = await redisIncompatibility(`redis://${access}${place}`);
      expect(sentence).toMatch(/does not accept the name and password of the address \((NOAUTH|WRONGPASS) /);
      expect(sentence).not.toContain('hunter2');
    }
    expect(await redisIncompatibility(`redis://:right%20one@${place}`)).toBeUndefined();
    await hand.acl('SETUSER', 'narrow', 'on', '>pw', '~*', '+get');
    // The account may not query the server's kind: that is no evidence against it.
    expect(await redisIncompatibility(`redis://narrow:pw@${place}`)).toBeUndefined();
  });

  it('a Cluster is reached as one, whichever of its nodes is named', async () => {
    const group = await startRedisCluster();
    ends.push(() => group.stop());
    const [first = ''] = group.url.replace('redis+cluster://', '').split(',');
    expect(await redisIncompatibility(group.url)).toBeUndefined();
    expect(await redisIncompatibility(`redis://${first}`)).toMatch(
      /is a node of a Redis Cluster: write redis\+cluster:/,
    );
  });

  it('Sentinels are reached as such, and know the master', async () => {
    const group = await startRedisSentinels();
    ends.push(() => group.stop());
    const [first = ''] = group.url.replace('redis+sentinel://', '').split(/[,/]/);
    expect(await redisIncompatibility(group.url)).toBeUndefined();
    expect(await redisIncompatibility(`redis+sentinel://${first}/other`)).toMatch(/knows no master "other"/);
    expect(await redisIncompatibility(`redis://${first}`)).toMatch(
      /is a Redis Sentinel: write redis\+sentinel:/,
    );
  });

  it('signs in to Sentinels with a password of their own', async () => {
    const group = await startRedisSentinels();
    ends.push(() => group.stop());
    for (const place of group.url.replace('redis+sentinel://', '').split('/')[0]?.split(',') ?? []) {
      const sentinel = new Redis(`redis://${place}`);
      await sentinel.acl('SETUSER', 'default', 'resetpass', '>own/word');
      sentinel.disconnect();
    }
    expect(await redisIncompatibility(group.url)).toMatch(
      /asks for a password of its own .* add \?sentinel-password=/,
    );
    expect(await redisIncompatibility(`${group.url}?sentinel-password=hunter2`)).toMatch(
      /^(?!.*hunter2).*does not accept the sentinel-password of the address \(WRONGPASS/,
    );
    const right = `${group.url}?sentinel-user=default&sentinel-password=own%2Fword`;
    expect(await redisIncompatibility(right)).toBeUndefined();
    const client = connectRedis(right);
    ends.push(async () => client.disconnect());
    await once(client, 'ready');
    expect(await client.set('reached', 'the master')).toBe('OK');
  });

  it('does not judge a server that is away, silent or no Redis at all', async () => {
    expect(await redisIncompatibility('redis://127.0.0.1:1')).toBeUndefined();
    const { port } = await listen(() => undefined);
    expect(await redisIncompatibility(`redis+cluster://127.0.0.1:${port}`)).toBeUndefined();
    expect(await redisIncompatibility(`rediss://127.0.0.1:${port}`)).toBeUndefined();
  });

  it('rediss+sentinel:// uses TLS to the Sentinels too, and to the master they name', async () => {
    const heard: number[] = [];
    const { port } = await listen((bytes) => heard.push(bytes[0] ?? -1));
    const client = connectRedis(`rediss+sentinel://:pw@127.0.0.1:${port}/main`);
    client.on('error', () => undefined);
    ends.push(async () => client.disconnect());
    while (heard.length === 0) await new Promise((resolve) => setImmediate(resolve));
    // First byte of a TLS handshake.
    expect(heard[0]).toBe(0x16);
    expect(client.options).toMatchObject({ enableTLSForSentinelMode: true });
  });

  async function listen(onBytes: (bytes: Buffer) => void): Promise<{ readonly port: number }> {
    const server: Server = createServer((socket) => {
      socket.on('data', onBytes);
      socket.on('error', () => undefined);
      ends.push(async () => void socket.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(async () => void server.close());
    return { port: (server.address() as AddressInfo).port };
  }
});
