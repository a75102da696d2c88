import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readEnv } from './env.js';
import { EnvironmentError } from './environment-error.js';

describe('the environment', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-env-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const read = (variables: Record<string, string> = {}) => readEnv({ DATA_DIR: folder, ...variables });

  it.each([
    [{ PORT: '70000' }, 'PORT'],
    [{ PORT: '3000x' }, 'PORT'],
    [{ DATABASE_URL: 'mongodb://x' }, 'DATABASE_URL'],
    [{ REDIS_URL: 'http://x' }, 'REDIS_URL'],
    [{ SESSION_SECRET: 'short' }, 'SESSION_SECRET'],
    [{ SERVER_ADDRESS: 'gateway.example' }, 'SERVER_ADDRESS'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    [{ STREAMING_TIMEOUT_SECONDS: '0' }, 'STREAMING_TIMEOUT_SECONDS'],
    [{ INITIAL_ROOT_USERNAME: 'root' }, 'INITIAL_ROOT_USERNAME'],
    [{ INITIAL_ROOT_USERNAME: 'root', INITIAL_ROOT_PASSWORD: 'short' }, 'INITIAL_ROOT_PASSWORD'],
    [{ INITIAL_ROOT_USERNAME: 'not a name', INITIAL_ROOT_PASSWORD: 'long enough' }, 'INITIAL_ROOT_USERNAME'],
    [{ INITIAL_ROOT_USERNAME: 'ab', INITIAL_ROOT_PASSWORD: 'long enough' }, 'INITIAL_ROOT_USERNAME'],
    [{ ALLOWED_PRIVATE_HOSTS: '10.0.0.0/33' }, 'ALLOWED_PRIVATE_HOSTS'],
    [{ ALLOWED_PRIVATE_HOSTS: '10.0.0.300' }, 'ALLOWED_PRIVATE_HOSTS'],
    [{ ALLOWED_PRIVATE_HOSTS: 'ollama, http://other' }, 'ALLOWED_PRIVATE_HOSTS'],
    [{ HOST: 'not a host' }, 'HOST'],
    [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY'],
    [{ TRUST_PROXY: '10.0.0.0/99' }, 'TRUST_PROXY'],
    [{ WORKERS: '4' }, 'WORKERS'],
    [{ REDIS_URL: 'redis://x' }, 'SESSION_SECRET'],
  ])('refuses %j naming the variable, and touches nothing', (variables, name) => {
    const data = join(folder, 'data');
    expect(() => read({ DATA_DIR: data, ...variables })).toThrow(EnvironmentError);
    expect(() => read({ DATA_DIR: data, ...variables })).toThrow(new RegExp(`^  ${name}: `, 'm'));
    expect(existsSync(data)).toBe(false);
  });

  it('names a DATA_DIR that cannot be made, also when the system reports only that it is missing', () => {
    expect(() => read({ DATA_DIR: '/proc/nope/data' })).toThrow(
      /DATA_DIR: \/proc\/nope\/data cannot be written to/,
    );
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'data')])
      expect(() => read({ DATA_DIR: path })).toThrow('something that is not a folder');
    const deep = join(folder, 'made', 'on', 'the', 'way');
    expect(read({ DATA_DIR: deep }).dataDir).toBe(deep);
  });

  it.each(['1', '10.0.0.0/8, 192.168.1.1', 'loopback', '::1 fd00::/8'])(
    'accepts the proxies %s',
    (trustProxy) => {
      expect(read({ TRUST_PROXY: trustProxy })).toMatchObject({ trustProxy });
    },
  );

  it.each(['ollama', '*.internal.example', '10.0.0.0/8', '192.168.1.7', 'fd00::/8', '[fd00::1]', '::1'])(
    'lets the private host %s be called',
    (host) => {
      expect(read({ ALLOWED_PRIVATE_HOSTS: `${host}, localhost` })).toMatchObject({
        allowedPrivateHosts: [host, 'localhost'],
      });
    },
  );

  it.each(['/api', '/v1', '/v1alpha/x', '/openai', '/anthropic', '/v2', '/suno', '/metrics'])(
    'does not publish under %s, which is a path of its own',
    (path) => {
      expect(() => readEnv({ BASE_PATH: path })).toThrow('must not begin with a path the gateway has itself');
      expect(readEnv({ BASE_PATH: `/gate${path}` }).basePath).toBe(`/gate${path}`);
    },
  );

  it.each(['0.0.0.0', '::', '[::1]', 'localhost', 'gateway-1.example'])('listens on %s', (host) => {
    expect(read({ HOST: host })).toMatchObject({ host });
  });

  it.each([
    [{ WORKERS: 'abc' }, 'WORKERS: expected a whole number from 1 to 256'],
    [
      { STREAMING_TIMEOUT_SECONDS: '1.5' },
      'STREAMING_TIMEOUT_SECONDS: expected a whole number from 1 to 86400',
    ],
    [{ WORKERS: '0' }, 'WORKERS: expected a whole number from 1 to 256'],
    [{ PORT: '70000' }, 'PORT: expected a whole number from 0 to 65535'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: must be fatal, error, warn, info, debug, trace or silent'],
    [{ SAFE_MODE: 'on' }, 'SAFE_MODE: must be 0, 1, false or true'],
    [{ QUOTA_SLICES: 'yes' }, 'QUOTA_SLICES: must be true or false'],
    [{ RELAY_FAST_PATH: 'off' }, 'RELAY_FAST_PATH: must be true or false'],
    [{ RELAY_HTTP1_POOL: '0' }, 'RELAY_HTTP1_POOL: must be true or false'],
    [{ BOOKING_THREAD: 'no' }, 'BOOKING_THREAD: must be true or false'],
    [{ TRIM_NATIVE_HEAP: '1' }, 'TRIM_NATIVE_HEAP: must be true or false'],
    [{ OTEL_TRACES_SAMPLER_ARG: 'half' }, 'OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1'],
    [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1'],
    [{ METRICS_PORT: '3000' }, 'METRICS_PORT: 3000 is PORT already, metrics need a port of their own'],
    [
      { PORT: '8080', METRICS_PORT: '8080' },
      'METRICS_PORT: 8080 is PORT already, metrics need a port of their own',
    ],
  ])('describes in one line the expected form of %j', (variables, sentence) => {
    expect(() => read(variables)).toThrow(
      new EnvironmentError(`The environment has a fault:\n  ${sentence}`),
    );
  });

  it('takes two free ports for two', () => {
    expect(read({ PORT: '0', METRICS_PORT: '0' })).toMatchObject({ port: 0, metricsPort: 0 });
  });

  it('has the documented defaults', () => {
    expect(read()).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: `sqlite:${join(folder, 'tollgate.db')}`,
      redisUrl: undefined,
      workers: 1,
      logLevel: 'info',
      streamingTimeoutMs: 300_000,
      maxRequestBodyBytes: 32 * 1024 * 1024,
      maxConnections: 10_000,
      drainTimeoutMs: 600_000,
      drainDelayMs: 0,
      isLoopback: true,
      apiRateLimit: 180,
    });
  });

  it('takes an empty variable for an absent one', () => {
    expect(read({ PORT: '', REDIS_URL: '', SERVER_ADDRESS: ' ', SETUP_TOKEN: '' })).toMatchObject({
      port: 3000,
      redisUrl: undefined,
      serverAddress: undefined,
      setupToken: undefined,
    });
  });

  it('makes secrets once and keeps them', () => {
    const first = read();
    expect(first.sessionSecret.length).toBeGreaterThanOrEqual(32);
    expect(first.sessionSecret).not.toBe(first.cryptoSecret);
    expect(read()).toMatchObject({ sessionSecret: first.sessionSecret, cryptoSecret: first.cryptoSecret });
  });
});
