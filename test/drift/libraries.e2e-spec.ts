import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { timerLoopsIn } from '../support/timer-loops.ts';

const root = join(import.meta.dirname, '../..');

interface Source {
  readonly path: string;
  readonly text: string;
}

const read = (...patterns: readonly string[]): Source[] =>
  globSync([...patterns], { cwd: root }).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }));

const product = read('server/**/*.ts').filter(({ path }) => !path.endsWith('.spec.ts'));
const console = read('console/src/**/*.ts', 'console/src/**/*.tsx').filter(
  ({ path }) => !path.includes('.spec.') && !path.includes('/testing/'),
);
const tests = read('server/**/*.spec.ts', 'test/**/*.ts').filter(
  ({ path }) => !path.endsWith('libraries.e2e-spec.ts'),
);

const importersOf = (name: string, sources: readonly Source[]): string[] =>
  sources
    .filter(({ text }) => text.includes(`from '${name}'`) || text.includes(`import('${name}')`))
    .map(({ path }) => path);

const pathsWith = (pattern: RegExp, sources: readonly Source[]): string[] =>
  sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

describe('libraries that carry a part of the work', () => {
  it.each([
    '@nestjs/typeorm',
    '@nestjs/throttler',
    '@nestjs/schedule',
    'passport',
    'passport-github2',
    'openid-client',
  ])('%s is used by the product', (name) => {
    expect(importersOf(name, product)).not.toEqual([]);
  });

  it.each(['@jest/globals', 'supertest'])('%s is used by tests', (name) => {
    expect(importersOf(name, tests)).not.toEqual([]);
  });

  it('makes every call of the console API by openapi-fetch, with inferred types', () => {
    expect(importersOf('openapi-fetch', console)).toEqual(['console/src/api/client.ts']);
    expect(pathsWith(/\bfetch\(/, console)).toEqual([
      'console/src/api/client.ts',
      'console/src/api/fetch-raw.ts',
    ]);
    expect(pathsWith(/\b(?:call|callForData)</, console)).toEqual([]);
  });

  it('openid-client reads documents of OIDC providers and makes the address people are sent to', () => {
    const identities = product.filter(({ path }) => path.startsWith('server/console/identities/'));
    const oidc = identities.filter(({ path }) => path.includes('/oidc/'));
    expect(pathsWith(/\boidc\.discovery\(/, oidc)).toEqual([
      'server/console/identities/oidc/oidc-documents.ts',
    ]);
    expect(pathsWith(/\boidc\.buildAuthorizationUrl\(/, oidc)).toEqual([
      'server/console/identities/oidc/oidc.identity.ts',
    ]);
    expect(pathsWith(/JSON\.parse|createHash/, oidc)).toEqual([]);
    // One place is not a documented hook: its folder says why.
    expect(pathsWith(/\b_request\b/, identities)).toEqual([
      'server/console/identities/github/github-strategy.ts',
    ]);
  });

  it('data sources come from @nestjs/typeorm alone', () => {
    expect(pathsWith(/provide: DataSource\b/, product)).toEqual([]);
    const bare = pathsWith(/@Inject\((LOG_DATA_SOURCE|DataSource)\)/, product);
    expect(bare).toEqual([]);
  });

  it('repositories are injected, and asked for by the module that declares them', () => {
    const repositories = product.filter(({ path }) => path.endsWith('.repository.ts'));
    expect(repositories.length).toBeGreaterThan(10);
    expect(pathsWith(/^(?![\s\S]*@InjectRepository\()/, repositories)).toEqual([]);
    // Through a transaction's manager, or through an injected repository.
    expect(pathsWith(/dataSource\s*\.getRepository\(/, repositories)).toEqual([]);
  });

  it('limits of the console API are ThrottlerGuard and declared beside routes', () => {
    expect(pathsWith(/extends ThrottlerGuard\b/, product)).toEqual([
      'server/base/auth/console-throttler.guard.ts',
    ]);
    expect(pathsWith(/`api:(address|user):/, product)).toEqual([]);
  });

  it('recurring jobs are declared by @LeasedInterval', () => {
    expect(pathsWith(/\bjobs\.every\(/, product)).toEqual(['server/infra/schedule/leased-interval.ts']);
  });

  it('lists what else repeats by itself, with its reason', () => {
    const found = product
      .filter(({ text }) => timerLoopsIn(text).length > 0)
      .map(({ path }) => path)
      .sort();
    expect(found).toEqual(Object.keys(OTHER_LOOPS).sort());
  });

  it.each([
    ['look(): void { setInterval(() => this.read(), 1_000); }'],
    ['look(): void { this.read(); this.timer = setTimeout(() => this.look(), 1_000); }'],
    ['look(): void { this.clock.after(1_000, () => void this.look()); }'],
    ['look(): void { setTimeout(this.look.bind(this), 1_000); }'],
    ['look(): void { this.read().finally(() => this.plan()); } plan(): void { after(1_000, this.look); }'],
    ['start(): void { const again = () => { setTimeout(again, 1_000); }; again(); }'],
  ])('finds a provider that repeats by itself: %s', (body) => {
    expect(timerLoopsIn(`@Injectable() export class Watch { ${body} }`)).not.toEqual([]);
  });

  it.each([
    ["@Interval('watch', 1_000) look(): void { this.read(); }"],
    ['wait(): Promise<void> { return new Promise((resolve) => this.clock.after(1_000, resolve)); }'],
    ['look(): void { setTimeout(() => this.end(), 1_000); } end(): void { this.isOver = true; }'],
  ])('finds none in a provider that does not: %s', (body) => {
    expect(timerLoopsIn(`@Injectable() export class Watch { ${body} }`)).toEqual([]);
  });
});

/** Loops that are no intervals of @nestjs/schedule, and why. */
const OTHER_LOOPS: Readonly<Record<string, string>> = {
  'server/http/drain-connections.ts': 'runs while the server closes, when intervals have ended',
  'server/infra/clock/system-clock.ts': 'is what timers are made of',
  'server/infra/database/statement-timeouts.ts': 'one for each question under way',
  'server/infra/health/event-loop-watch.ts': 'samples every 50 ms; counts what delays intervals',
  'server/infra/http-client/http1-pool.ts': 'belongs to an object; runs while a connection is idle',
  'server/infra/observability/rate-limited-faults.ts': 'belongs to an object; runs while a fault lasts',
  'server/infra/schedule/job-run.ts': 'renews the lease of one run',
  'server/infra/shared-store/redis-connection.ts':
    'belongs to a connection, which exists before the application',
  'server/infra/shared-store/redis-shared-store.ts':
    'belongs to a connection, which exists before the application',
  'server/infra/sockets/lingering-close.ts': 'one for each refused connection',
  'server/infra/spool/spool.ts': 'belongs to the spool, which tools open without the application',
  'server/base/billing/booking/local-flusher.ts':
    'books as soon as there is something; its pause depends on what is left',
  'server/base/billing/booking/spool-booking.ts': 'runs in the booking thread, which has no application',
  'server/base/billing/booking/thread-flusher.ts': 'starts a thread that ended again',
  'server/base/billing/holds/call-reservations.ts': 'runs while a call holds quota in the database',
  'server/base/billing/holds/hold-returns.ts':
    'runs while something is to be given back; its pause depends on faults',
  'server/base/billing/holds/slices.ts': 'every 25 ms while slices are out',
  'server/base/billing/recovery/ledger-maintenance.ts':
    'part of the money engine, which tools and the simulator run without the application',
  'server/gateway/relay/fast-path/fast-path.ts': 'belongs to a server; runs once it has a connection',
  'server/process/start-checks/data-dir-lock.ts': 'runs before the application exists',
  'server/process/supervisor/worker-group.ts': 'belongs to the supervisor, which has no application',
  'server/process/trim-native-heap.ts': 'belongs to the process, with or without an application',
  'server/relay-core/pipeline/stages/relay-reply.ts': 'one for each reply under way',
  'server/relay-core/realtime/realtime-session.ts': 'one for each session',
  'server/worker.ts': 'tells the supervisor that the process lives, from before the application on',
};
